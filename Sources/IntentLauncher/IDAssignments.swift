import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentWire

/// The pair of user ids that each owner of sandboxes has.
///
/// A pair is assigned permanently, because files with its ids may remain. The assignment is on disk before the first
/// process has the ids: a symbolic link from the pair's number to the owner's name. symlink(2) creates it atomically.
struct IDAssignments {
    /// The first pair is for the trial sandbox.
    private static let trialNumber = 0

    let range: HostIDs
    /// Nil if the assignments, and all files of sandboxes, end with the launcher.
    private let folder: String?
    private var numbers: [String: Int] = [:]
    private var next = trialNumber + 1

    /// Reads the assignments from the folder.
    ///
    /// - Throws: ``SystemError``.
    init(_ range: HostIDs, in folder: String?) throws(SystemError) {
        self.range = range
        self.folder = folder
        guard let folder else { return }
        try File.makeFolders(folder, permissions: 0o700)
        for name in try File.names(in: folder) {
            guard let number = Int(name), number > Self.trialNumber else { continue }
            numbers[try File.target(ofLink: "\(folder)/\(name)")] = number
            next = max(next, number + 1)
        }
    }

    var trial: SandboxIDs { range.pair(Self.trialNumber) }

    /// The owner's ids. Assigns a pair to an owner that has none.
    ///
    /// - Parameter isShared: True if the users of the app share its state folder, and therefore its ids.
    mutating func ids(of owner: SandboxOwner, isShared: Bool) throws -> SandboxIDs {
        let name = Self.name(of: owner, isShared: isShared)
        if let number = numbers[name] {
            // The operator has reduced the range.
            guard number < range.pairCount else { throw Self.full(range) }
            return range.pair(number)
        }
        while next < range.pairCount {
            let number = next
            next += 1
            guard try write(number, name) else { continue }
            numbers[name] = number
            return range.pair(number)
        }
        throw Self.full(range)
    }

    private static func name(of owner: SandboxOwner, isShared: Bool) -> String {
        guard let user = owner.userName else { return "\(owner.app)/describe" }
        return "\(owner.app)/\(isShared ? "shared" : user)"
    }

    private static func full(_ range: HostIDs) -> UnmetNeed {
        UnmetNeed(
            """
            all \(range.pairCount) pairs of user ids from \(range.first) on are assigned, and a pair is never \
            assigned twice. Raise IdRange= in intentd.conf.
            """
        )
    }

    /// Writes an assignment; false if another owner has the number.
    private func write(_ number: Int, _ name: String) throws(SystemError) -> Bool {
        guard let folder else { return true }
        let path = "\(folder)/\(number)"
        do throws(SystemError) {
            try syscall("symlink", on: path) { symlink(name, path) }
        } catch {
            if error.code.rawValue == EEXIST { return false }
            throw error
        }
        let directory = try File.open(folder, O_RDONLY | O_DIRECTORY)
        let number = directory.rawValue
        try syscall("fsync", on: folder) { fsync(number) }
        return true
    }
}

extension HostIDs {
    fileprivate var pairCount: Int { Int(count / 2) }

    /// - Parameter number: Less than ``pairCount``.
    fileprivate func pair(_ number: Int) -> SandboxIDs {
        let id = first + 2 * UInt32(number)
        return SandboxIDs(initProcess: id, app: id + 1)
    }
}
