internal import Synchronization

/// Collects the files of a request while its values are encoded.
final class ArgumentFiles: Sendable {
    private let files = Mutex<[RunFile]>([])

    /// The files, in the order of their indices.
    var all: [RunFile] { files.withLock { $0 } }

    /// Adds a file, and returns a value that refers to it.
    func add(_ file: RunFile) -> IntentValue {
        files.withLock { files in
            files.append(file)
            return file.value(at: files.count - 1)
        }
    }
}
