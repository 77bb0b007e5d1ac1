import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox

/// The pairs of user ids that are assigned to the owners of sandboxes.
///
/// A pair is never assigned to another owner, because files with its ids may remain on the disk. Each assignment is
/// stored as a symbolic link from the pair's number to the owner's name. symlink(2) creates the link atomically, before
/// the first process runs with the ids. An account, with its subordinate ids, may have at most as many pairs as remain
/// free. All users of a fleet and all callers of realms together have one share. The users of one host or realm have at most
/// as many as then remain of this share, because a host or an issuer can invent users.
struct IDAssignments {
    /// The number of the trial sandbox's pair, which is the first pair.
    private static let trialNumber = 0

    let range: HostIDs
    /// The folder that contains the symbolic links; nil if the launcher keeps no sandbox files after it exits.
    private let folder: String?
    private var numbers: [String: Int] = [:]
    private var next = trialNumber + 1
    private var users: LocalUsers

    /// Reads the existing assignments from the folder.
    ///
    /// - Throws: ``SystemError``.
    init(_ range: HostIDs, in folder: String?, users: LocalUsers = LocalUsers()) throws(SystemError) {
        self.range = range
        self.users = users
        self.folder = folder
        guard let folder else { return }
        try File.makeFolders(folder, permissions: 0o700)
        for name in try File.names(in: folder) {
            guard let number = Int(name), number > Self.trialNumber else { continue }
            numbers[try File.readLink("\(folder)/\(name)")] = number
            next = max(next, number + 1)
        }
    }

    var trial: SandboxIDs { range.pair(Self.trialNumber) }

    /// Returns the owner's ids. Assigns a new pair if the owner does not have one yet.
    ///
    /// - Parameter isShared: True if all users of the app share its state folder, and therefore its ids.
    mutating func ids(of owner: SandboxOwner, isShared: Bool) throws -> SandboxIDs {
        let name = Self.name(of: owner, isShared: isShared)
        if let number = numbers[name] {
            // Refuse a pair outside the range, which the operator may have reduced since the assignment.
            guard number < range.pairCount else { throw Self.full(range) }
            return range.pair(number)
        }
        guard hasShare(owner, isShared: isShared) else { throw Self.full(range, for: owner) }
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

    /// Returns true if the account that pays for the owner may have another pair.
    private mutating func hasShare(_ owner: SandboxOwner, isShared: Bool) -> Bool {
        guard let user = owner.userName, !isShared else { return true }
        users.update()
        let payer = SandboxPayer(user, users.subordinates)
        let payers = numbers.keys.compactMap { $0.split(scalar: "/", maxSplits: 1).last }
            .map { SandboxPayer(String($0), users.subordinates) }
        let own = payers.count { $0 == payer }
        let free = range.pairCount - next
        guard payer.host != nil else { return own < free }
        return own < free - payers.count { $0.host != nil }
    }

    private static func full(_ range: HostIDs, for owner: SandboxOwner) -> UnmetRequirement {
        UnmetRequirement(
            """
            the account, the fleet host or the realm of user \(owner.userName ?? "0") has as many pairs of user ids as are left for it \
            of IdRange=\(range.text). Raise IdRange= in intentd.conf.
            """
        )
    }

    private static func full(_ range: HostIDs) -> UnmetRequirement {
        UnmetRequirement(
            """
            all \(range.pairCount) pairs of user ids, which start at \(range.first), are assigned, and a pair is never \
            reassigned. Raise IdRange= in intentd.conf.
            """
        )
    }

    /// Writes an assignment to the disk. Returns false if the pair is already assigned to another owner.
    private func write(_ number: Int, _ name: String) throws(SystemError) -> Bool {
        guard let folder else { return true }
        let path = "\(folder)/\(number)"
        guard try syscall("symlink", on: path, nilOn: EEXIST, { symlink(name, path) }) != nil else { return false }
        let directory = try File.open(folder, O_RDONLY | O_DIRECTORY)
        let number = directory.rawValue
        try syscall("fsync", on: folder) { fsync(number) }
        return true
    }
}

extension HostIDs {
    fileprivate var pairCount: Int { Int(count / 2) }

    /// Returns the pair with this number, which must be less than ``pairCount``.
    fileprivate func pair(_ number: Int) -> SandboxIDs {
        let id = first + 2 * UInt32(number)
        return SandboxIDs(initProcess: id, app: id + 1)
    }
}
