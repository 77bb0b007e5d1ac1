import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLinux

/// Prints the configured range of ids for intentd-starter.
enum ConfiguredRange {
    /// Prints the range, or the reason why no range is usable. Returns the exit code.
    static func print(_ arguments: [String]) -> Int32 {
        do {
            let arguments = try LauncherArguments(arguments)
            let standard: HostIDs =
                switch arguments.supervisorSocket {
                case .listen, .handed: .forService
                case .connected: .forRoot
                }
            let settings = arguments.installation.daemon(on: .kernel)
            let range = try HostIDs.forSandboxes(settings, standard: standard) { path in
                try? File.text(at: path, limit: 1 << 24)
            }
            Swift.print(range.text)
            return 0
        } catch {
            Swift.print("\(error)")
            return 1
        }
    }
}
