import Glibc
import IntentConfiguration
import IntentLinux
import IntentSystemd

/// The entry point of `intentd-launcher`.
package enum LauncherProgram {
    package static func run() -> Int32 {
        let arguments = CommandLineWords.read()
        // The launcher executes this program in the trial sandbox. If the program starts, most of the trial has
        // succeeded.
        if arguments.first == LauncherArguments.trial { return Trial.exitCode(arguments.dropFirst()) }
        // The running launcher checks whether this program can take over its state.
        if arguments.count == 2, arguments[0] == LauncherArguments.takesOver {
            return Int(arguments[1]).map(LauncherState.canRead) == true ? 0 : 1
        }
        // intentd-starter reads the configured range of ids from the output.
        if arguments.first == LauncherArguments.printsIDRange {
            return ConfiguredRange.print(Array(arguments.dropFirst()))
        }
        let journal = Journal(identifier: "intentd-launcher")
        do {
            return try run(LauncherArguments(arguments), journal)
        } catch let error as UsageError {
            journal.write(.error, "\(error)\n\(LauncherArguments.usage)")
            return 64
        } catch {
            journal.write(.error, "cannot start: \(error)")
            return 1
        }
    }

    private static func run(_ arguments: LauncherArguments, _ journal: Journal) throws -> Int32 {
        try ProcessFacts.block([SIGCHLD, SIGTERM, SIGINT, SIGPIPE])
        try ProcessFacts.forbidInspection()
        try ProcessFacts.adoptOrphans()
        let loop = try EventLoop()
        let state = try arguments.resumedDescriptor.map { try LauncherState(in: SharedFileDescriptor(owning: $0)) }
        let launcher = try Launcher(arguments, after: state, on: loop, journal: journal)
        try launcher.start(arguments, after: state)
        let code = try loop.run()
        launcher.finish()
        return code
    }
}
