import Glibc
import IntentLinux
import IntentSandbox
import IntentWire

/// The launcher's cache folder, with the folders of runs and the files of results until they are fetched.
///
/// The launcher only links the files of results into the folder. intentd reads and removes them.
final class RunFolders {
    let runs: String
    let resultsPath: String
    private let cache: String
    private var results: SharedFileDescriptor?

    init(at cache: String) {
        self.cache = cache
        runs = cache + "/runs"
        resultsPath = cache + "/results"
    }

    /// The descriptors that intentd receives when it connects.
    var descriptors: [SharedFileDescriptor] { results.map { [$0] } ?? [] }

    /// - Parameter sharesResults: True if intentd runs as another user, who is in the launcher's group.
    func make(sharesResults: Bool) throws(SystemError) {
        // Workers of other users must be able to reach their own directories, and must not list the folders above them.
        for (folder, mode) in [(cache, 0o711), (runs, 0o711), (resultsPath, 0o700)] as [(String, mode_t)] {
            do {
                try syscall("mkdir", on: folder) { mkdir(folder, mode) }
            } catch {
                if error.code.rawValue != EEXIST { throw error }
            }
        }
        let folder = SharedFileDescriptor(try File.open(resultsPath, O_RDONLY | O_DIRECTORY))
        results = folder
        if sharesResults { try share(folder) }
    }

    /// Gives the group access to the folder, and to results from an earlier version that did not.
    private func share(_ folder: SharedFileDescriptor) throws(SystemError) {
        guard try File.status(of: folder.rawValue).permissions & 0o070 != 0o070 else { return }
        try syscall("fchmod") { fchmod(folder.rawValue, 0o770) }
        for run in (try? File.names(in: "/proc/self/fd/\(folder.rawValue)")) ?? [] {
            // A result that cannot be shared cannot be fetched. It is removed when it expires.
            guard let runFolder = try? File.openFolder(run, in: folder.rawValue) else { continue }
            for name in (try? File.names(in: "/proc/self/fd/\(runFolder.rawValue)")) ?? [] {
                guard let file = try? File.open(name, in: runFolder.rawValue) else { continue }
                try? File.share(file.rawValue, as: folder.rawValue)
            }
            try? File.share(runFolder.rawValue, as: folder.rawValue)
        }
    }

    /// Keeps files of the slot's run as its result.
    ///
    /// - Returns: The indices of files that a process may still write to.
    func keep(_ paths: [String], of slot: Slot, under names: KeptFileNames) throws -> [Int] {
        guard let results else { throw SystemError("open", on: resultsPath, code: Errno(rawValue: ENOENT)) }
        try File.makeFolder(names.run.text, in: results.rawValue, permissions: 0o700)
        let folder = try File.openFolder(names.run.text, in: results.rawValue)
        if try File.status(of: folder.rawValue).owner == getuid() {
            try File.share(folder.rawValue, as: results.rawValue)
        }
        slot.keptRun = names.run
        let files = try zip(paths, names.indices).map { path, index in
            (index: index, file: try slot.directory.keep(path, in: folder, as: "\(index)"))
        }
        // Share the files after the last link: a file may be kept under several names, and must belong to its app until
        // then.
        for (_, file) in files { try File.share(file.rawValue, as: results.rawValue) }
        return files.filter { !slot.directory.freeze($0.file) }.map(\.index)
    }
}
