import IntentLinux
import IntentSandbox
import IntentWire

/// Where one run works: the folder in which it may write, and its cgroup if the host has cgroups.
///
/// The folder and the cgroup have the same number, by which pid 1 of the sandbox finds the run that a folder belongs
/// to. A place that is clean after a run serves another run of the app, because creating and removing one takes the
/// kernel longer than the rest of a launch.
struct RunPlace {
    /// The number of the first slot that had the place.
    let number: UInt64
    let directory: RunDirectory
    /// Nil on a host without cgroups, and after the removal of the leaf.
    var leaf: CgroupLeaf?

    init(number: UInt64, directory: RunDirectory, leaf: CgroupLeaf?) {
        self.number = number
        self.directory = directory
        self.leaf = leaf
    }

    /// Makes a new place. Removes the leaf if that fails.
    ///
    /// - Parameter user: The folder's owner; nil: the launcher's user.
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

    /// A name for the folder that other runs cannot guess.
    ///
    /// Runs of one app share a user: the kernel permits each to see and change a folder that it can name.
    static func directoryName(_ number: UInt64) -> String {
        let secret = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        return "\(number)-\(secret)"
    }

    /// Removes the leaf, which has no processes left. If that fails now, the leaf is removed with the place.
    mutating func removeLeaf() {
        if leaf?.remove() == true { leaf = nil }
    }

    /// Prepares the place for another run; false if the previous run left something behind.
    func renew() -> Bool {
        guard leaf?.canServeAgain ?? true, directory.isAsNew else { return false }
        // The earlier run knows the old name, so the folder gets a new one.
        return (try? directory.rename(to: Self.directoryName(number))) != nil
    }

    /// - Returns: A child that removes a large folder, for the caller to reap; nil when the folder is already removed.
    @discardableResult
    func remove() -> Int32? {
        leaf?.remove()
        return directory.remove()
    }
}
