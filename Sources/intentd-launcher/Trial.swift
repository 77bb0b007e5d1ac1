import Glibc
import IntentLinux

/// What this program does in the sandbox that a launcher tries out.
enum Trial {
    /// Its folder, below that of all runs.
    static let run = "run"
    /// The argument that asks for more than to be started.
    static let metadata = "metadata"
    /// Its exit code when a call was not answered as it must be.
    static let failed: Int32 = 3

    static func exitCode(_ arguments: ArraySlice<String>) -> Int32 {
        guard arguments.first == metadata else { return 0 }
        return isAskedAboutMetadata ? 0 : failed
    }

    /// True when mode and times of its own files can be changed, by path and by descriptor, and of no others.
    private static var isAskedAboutMetadata: Bool {
        let own = "\(InsidePath.runs)/\(run)"
        let path = "\(own)/file"
        guard let file = try? File.open(path, O_RDWR | O_CREAT) else { return false }
        guard chmod(path, 0o640) == 0, fchmod(file.rawValue, 0o600) == 0, utimes(path, nil) == 0 else { return false }
        for other in [own, InsidePath.runs] {
            guard chmod(other, 0o700) == -1, errno == EPERM else { return false }
        }
        return true
    }
}
