import Glibc
import IntentLinux

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() async {
        if CommandLine.arguments.first == ConfinedTool.demanglerName {
            return ConfinedTool.printReadableNames(CommandLine.arguments.dropFirst())
        }
        // Ignore SIGPIPE, so that write(2) fails for a closed pipe instead. The run must be followed until it ends.
        signal(SIGPIPE, SIG_IGN)
        exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
