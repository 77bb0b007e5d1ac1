import AppIntents
import Glibc
import Synchronization

/// A file in the run folder, which is the current directory.
final class OutputFile: Sendable {
    private struct State {
        var descriptor: Int32 = -1
        var size: Int64 = 0
        var isDiscarded = false
    }

    let name: String
    private let state = Mutex(State())

    init(name: String) {
        self.name = name
    }

    deinit {
        try? close()  // The file may be closed already.
    }

    var size: Int64 { state.withLock { $0.size } }

    /// The finished file, as a value to return.
    var file: IntentFile { IntentFile(fileURL: URL(fileURLWithPath: name), filename: name) }

    func open() throws {
        try state.withLock { state in
            guard !state.isDiscarded else { throw CancellationError() }
            state.descriptor = Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            guard state.descriptor >= 0 else { throw ArchiveError.cannot("create \(name)", errno) }
        }
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        try state.withLock { state in
            guard !state.isDiscarded else { throw CancellationError() }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(state.descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count >= 0 else { throw ArchiveError.cannot("write \(name)", errno) }
                rest = rest.dropFirst(count)
            }
            state.size += Int64(bytes.count)
        }
    }

    func close() throws {
        try state.withLock { state in
            guard state.descriptor >= 0 else { return }
            let result = Glibc.close(state.descriptor)
            state.descriptor = -1
            guard result == 0 else { throw ArchiveError.cannot("close \(name)", errno) }
        }
    }

    /// Removes the unfinished file, and prints what was removed.
    func discard(because reason: IntentCancellationReason) {
        state.withLock { state in
            state.isDiscarded = true
            guard unlink(name) == 0 else { return print("cancelled (\(reason)): nothing was written yet") }
            print("cancelled (\(reason)): removed the partial file \(name) (\(state.size.asFileSize))")
        }
    }
}
