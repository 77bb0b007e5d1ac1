import Foundation
import Glibc
import Testing

/// Host names with which ssh connects to this machine, each with the socket of a private daemon.
///
/// ssh starts `sshd -i` for each connection, with keys that exist for one test, and speaks to it through a pipe: a real
/// login, and no port.
final class SSHHosts {
    let folder: TemporaryFolder
    private static let sshd = "/usr/sbin/sshd"

    /// - Parameter hosts: The sockets of the hosts by name; nil for a host without intentctl.
    init(_ hosts: [String: String?]) throws {
        folder = try TemporaryFolder()
        try Self.requireServer()
        // As root, sshd refuses to start without this folder, which Debian's service creates when it starts.
        if geteuid() == 0 {
            try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
        }
        for key in ["host", "user"] {
            let made = try Command(
                URL(fileURLWithPath: "/usr/bin/ssh-keygen"),
                ["-q", "-t", "ed25519", "-N", "", "-f", path(key)]
            )
            try #require(made.exitCode() == 0, "\(made.errors)")
        }
        let keys = folder.text("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
        try write(folder.text("user.pub"), "authorized")
        try write(hosts.keys.map { "\($0) \(keys)\n" }.joined(), "known")
        var configuration = ""
        for (name, socket) in hosts {
            try add(name, socket)
            configuration += """
                Host \(name)
                    ProxyCommand \(Self.sshd) -i -E \(path("log-\(name)")) -f \(path("sshd-\(name)"))
                    IdentityFile \(path("user"))
                    IdentitiesOnly yes
                    UserKnownHostsFile \(path("known"))
                    StrictHostKeyChecking yes

                """
        }
        try write(configuration, "ssh_config")
        try write("#!/bin/sh\nexec /usr/bin/ssh -F \(path("ssh_config")) \"$@\"\n", "ssh")
        chmod(path("ssh"), 0o755)
    }

    private static func requireServer() throws {
        if access(sshd, X_OK) != 0 { try skipTest("\(sshd) is missing: install openssh-server") }
    }

    private func add(_ name: String, _ socket: String?) throws {
        let programs = socket == nil ? "" : Programs.intentctl.deletingLastPathComponent().path + ":"
        try write(
            """
            HostKey \(path("host"))
            AuthorizedKeysFile \(path("authorized"))
            PidFile none
            UsePAM no
            StrictModes no
            PermitRootLogin yes
            PasswordAuthentication no
            SetEnv PATH=\(programs)/usr/bin:/bin INTENTD_SOCKET=\(socket ?? "none")

            """,
            "sshd-\(name)"
        )
    }

    private func path(_ name: String) -> String { folder.appending(name).path }

    private func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: folder.appending(name)) }

    /// Starts `intentctl`, with the ssh that reaches the hosts.
    func start(
        _ arguments: [String],
        input: URL? = nil,
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws -> Command {
        try Command(
            Programs.intentctl,
            arguments,
            environment: ["INTENTD_SSH": path("ssh"), "TMPDIR": folder.url.path].merging(environment) { $1 },
            input: input,
            directory: directory ?? folder.url
        )
    }

    /// The command of a shell that starts `intentctl`, with the ssh that reaches the hosts.
    var commandLine: String {
        "INTENTD_SSH='\(path("ssh"))' TMPDIR='\(folder.url.path)' '\(Programs.intentctl.path)'"
    }

    /// Runs `intentctl` until it exits.
    func intentctl(_ arguments: String..., input: URL? = nil) throws -> (code: Int32, output: String, errors: String) {
        let command = try start(arguments, input: input)
        let code = command.exitCode()
        return (code, command.output, command.errors)
    }

    /// The ssh process of a running intentctl.
    static func ssh(of command: Command) throws -> Int32 {
        var found: Int32?
        try eventually("intentctl has an ssh; it printed: \(command.errors)") {
            found = ProcessFamily.children(of: command.number).first { $0.value == "ssh" }?.key
            return found != nil
        }
        return try #require(found)
    }

    /// The servers on hosts that are clients of the daemon at this socket.
    static func servers(of socket: String) -> [Int32] {
        ProcessFamily.named("intentd-web").filter { process in
            ProcessFamily.environment(of: process).contains("INTENTD_SOCKET=\(socket)"[...])
        }
    }
}
