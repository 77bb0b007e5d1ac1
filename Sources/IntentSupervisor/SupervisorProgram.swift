import Glibc
import IntentConfiguration
import IntentLinux
import IntentSystemd

/// `intentd` as a program: from its arguments to its exit code.
package enum SupervisorProgram {
    package static func run(_ arguments: [String]) -> Int32 {
        let journal = Journal(identifier: "intentd")
        do {
            let arguments = try SupervisorArguments(arguments)
            // Before any other thread: blocked signals are the loop's to take.
            try ProcessFacts.block([SIGTERM, SIGINT, SIGPIPE])
            try ProcessFacts.forbidInspection()
            let loop = try EventLoop()
            let launcher = try LauncherProcess(arguments)
            let supervisor = try Supervisor(options(for: arguments, launcher.socket), on: loop, journal: journal)
            try supervisor.assumeIsolated { try $0.start() }
            let code = try loop.run()
            launcher.end()
            return code
        } catch let error as UsageError {
            journal.write(.error, "\(error)\n\(SupervisorArguments.usage)")
            return 64
        } catch {
            journal.write(.error, "cannot start: \(error)")
            return 1
        }
    }

    private static func options(
        for arguments: SupervisorArguments,
        _ launcher: SharedFileDescriptor
    ) throws -> SupervisorOptions {
        var options = SupervisorOptions(installation: arguments.installation, launcher: launcher)
        switch arguments.door {
        case .activation(let fallbackPath):
            options.listeners = try SocketActivation.takeSockets()
            if options.listeners.isEmpty { options.listeners = [try listen(at: fallbackPath)] }
        case .listen(let path): options.listeners = [try listen(at: path)]
        case .connected(let descriptor): options.onlyClient = SharedFileDescriptor(owning: descriptor)
        }
        return options
    }

    private static func listen(at path: String) throws -> SharedFileDescriptor {
        if (try? UnixSocket.connect(.stream, to: path)) != nil {
            throw UsageError("another intentd serves at '\(path)'. Stop it first, or name another --socket.")
        }
        // The file of one that is gone.
        _ = unlink(path)
        let socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o660))
        try socket.setNonblocking()
        return socket
    }
}
