import Glibc
import IntentLinux

/// The values of parameters, and the open files to which the values refer by index.
struct OpenInputs {
    private(set) var values: [String: IntentValue] = [:]
    private(set) var files: [RunFile] = []

    /// Opens the files with the permissions of this process.
    ///
    /// - Parameters:
    ///   - writable: The parameters with files that the run may change.
    ///   - roots: The folders that must contain the files; nil to permit all folders.
    ///   - opened: Files that are open already, by what the inputs contain in place of their paths.
    init(
        _ inputs: [String: ParameterInput],
        writable: Set<String> = [],
        roots: FileRoots? = nil,
        opened: [String: RunFile] = [:]
    ) throws {
        // Sort the parameters, so that equal requests pass their files in the same order.
        for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
            values[name] = try open(input, for: writable.contains(name) ? .readingAndWriting : .reading, roots, opened)
        }
    }

    private mutating func open(
        _ input: ParameterInput,
        for access: RunFile.Access,
        _ roots: FileRoots?,
        _ opened: [String: RunFile]
    ) throws(IntentClientError) -> IntentValue {
        switch input {
        case .value(let value): return value
        case .path(let path):
            let file =
                if let file = opened[path] { file } else if let roots { try roots.open(path) } else {
                    try RunFile(at: ByteText.bytes(of: path), access: access)
                }
            files.append(file)
        case .standardInput: files.append(try RunFile(duplicating: 0, name: "stdin"))
        case .list(let elements):
            var values: [IntentValue] = []
            for element in elements { values.append(try open(element, for: access, roots, opened)) }
            return .array(values)
        }
        return files[files.count - 1].value(at: files.count - 1)
    }
}

/// The folders from which an agent may pass files to runs.
struct FileRoots {
    private let folders: [String]

    /// - Throws: ``CommandFailure`` for a folder that does not exist.
    init(_ folders: [String]) throws(CommandFailure) {
        var resolved: [String] = []
        for folder in folders {
            guard let path = File.realPath(folder) else {
                throw .usage(
                    "--root: cannot find '\(folder)': \(String(foreign: strerror(errno)))",
                    hint: "specify an existing folder"
                )
            }
            resolved.append(path == "/" ? "" : path)
        }
        self.folders = resolved
    }

    /// Opens a file in one of the folders for reading.
    func open(_ path: String) throws(IntentClientError) -> RunFile {
        // Check the path before opening the file, because opening a pipe or a device can have side effects.
        guard let resolved = File.realPath(path) else {
            throw IntentClientError(
                .unreadableFile,
                "cannot read '\(path)': \(String(foreign: strerror(errno)))",
                hint: "check the path and its permissions"
            )
        }
        guard contains(resolved) else { throw refusal(of: path) }
        let file = try RunFile(path: resolved)
        // Check the location of the open file too, because a rename can have put another file at the path.
        let link = file.withDescriptor { File.realPath("/proc/self/fd/\($0)") }
        guard let link, contains(link) else { throw refusal(of: path) }
        return file
    }

    private func contains(_ path: String) -> Bool { folders.contains { path.hasPrefix(utf8: $0 + "/") } }

    private func refusal(of path: String) -> IntentClientError {
        IntentClientError(
            .notPermitted,
            "cannot pass '\(path)': it is not in a permitted folder",
            hint: folders.isEmpty
                ? "no folder is permitted: start the server with --root DIR"
                : "permitted folders: \(folders.map { $0.isEmpty ? "/" : $0 }.joined(separator: ", "))"
        )
    }
}
