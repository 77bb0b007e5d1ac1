import Glibc
import IntentLinux
import IntentSystemd

/// Serves the web page to the user's browser. `intentctl web` starts this program.
@main
struct IntentdWeb {
    static func main() {
        do {
            let arguments = try WebArguments(CommandLineWords.read())
            // Block these signals before any thread starts, because the loop receives them through a descriptor.
            try ProcessFacts.block([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
            _ = signal(SIGPIPE, SIG_IGN)
            if let collector = arguments.collector { exit(try TraceExport(arguments, to: collector).run()) }
            if arguments.listener == .standardStreams, try SessionChannel.servesKnownSession() { exit(0) }
            let server = try WebServer(arguments)
            exit(try server.run())
        } catch let error as WebUsageError {
            report("\(error)")
            for line in WebArguments.usageLines { WebConsole.note(line) }
            exit(64)
        } catch let error as WebSessionError {
            report("\(error)")
            exit(78)
        } catch let error as WebServiceError {
            report("\(error)")
            // EX_CONFIG: systemd does not start the service again.
            exit(78)
        } catch let error as SystemError where error.code.rawValue == EADDRINUSE {
            report("cannot start: \(error). Choose another --port or --listen-socket, or omit it for any free port.")
            exit(1)
        } catch {
            report("cannot start: \(error)")
            exit(1)
        }
    }

    private static func report(_ text: String) { WebConsole.note("intentd-web: \(text)") }
}
