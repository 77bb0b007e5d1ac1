import Glibc

/// Performs intents from a command line.
@main
struct IntentCtl {
    static func main() async {
        // Ignore SIGPIPE, so that a closed pipe causes an error of write(2) instead. The run must be followed until its
        // end.
        signal(SIGPIPE, SIG_IGN)
        exit(await Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
