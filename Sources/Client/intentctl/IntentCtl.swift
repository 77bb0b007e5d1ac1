import Glibc
import IntentLinux

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() async {
        if CommandLineWords.program == ConfinedTool.demanglerName {
            return ConfinedTool.printReadableNames(CommandLineWords.read()[...])
        }
        // Ignore SIGPIPE, so that intentctl follows a run to its end even if the reader of its output exits.
        signal(SIGPIPE, SIG_IGN)
        exit(await Program.run(CommandLineWords.bytes).rawValue)
    }
}
