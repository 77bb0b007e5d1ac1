import Dispatch
import Glibc
import IntentLinux

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() {
        if CommandLineWords.program == ConfinedTool.demanglerName {
            return ConfinedTool.printReadableNames(CommandLineWords.read()[...])
        }
        // Ignore SIGPIPE, so that intentctl follows a run to its end even if the reader of its output exits.
        signal(SIGPIPE, SIG_IGN)
        // libdispatch requests priorities that only root may have (setpriority(2)), and reports each refusal with syslog(3),
        // which blocks while the journal hangs.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        let arguments = CommandLineWords.bytes
        // Before the first task: an `async` main would wait for its first thread before it executes any line.
        if let code = Program.checkThreads(arguments) { exit(code.rawValue) }
        Task { exit(await Program.run(arguments).rawValue) }
        dispatchMain()
    }
}
