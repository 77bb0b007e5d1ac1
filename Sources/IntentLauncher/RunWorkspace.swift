import IntentLinux
import IntentSandbox
import IntentWire

/// A run's writable folder, and its cgroup if the host has cgroups.
///
/// The names of the folder and the cgroup contain the same number. Pid 1 of the sandbox uses the number to determine
/// which run owns a folder. A workspace that is clean after a run is reused for another run of the app, because
/// creating and removing a workspace takes longer than all other steps of a launch.
struct RunWorkspace {
    /// The number of the first slot that used the workspace.
    let number: UInt64
    let directory: RunFolder
    /// The run's cgroup; nil on a host without cgroups, and once the leaf has been removed.
    var leaf: CgroupLeaf?

    static func leafName(_ number: UInt64) -> String { "run-\(number)" }

    /// Returns a folder name that other runs cannot guess.
    ///
    /// All runs of the same app for the same user share a uid, so the kernel lets each run read and change every run
    /// folder that it can name.
    static func directoryName(_ number: UInt64) -> String {
        let secret = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        return "\(number)-\(secret)"
    }

    /// Removes the leaf, which must not contain processes. If the removal fails, ``remove()`` tries again.
    mutating func removeLeaf() {
        if leaf?.remove() == true { leaf = nil }
    }

    /// Prepares the workspace for another run. Returns false if the previous run left files, or changed the leaf or the
    /// folder.
    func prepareForReuse() -> Bool {
        guard leaf?.isReusable ?? true, directory.isPristine else { return false }
        // The previous run may have disclosed the old name, so give the folder a new name.
        return (try? directory.rename(to: Self.directoryName(number))) != nil
    }

    /// Removes the leaf and the folder.
    ///
    /// - Returns: The process id of a child that removes a large folder, for the caller to reap. Nil if the folder is
    ///   already removed.
    @discardableResult
    func remove() -> Int32? {
        leaf?.remove()
        return directory.remove()
    }
}

extension RunWorkspace {
    /// Creates a workspace from a leaf and a new folder. Removes the leaf if the folder cannot be created.
    ///
    /// - Parameter user: The uid that owns the folder; nil for the launcher's user.
    init(for slot: SlotID, in folder: String, of user: UInt32?, _ leaf: CgroupLeaf?) throws(SystemError) {
        do throws(SystemError) {
            let path = "\(folder)/\(Self.directoryName(slot.number))"
            self.init(number: slot.number, directory: try RunFolder(at: path, for: user), leaf: leaf)
        } catch {
            leaf?.remove()
            throw error
        }
    }
}
