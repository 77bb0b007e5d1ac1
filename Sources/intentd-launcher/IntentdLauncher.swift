import Glibc
import IntentConfiguration
import IntentLinux
import IntentSystemd

/// Starts sandboxed workers for `intentd`, and reports how they ended.
@main
struct IntentdLauncher {
    static func main() {
        // In the sandbox of a trial: that the program starts is most of the test.
        if CommandLine.arguments.dropFirst().first == LauncherArguments.trial {
            exit(Trial.exitCode(CommandLine.arguments.dropFirst(2)))
        }
        // Started by the launcher that this program is to replace.
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == LauncherArguments.takesOver {
            exit(Int(CommandLine.arguments[2]).map(LauncherState.understands) == true ? 0 : 1)
        }
        // Started by intentd-starter, which needs the configured ids.
        if CommandLine.arguments.dropFirst().first == LauncherArguments.tellsIDRange {
            exit(ConfiguredRange.tell(Array(CommandLine.arguments.dropFirst(2))))
        }
        let journal = Journal(identifier: "intentd-launcher")
        do {
            let arguments = try LauncherArguments(Array(CommandLine.arguments.dropFirst()))
            try ProcessFacts.block([SIGCHLD, SIGTERM, SIGINT, SIGPIPE])
            try ProcessFacts.forbidInspection()
            try ProcessFacts.adoptOrphans()
            let loop = try EventLoop()
            let state = try arguments.resumedDescriptor.map { try LauncherState(in: SharedFileDescriptor(owning: $0)) }
            let launcher = try Launcher(arguments, after: state, on: loop, journal: journal)
            try launcher.start(state)
            let code = try loop.run()
            launcher.finish()
            exit(code)
        } catch let error as UsageError {
            journal.write(.error, "\(error)\n\(LauncherArguments.usage)")
            exit(64)
        } catch {
            journal.write(.error, "cannot start: \(error)")
            exit(1)
        }
    }
}
