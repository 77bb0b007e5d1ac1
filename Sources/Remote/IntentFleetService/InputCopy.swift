import Glibc
import IntentFleet
import IntentHash
import IntentLinux
import IntentProtocol
import IntentSystemd
import Synchronization

/// A copy of files that a local user passes for a run. A separate thread makes the copy, because the owner of a FUSE
/// file system can make read(2) hang for any length of time.
///
/// Use an instance only on the loop's thread.
final class InputCopy {
    typealias Answer = (Result<[FleetInput], ErrorReport>) -> Void

    /// The outcome, which the thread stores before it closes the pipe.
    private final class Outcome: Sendable {
        let value = Mutex<Result<[FleetInput], ErrorReport>?>(nil)
    }

    private static let stepByteCount = 1 << 20
    private var source: EventSource?

    /// Starts a copy to files with a name and a number, and waits until the files are on the disk.
    ///
    /// - Parameters:
    ///   - files: The files with their sizes. A file that has a different size when it is copied is an error.
    ///   - folder: The folder for the copies.
    init(
        of files: [(file: SharedFileDescriptor, byteCount: Int64)],
        to folder: SharedFileDescriptor,
        as name: String,
        on loop: EventLoop,
        _ answer: @escaping Answer
    ) throws(SystemError) {
        let pipe = try Pipe()
        let outcome = Outcome()
        source = try loop.descriptor(pipe.reading, [.readable]) { [weak self] _ in
            self?.source = nil
            answer(
                outcome.value.withLock { $0 }
                    ?? .refused(.busy, "the copy of the run's files was interrupted", hint: "try again")
            )
        }
        try DetachedThread.start { [writing = pipe.writing] in
            let result: Result<[FleetInput], ErrorReport>
            do {
                let inputs = try files.enumerated().map { index, given in
                    try Self.copy(given.file, given.byteCount, to: folder, as: "\(name).\(index)")
                }
                try File.sync(folder.rawValue)
                result = .success(inputs)
            } catch let error as ErrorReport {
                result = .failure(error)
            } catch {
                result = .refused(.busy, "cannot store the run's files: \(error)", hint: "try again later")
            }
            outcome.value.withLock { $0 = result }
            // A failure means that the process is exiting.
            _ = try? File.write(writing.rawValue, [0])
        }
    }

    private static func copy(
        _ source: SharedFileDescriptor,
        _ byteCount: Int64,
        to folder: SharedFileDescriptor,
        as name: String
    ) throws -> FleetInput {
        let copy = try File.create(name, in: folder.rawValue, permissions: 0o600)
        var hash = SHA256()
        var offset: Int64 = 0
        while offset <= byteCount {
            let bytes = try File.read(source.rawValue, upTo: stepByteCount, at: Int(offset))
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            guard offset <= byteCount else { break }
            hash.add(bytes)
            try File.write(copy.rawValue, bytes[...])
        }
        guard offset == byteCount else {
            throw ErrorReport(
                .badParameter,
                "a file changed while it was read",
                hint: "try again with an unchanged file"
            )
        }
        try File.sync(copy.rawValue)
        return FleetInput(byteCount: byteCount, digest: hash.finish().hexadecimal)
    }
}
