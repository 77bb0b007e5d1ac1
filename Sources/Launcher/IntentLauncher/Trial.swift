import Glibc
import IntentLinux

/// The check that the launcher's program performs in the trial sandbox.
enum Trial {
    /// The name of the trial's run folder.
    static let run = "run"
    /// The command-line argument that makes the trial change the mode and times of files.
    static let metadata = "metadata"
    /// The exit code if pid 1 incorrectly allowed or refused a system call.
    static let failed: Int32 = 3

    static func exitCode(_ arguments: ArraySlice<String>) -> Int32 {
        guard arguments.first == metadata else { return 0 }
        return canChangeOnlyOwnMetadata ? 0 : failed
    }

    /// True if this process can change the mode and times of a file in the run folder, by path and by descriptor, but
    /// cannot change the mode of the run folder or of its parent folder.
    private static var canChangeOnlyOwnMetadata: Bool {
        let own = InsidePath.own
        let path = "\(own)/file"
        guard let file = try? File.open(path, O_RDWR | O_CREAT) else { return false }
        guard chmod(path, 0o640) == 0, fchmod(file.rawValue, 0o600) == 0, utimes(path, nil) == 0 else { return false }
        for other in [own, "/"] {
            guard chmod(other, 0o700) == -1, errno == EPERM else { return false }
        }
        return true
    }
}
