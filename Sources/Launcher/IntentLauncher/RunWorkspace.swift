import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox

/// A run's writable folder, and its cgroup if the host has cgroups.
///
/// The names of the folder and the cgroup contain the same number. Pid 1 of the sandbox uses the number to determine
/// which run owns a folder. A workspace that is clean after a run is reused for another run of the app, because
/// creating and removing a workspace takes longer than all other steps of a launch.
final class RunWorkspace {
    /// The number of the first slot that used the workspace, or another unused number if names with the slot's number
    /// existed.
    private(set) var number: UInt64
    let directory: RunFolder
    /// The run's cgroup; nil on a host without cgroups, and once the leaf has been removed.
    private(set) var leaf: CgroupLeaf?
    private var owner: WorkspaceOwner
    /// The run's own root; nil if the run uses the root of the sandbox.
    private var root: (number: UInt64, roots: SandboxRoots)?

    private init(number: UInt64, directory: RunFolder, leaf: CgroupLeaf?, owner: WorkspaceOwner) {
        self.number = number
        self.directory = directory
        self.leaf = leaf
        self.owner = owner
    }

    /// Creates a workspace from a leaf and a new folder. Removes the leaf if the folder cannot be created.
    ///
    /// - Parameters:
    ///   - user: The uid that owns the folder; nil for the launcher's user.
    ///   - number: The number in the leaf's name; nil for the slot's number.
    convenience init(
        for slot: SlotID,
        in folder: String,
        of user: UInt32?,
        _ leaf: CgroupLeaf?,
        numbered number: UInt64? = nil
    ) throws(SystemError) {
        let number = number ?? slot.number
        do throws(SystemError) {
            let directory = try RunFolder(at: "\(folder)/\(Self.directoryName(number))", for: user)
            self.init(number: number, directory: directory, leaf: leaf, owner: .slot(slot))
        } catch {
            leaf?.remove()
            throw error
        }
    }

    /// Adopts the workspace of a slot from the replaced program.
    convenience init(adopting directory: RunFolder, _ leaf: CgroupLeaf?, of slot: SlotID) {
        let number = directory.name.split(scalar: "-").first.flatMap { UInt64($0) } ?? slot.number
        self.init(number: number, directory: directory, leaf: leaf, owner: .slot(slot))
    }

    // MARK: Names

    /// Creates a leaf in the sandbox's cgroup. See ``numbered(_:_:)``.
    static func makeLeaf(
        _ number: UInt64,
        in group: CgroupGroup,
        _ limits: CgroupLeaf.Limits
    ) throws(SystemError) -> (number: UInt64, leaf: CgroupLeaf) {
        let made = try numbered(number) { name throws(SystemError) in try group.makeLeaf(named: name) }
        made.leaf.limit(limits)
        return made
    }

    /// Creates a leaf with this number. Uses other numbers if the name exists: a name that an earlier run left behind
    /// must not prevent a run.
    static func numbered(
        _ number: UInt64,
        _ make: (_ name: String) throws(SystemError) -> CgroupLeaf
    ) throws(SystemError) -> (number: UInt64, leaf: CgroupLeaf) {
        var number = number
        for _ in 0..<8 {
            do throws(SystemError) {
                return (number, try make("run-\(number)"))
            } catch {
                guard error.code.rawValue == EEXIST else { throw error }
                // Pid 1 of the sandbox reads the number as a signed integer. No slot has a number this high.
                number = UInt64.random(in: 1 << 61..<1 << 62)
            }
        }
        return (number, try make("run-\(number)"))
    }

    /// Returns a folder name that other runs cannot guess, and that therefore does not exist.
    ///
    /// All runs of the same app for the same user share a uid, so the kernel lets each run read and change every run
    /// folder that it can name.
    private static func directoryName(_ number: UInt64) -> String {
        let secret = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        return "\(number)-\(secret)"
    }

    // MARK: Root

    /// Makes the run's own root, unless an earlier run with the same number has left it.
    func makeRoot(by roots: SandboxRoots) throws(SystemError) {
        guard root?.number != number else { return }
        removeRoot()
        try roots.make(number, for: directory.name)
        root = (number, roots)
    }

    private func removeRoot() {
        if let root { root.roots.remove(root.number) }
        root = nil
    }

    // MARK: Owners

    /// Removes the leaf, which must not contain processes. If the removal fails, ``remove(from:)`` tries again.
    func removeLeaf(of slot: SlotID) {
        if owner == .slot(slot), leaf?.remove() == true { leaf = nil }
    }

    /// Passes the workspace of an ended run to its fork server. Returns false if the slot does not own the workspace,
    /// or if the run left files, or changed the leaf or the folder.
    func keep(from slot: SlotID) -> Bool {
        guard owner == .slot(slot), leaf?.isReusable ?? true, directory.isPristine else { return false }
        // The previous run may have disclosed the old name, so give the folder a new name.
        guard (try? directory.rename(to: Self.directoryName(number))) != nil else { return false }
        return owner.keep(from: slot)
    }

    /// Passes a workspace that the fork server kept to a new slot, with a leaf if the sandbox has cgroups.
    ///
    /// - Parameter group: The sandbox's cgroup; nil on a host without cgroups.
    /// - Returns: False if the workspace cannot be used: its leaf is frozen or contains a process, which the fork server
    ///   or an operator has moved into it.
    func take(
        for slot: SlotID,
        in group: CgroupGroup?,
        _ limits: CgroupLeaf.Limits
    ) throws(SystemError) -> Bool {
        guard owner == .forkServer, leaf?.isReady ?? true else { return false }
        if leaf == nil, let group {
            let made = try Self.makeLeaf(number, in: group, limits)
            leaf = made.leaf
            if made.number != number {
                try directory.rename(to: Self.directoryName(made.number))
                number = made.number
            }
        }
        return owner.take(for: slot)
    }

    /// The leaf that ``remove(from:)`` could not remove, because processes are left in it.
    var leftLeaf: CgroupLeaf? { owner == .removed ? leaf : nil }

    /// Removes the leaf and the folder, unless another owner has the workspace.
    ///
    /// - Returns: The process id of a child that removes a large folder, for the caller to reap. Nil if the folder is
    ///   already removed.
    @discardableResult
    func remove(from owner: WorkspaceOwner) -> Int32? {
        guard self.owner.remove(from: owner) else { return nil }
        removeRoot()
        if leaf?.remove() == true { leaf = nil }
        return directory.remove()
    }
}
