import Glibc
import IntentConfiguration
import IntentLinux

/// The range of ids that the operator's files name, as intentd-starter asks for it.
enum ConfiguredRange {
    /// Prints it, or why none can be used; returns the exit code.
    static func tell(_ arguments: [String]) -> Int32 {
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
            print(range.text)
            return 0
        } catch {
            print("\(error)")
            return 1
        }
    }
}
