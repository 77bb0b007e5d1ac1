import Glibc
import IntentLinux
import IntentSystemd

/// The entry point of `intentd-egress`.
package enum EgressProgram {
    /// The option for a program that a launcher starts: descriptor 3 is the connection to it. The folder of its credentials
    /// follows.
    private static let connected = "--connected"

    /// The number of descriptors that this program requests. Each connection has two.
    private static let descriptorLimit: UInt = 65_536

    package static func run() -> Int32 {
        let arguments = CommandLineWords.read()
        let journal = Journal(identifier: "intentd-egress")
        guard arguments.isEmpty || arguments.count == 2 && arguments[0] == connected else {
            journal.write(
                .error,
                "usage: intentd-egress [--connected FOLDER]\nsystemd starts it as intentd-egress.service, and a private launcher itself."
            )
            return 64
        }
        do {
            return try run(folder: arguments.last, journal)
        } catch {
            journal.write(.error, "cannot start: \(error)")
            return 1
        }
    }

    private static func run(folder: String?, _ journal: Journal) throws -> Int32 {
        try ProcessFacts.block([SIGTERM, SIGINT, SIGPIPE])
        try ProcessFacts.forbidInspection()
        let loop = try EventLoop()
        try ProcessFacts.raiseDescriptorLimit(to: descriptorLimit)
        let credentials = folder.map(Credentials.at) ?? .ofService
        let egress = try Egress(on: loop, journal, credentials, descriptorLimit: ProcessFacts.descriptorLimit())
        if folder != nil {
            try egress.serve(SharedFileDescriptor(owning: 3)) { loop.exit(0) }
        } else {
            guard let socket = try SocketActivation.receiveSockets().first else {
                throw SystemError("sd_listen_fds", on: "intentd-egress.socket", code: Errno(rawValue: ENOENT))
            }
            // Exit without work. The next connection waits in the socket, and systemd starts the service again.
            try egress.listen(on: socket.socket) { loop.exit(0) }
        }
        let signals = [
            try loop.signal(SIGTERM) { loop.exit(0) },
            // Ignore Ctrl-C at a terminal: intentd receives the signal, too, and ends the launcher.
            try loop.signal(SIGINT) {},
        ]
        ServiceNotification.ready.send()
        return try withExtendedLifetime((egress, signals)) { try loop.run() }
    }
}
