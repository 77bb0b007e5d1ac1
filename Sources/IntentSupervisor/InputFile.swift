import Glibc
import IntentLinux

/// What a client may hand over as a file: a regular file, a file in memory or a pipe, open for reading and, unless it
/// says otherwise, for nothing else.
enum InputFile {
    /// - Parameter writable: The places of those that the run may write too.
    static func accept(
        _ files: [SharedFileDescriptor],
        writable: Set<Int>,
        closer: @escaping SharedFileDescriptor.Closer
    ) throws(InputFileError) -> [SharedFileDescriptor] {
        var accepted: [SharedFileDescriptor] = []
        for (place, file) in files.enumerated() {
            accepted.append(try accept(file, isWritable: writable.contains(place), closer: closer))
        }
        return accepted
    }

    private static func accept(
        _ file: SharedFileDescriptor,
        isWritable: Bool,
        closer: @escaping SharedFileDescriptor.Closer
    ) throws(InputFileError) -> SharedFileDescriptor {
        guard let access = File.access(of: file.rawValue), access != .writing else { throw .unreadable }
        switch File.kindWithoutWaiting(of: file.rawValue) {
        case .regular: break
        case .pipe:
            guard access == .reading || isWritable else { throw .writable }
            return file
        case .directory: throw .directory
        case .socket: throw .socket
        case .device: throw .device
        case .other, nil: throw .noFile
        }
        guard access == .both, !isWritable else { return file }
        // A file in memory is born writable. It waits for no file system, and anybody who holds it may open it.
        if MemoryFile.isSealed(file.rawValue) { return file }
        guard MemoryFile.isMemory(file.rawValue),
            let reading = try? File.open("/proc/self/fd/\(file.rawValue)", O_RDONLY | O_NONBLOCK)
        else { throw .writable }
        return SharedFileDescriptor(reading, closer: closer)
    }
}

/// Why a descriptor is not taken as a file.
enum InputFileError: Error, Equatable, CustomStringConvertible {
    case unreadable
    case writable
    case directory
    case socket
    case device
    case noFile

    var description: String {
        switch self {
        case .unreadable: "a file was handed over that is not open for reading"
        case .writable: "a file was handed over open for writing, and the request does not say that it may be written"
        case .directory: "a directory was handed over where a file is expected"
        case .socket: "a socket was handed over where a file is expected"
        case .device: "a device was handed over where a file is expected"
        case .noFile: "what was handed over as a file is none"
        }
    }

    var hint: String {
        switch self {
        case .writable: "open it for reading only, or name it in 'writable'"
        case .directory: "pack it into one file first (tar)"
        case .unreadable, .socket, .device, .noFile: "pass a regular file or a pipe, open for reading"
        }
    }
}
