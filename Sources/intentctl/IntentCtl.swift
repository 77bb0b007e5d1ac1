import Glibc

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() async {
        // A closed pipe becomes an error of write(2), not a signal: the run must still be followed to its end.
        signal(SIGPIPE, SIG_IGN)
        exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
