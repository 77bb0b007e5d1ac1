import Glibc
import IntentHosts
import IntentLinux

/// A remote host, reached over ssh, on which a command acts.
struct RemoteHost: Sendable {
    /// The remote host of the current command; nil if the command acts on this host.
    @TaskLocal static var current: RemoteHost?

    let name: HostName
    private let connection: HostConnection

    /// Starts ssh, and shows the state of its link on standard error.
    init(_ name: HostName, _ invocation: Invocation) throws(IntentClientError) {
        self.name = name
        let display = RemoteHostDisplay(host: name)
        connection = try HostConnection(
            HostConnection.Options(
                host: name.text,
                program: environmentText("INTENTD_SSH") ?? "ssh",
                arguments: Self.arguments,
                command: Self.command(invocation),
                software: Invocation.software
            )
        ) { display.show($0) }
    }

    /// Opens a connection to intentd on the other host.
    func open() throws(IntentClientError) -> SharedFileDescriptor { try connection.open() }

    /// Connects a client's non-blocking socket to intentd on the other host.
    func serve(_ socket: SharedFileDescriptor) throws(IntentClientError) { try connection.open(for: socket) }

    /// Ends the session with the host.
    ///
    /// - Returns: `code`, or ``ExitCode/unavailable`` if the command succeeded but its changes to files were lost.
    func close(_ code: ExitCode) -> ExitCode {
        connection.close()
        return code == .done && connection.hasLostChanges ? .unavailable : code
    }

    /// Returns the ssh command line for intentctl on a host. `intentd-web` can append a command, because ssh joins its
    /// arguments with spaces.
    static func client(at name: HostName, _ invocation: Invocation) -> [String] {
        [environmentText("INTENTD_SSH") ?? "ssh"] + arguments + ["--", name.text, program(invocation)]
    }

    /// The ssh options. The user's configuration applies, except for settings that would disturb the session.
    private static var arguments: [String] {
        // Prevent ssh from asking questions that no user can answer, because there is no terminal.
        let batch = Console.errorIsTerminal ? [] : ["-o", "BatchMode=yes"]
        // A dead link is detected after 45 s.
        let life = ["-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"]
        return batch + life + ["-T", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none"]
    }

    /// Returns the command to run on the remote host.
    private static func command(_ invocation: Invocation) -> String { program(invocation) + " web --stdio" }

    /// Returns the intentctl command line for the remote host, without a command. `--socket` and `--user` select the
    /// daemon there.
    static func program(_ invocation: Invocation) -> String {
        (["intentctl"] + invocation.daemonOptions).map(ShellWord.quote).joined(separator: " ")
    }
}
