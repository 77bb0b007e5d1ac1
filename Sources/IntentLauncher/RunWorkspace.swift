import IntentLinux
import IntentSandbox
import IntentWire

/// A run's writable folder, and its cgroup if the host has cgroups.
///
/// The folder and the cgroup have the same number. pid 1 of the sandbox uses it to find the run that owns a folder. A
/// workspace that is clean after a run serves another run of the app, because creating and removing a workspace takes
/// the kernel longer than the rest of a launch.
struct RunWorkspace {
    /// The number of the first slot that used the workspace.
    let number: UInt64
    let directory: RunDirectory
    /// Nil on a host without cgroups, and after the leaf was removed.
    var leaf: CgroupLeaf?

    init(number: UInt64, directory: RunDirectory, leaf: CgroupLeaf?) {
        self.number = number
        self.directory = directory
        self.leaf = leaf
    }

    /// Creates a workspace. Removes the leaf if that fails.
    ///
    /// - Parameter user: The owner of the folder; nil: the launcher's user.
    init(for slot: SlotID, in folder: String, of user: UInt32?, _ leaf: CgroupLeaf?) throws(SystemError) {
        do throws(SystemError) {
            let path = "\(folder)/\(Self.directoryName(slot.number))"
            self.init(number: slot.number, directory: try RunDirectory(at: path, for: user), leaf: leaf)
        } catch {
            leaf?.remove()
            throw error
        }
    }

    static func leafName(_ number: UInt64) -> String { "run-\(number)" }

    /// A folder name that other runs cannot guess.
    ///
    /// Runs of one app share a user, and the kernel permits each of them to read and change every folder that it can
    /// name.
    static func directoryName(_ number: UInt64) -> String {
        let secret = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        return "\(number)-\(secret)"
    }

    /// Removes the leaf, which has no processes. If that fails, ``remove()`` tries again.
    mutating func removeLeaf() {
        if leaf?.remove() == true { leaf = nil }
    }

    /// Prepares the workspace for another run; false if the previous run left files or processes.
    func renew() -> Bool {
        guard leaf?.canServeAgain ?? true, directory.isAsNew else { return false }
        // The previous run knows the old name, so rename the folder.
        return (try? directory.rename(to: Self.directoryName(number))) != nil
    }

    /// - Returns: A child that removes a large folder, for the caller to reap; nil when the folder is already removed.
    @discardableResult
    func remove() -> Int32? {
        leaf?.remove()
        return directory.remove()
    }
}
