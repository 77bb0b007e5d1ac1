import Glibc

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() async {
        // Turn a closed pipe into an error of write(2) instead of a signal: the run must be followed to its end.
        signal(SIGPIPE, SIG_IGN)
        exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
