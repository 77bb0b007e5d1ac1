import CIntentWorker
import Foundation
import Glibc
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages

/// The values of an app's `UserDefaults`, which outlive its runs in the state folder.
///
/// Foundation reads a whole property list once for each process, and writes the list in place when the app calls
/// `synchronize()`. Runs are processes, so each run has its own copies of the lists, in its run folder. When the run
/// has ended, the keys that it changed are merged into the lists in the state folder, under a lock and with a rename.
/// Concurrent runs therefore lose no key, and a run that is killed leaves the old lists.
struct KeptDefaults: Sendable {
    private static let folder = ".config"
    private static let suffix = ".plist"
    /// A file beside the copies, which Foundation does not know.
    private static let mark = ".copied"

    private let own: String
    private let kept: String
    /// The copied lists, by file name.
    private let copies: [String: Data]

    /// Creates the folders that Foundation names, and copies the lists of earlier runs. Returns nil if the app has no state:
    /// its folders and lists end with the run.
    ///
    /// - Parameter isRehearsal: True to copy no lists, because the run has not begun.
    init?(runFolder: String, isRehearsal: Bool = false) {
        // Ignore errors: the app's own access reports the reason.
        for folder in ["Documents", ".cache"] { mkdir("\(IntentState.directory ?? runFolder)/\(folder)", 0o700) }
        guard let state = IntentState.directory else { return nil }
        let (own, kept) = ("\(runFolder)/\(Self.folder)", "\(state)/\(Self.folder)")
        (self.own, self.kept) = (own, kept)
        // For programs that the run starts. Core Foundation itself uses the value with which the fork server started.
        setenv("XDG_CONFIG_HOME", own, 1)
        // Values that the fork server read may be older.
        intentd_flush_preferences()
        let names = Self.names(in: kept)
        // Most apps have no lists, and a forked worker pays for each type that it uses first.
        guard !names.isEmpty, !isRehearsal else {
            copies = [:]
            return
        }
        let lists = names.map { name in (name, try? Self.contents("\(kept)/\(name)")) }
        mkdir(own, 0o700)
        try? Data().write(to: URL(filePath: "\(own)/\(Self.mark)"))
        // A list that cannot be copied must not look like a list of which the run removes all keys.
        copies = Dictionary(uniqueKeysWithValues: lists).compactMapValues { $0 }.filter { name, list in
            (try? list.write(to: URL(filePath: "\(own)/\(name)"))) != nil
        }
    }

    /// Merges the keys that the run has changed into the lists in the state folder.
    func save() throws {
        intentd_flush_preferences()
        guard !copies.isEmpty || access(own, F_OK) == 0 else { return }
        var changed: [String: Data?] = [:]
        for name in Set(Self.names(in: own)).union(copies.keys) {
            let list = try Self.contents("\(own)/\(name)")
            if list != copies[name] { changed[name] = .some(list) }
        }
        guard !changed.isEmpty else { return }
        // Foundation removes a list without keys. If the mark is missing, the app has emptied its run folder, and missing
        // keys have not been removed.
        let isComplete = access("\(own)/\(Self.mark)", F_OK) == 0
        mkdir(kept, 0o700)
        let lock = try File.open("\(kept)/.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        if let problem = StateLock.setLock(lock.rawValue, F_WRLCK, waits: true) { throw problem }
        for (name, list) in changed {
            let (before, after) = (try Self.values(copies[name]), try Self.values(list))
            let path = "\(kept)/\(name)"
            var merged = try Self.values(try Self.contents(path))
            for key in Set(isComplete ? Array(before.keys) : []).union(after.keys)
            where try Self.differ(before[key], after[key]) {
                merged[key] = after[key]
            }
            try PropertyListSerialization.data(fromPropertyList: merged, format: .xml, options: 0)
                .write(to: URL(filePath: path), options: .atomic)
        }
    }

    /// Returns the names of the lists in a folder, which most apps do not have.
    private static func names(in folder: String) -> [String] {
        access(folder, F_OK) == 0 ? Localization.names(in: folder).filter { $0.hasSuffix(utf8: suffix) } : []
    }

    /// Returns the contents of a file; nil if it does not exist.
    ///
    /// - Throws: An error if the file exists but cannot be read.
    private static func contents(_ path: String) throws -> Data? {
        if access(path, F_OK) != 0, errno == ENOENT { return nil }
        return try Data(contentsOf: URL(filePath: path))
    }

    private static func values(_ list: Data?) throws -> [String: Any] {
        guard let list, !list.isEmpty else { return [:] }
        return try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any] ?? [:]
    }

    private static func differ(_ one: Any?, _ other: Any?) throws -> Bool {
        let lists = try [one, other].map { value in
            try PropertyListSerialization.data(fromPropertyList: [value].compactMap(\.self), format: .xml, options: 0)
        }
        return lists[0] != lists[1]
    }
}

extension RunEnding {
    /// The ending of a run that failed.
    init(failure error: any Error) {
        self.init(.threw(message: ErrorMessage.of(error)))
        result.details = RunDetails(code: ErrorMessage.code(of: error), failedCall: ErrorCause.failedCall(of: error))
    }
}

extension KeptDefaults {
    /// Keeps the run's changes. Returns the ending, or a failure if the changes cannot be kept.
    func saved(_ ending: RunEnding) -> RunEnding {
        do {
            try save()
            return ending
        } catch {
            return RunEnding(failure: RunError("cannot keep the values of UserDefaults: \(ErrorMessage.of(error))"))
        }
    }
}
