import Glibc
import IntentConfiguration
import IntentLinux
import IntentSystemd

/// The program `intentd-fleet`: the service, and the commands of `intentctl fleet`.
package enum FleetProgram {
    package static func run() -> Int32 {
        let arguments = CommandLineWords.read()
        if let word = arguments.first, let command = AdminCommand(rawValue: word) {
            return command.run(Array(arguments.dropFirst()))
        }
        if arguments.contains("--help") {
            print(ServiceArguments.usage)
            return 0
        }
        let journal = Journal(identifier: "intentd-fleet")
        do {
            return try serve(ServiceArguments(arguments), journal)
        } catch let error as UsageError {
            journal.write(.error, "\(error)\n\(ServiceArguments.usage)")
            return 64
        } catch let error as ConfigurationProblem {
            journal.write(.error, "\(error)")
            return 78
        } catch {
            journal.write(.error, "cannot start: \(error)")
            return 1
        }
    }

    private static func serve(_ arguments: ServiceArguments, _ journal: Journal) throws -> Int32 {
        try ProcessFacts.block([SIGTERM, SIGINT, SIGHUP, SIGPIPE])
        // The connection strings may contain passwords.
        try ProcessFacts.forbidInspection()
        // Each run that this host performs has a connection to intentd.
        try ProcessFacts.raiseDescriptorLimit(to: 16_384)
        let settings = try ServiceArguments.settings(at: arguments.configuration)
        let loop = try EventLoop()
        let service = try FleetService(arguments, settings, on: loop, journal: journal)
        try service.start(arguments, sockets: try sockets(arguments, journal))
        let code = try loop.run()
        service.finish()
        return code
    }

    private static func sockets(_ arguments: ServiceArguments, _ journal: Journal) throws -> [SharedFileDescriptor] {
        if let path = arguments.socket {
            let socket = SharedFileDescriptor(try UnixSocket.listen(.stream, at: path, permissions: 0o660))
            try socket.setNonblocking()
            return [socket]
        }
        let passed = try SocketActivation.receiveSockets()
        for socket in passed {
            if let problem = socket.problem { journal.write(.error, "ignored a socket from systemd: \(problem)") }
        }
        let usable = passed.filter { $0.problem == nil }.map(\.socket)
        guard !usable.isEmpty else {
            throw UsageError("no socket for clients. Start intentd-fleet.socket, or add --socket.")
        }
        return usable
    }
}
