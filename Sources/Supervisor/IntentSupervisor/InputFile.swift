import Glibc
import IntentLauncherMessages
import IntentLinux

/// The rule that determines which descriptors a client may pass as files: regular files, memory files and pipes that
/// are open for reading. A file may also be open for writing if the request lists it as writable.
///
/// No call made by this type waits for a file system. Even lseek(2) is avoided, because it waits while another process
/// is in read(2).
struct InputFile {
    /// The indices of the files that the run may also write.
    var writable: Set<Int> = []
    /// The isolation grade of runs; nil until the launcher has reported it. With less than full isolation, a run may
    /// have the same uid as the client.
    var grade: IsolationGrade?
    var closer: SharedFileDescriptor.Closer

    /// Returns true for a file that another run can read again, from its beginning. Reading the position does not wait
    /// for the file system (`/proc/PID/fdinfo` in proc(5)).
    static func isRepeatable(_ file: SharedFileDescriptor) -> Bool {
        guard case .regular = File.kindWithoutWaiting(of: file.rawValue) else { return false }
        return File.restOfLine(startingWith: "pos:", at: "/proc/self/fdinfo/\(file.rawValue)")?.hasSuffix(utf8: "\t0")
            == true
    }

    func accept(_ files: [SharedFileDescriptor]) throws(InputFileError) -> [SharedFileDescriptor] {
        var accepted: [SharedFileDescriptor] = []
        for (index, file) in files.enumerated() {
            guard let access = File.access(of: file.rawValue), access != .writing else { throw .unreadable }
            accepted.append(try writable.contains(index) ? acceptWritable(file) : accept(file, access))
        }
        return accepted
    }

    private func acceptWritable(_ file: SharedFileDescriptor) throws(InputFileError) -> SharedFileDescriptor {
        switch File.kindWithoutWaiting(of: file.rawValue) {
        case .regular, .pipe: file
        case let kind: throw InputFileError(refusing: kind)
        }
    }

    private func accept(_ file: SharedFileDescriptor, _ access: File.Access) throws(InputFileError)
        -> SharedFileDescriptor
    {
        switch File.kindWithoutWaiting(of: file.rawValue) {
        case .regular:
            if try isMemory(file) { return try acceptMemory(file) }
            guard access == .reading else { throw .writable }
            return file
        case .pipe:
            guard access == .reading else { throw .writable }
            // Without full isolation, a run may have the same uid as the client, and could open the pipe's writing end
            // through /proc. Forbid this.
            guard grade == .full || Pipe.forbidWriting(to: file.rawValue) else { throw .writable }
            return file
        case let kind: throw InputFileError(refusing: kind)
        }
    }

    private func isMemory(_ file: SharedFileDescriptor) throws(InputFileError) -> Bool {
        do throws(SystemError) {
            return try MemoryFile.isMemory(file.rawValue)
        } catch {
            throw .uncertain(error)
        }
    }

    /// Accepts a memory file only if it is sealed. Otherwise a run could reopen the file for writing through /proc.
    private func acceptMemory(_ file: SharedFileDescriptor) throws(InputFileError) -> SharedFileDescriptor {
        guard MemoryFile.isSealed(file.rawValue) else { throw .unsealed }
        do throws(SystemError) {
            // Open the file again, so that the descriptor has its own file offset.
            let reading = try File.open("/proc/self/fd/\(file.rawValue)", O_RDONLY | O_NONBLOCK)
            return SharedFileDescriptor(reading, closer: closer)
        } catch {
            // The file's owner has removed the permission to open it. The seals still apply, so pass the original
            // descriptor.
            return file
        }
    }
}

/// The reason why a descriptor was refused as a file.
enum InputFileError: Error, Equatable, CustomStringConvertible {
    case unreadable
    case writable
    case unsealed
    case uncertain(SystemError)
    case directory
    case socket
    case device
    case noFile

    init(refusing kind: File.Kind?) {
        self =
            switch kind {
            case .directory: .directory
            case .socket: .socket
            case .device: .device
            case .regular, .pipe, .other, nil: .noFile
            }
    }

    var description: String {
        switch self {
        case .unreadable: "a passed file is not open for reading"
        case .writable: "a passed file is open for writing, but the request does not list it in 'writable'"
        case .unsealed: "a passed memory file is not sealed, so the run could write to it"
        case .uncertain(let error): "cannot check whether a passed file is a memory file: \(error)"
        case .directory: "expected a file, got a directory"
        case .socket: "expected a file, got a socket"
        case .device: "expected a file, got a device"
        case .noFile: "a passed descriptor is not a file"
        }
    }

    var hint: String {
        switch self {
        case .writable: "open the file for reading only, or list it in 'writable'"
        case .unsealed:
            "add the seals F_SEAL_WRITE, F_SEAL_GROW and F_SEAL_SHRINK (fcntl(2)), or list the file in 'writable'"
        case .uncertain: "try again in a moment"
        case .directory: "pack the directory into one file, for example with tar"
        case .unreadable, .socket, .device, .noFile: "pass a regular file or a pipe, open for reading"
        }
    }
}
