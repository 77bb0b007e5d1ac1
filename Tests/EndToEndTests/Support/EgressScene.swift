import Foundation
import Glibc
import Testing

/// A daemon with an /etc/hosts of its own and a command `Do` that runs a shell script with some grants.
struct EgressScene {
    let daemon: Daemon
    private let variables: String
    private let readable: String
    private let credentials: [String]

    /// - Parameters:
    ///   - certificate: A file with certificates that the clients in the sandbox trust.
    ///   - files: Files in the folder of the script, by name.
    ///   - credentials: The values of `Credential=`.
    ///   - secrets: The credentials of intentd-egress, by name. It trusts the certificate, too.
    ///   - otherApp: Adds the app `other` with the same command and grants.
    init(
        _ grants: String,
        hosts: [String],
        trusting certificate: String? = nil,
        files: [String: String] = [:],
        credentials: [String] = [],
        secrets: [String: String] = [:],
        otherApp: Bool = false,
        sharesLauncher: Bool = false,
        hasIPv6: Bool = true
    ) throws {
        daemon = try Daemon(
            sharesLauncher: sharesLauncher,
            hasOwnPrograms: sharesLauncher,
            hasIPv6: hasIPv6,
            hosts: ["127.0.0.1 localhost"] + hosts,
            variables: certificate.map { ["SSL_CERT_FILE=\($0)"] } ?? []
        )
        self.credentials = credentials
        for (name, secret) in secrets { try daemon.writeSecret(secret, as: name) }
        let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "PIP_CERT"]
        variables =
            certificate.map { file in "Environment=" + names.map { "\($0)=\(file)" }.joined(separator: " ") } ?? ""
        readable = certificate.map { "ReadPaths=\($0)" } ?? ""
        for (name, text) in files.merging(["do": "#!/bin/sh\neval \"$1\"\n"], uniquingKeysWith: { $1 }) {
            try Data(text.utf8).write(to: URL(filePath: file(name)))
            chmod(file(name), 0o755)
        }
        try write(grants)
        if otherApp { try write(grants, as: "other") }
    }

    /// The path of a file in the folder of the script.
    func file(_ name: String) -> String { daemon.folder.appending("bin/\(name)").path }

    func write(_ grants: String, as app: String = "tools") throws {
        _ = try daemon.writeCommands(
            """
            [Sandbox]
            Programs=system \(daemon.folder.appending("bin").path)
            \(grants.isEmpty ? "" : "AllowHosts=\(grants)")
            \(credentials.map { "Credential=\($0)" }.joined(separator: "\n"))
            MemoryMax=infinity
            \(readable)
            [App]
            \(variables)
            [Intent Do]
            Exec=\(file("do")) %{script}
            [Intent Do.Parameter script]
            """,
            as: app
        )
    }

    /// Adds a file of examples/commands as an app, with some words replaced.
    func addExample(_ name: String, replacing words: [(String, String)] = []) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(
                path: "examples/commands/\(name).intents"
            )
        var text = try String(contentsOf: file, encoding: .utf8)
        for (word, other) in words {
            try #require(text.contains(word), "the example has no '\(word)'")
            text = text.replacing(word, with: other)
        }
        _ = try daemon.writeCommands(text, as: name)
    }

    func start(_ script: String, in app: String = "tools") throws -> Command {
        try daemon.start(["run", "\(app)/Do", "--script", script])
    }

    func run(_ script: String, in app: String = "tools") throws -> (code: Int32, text: String) {
        let command = try start(script, in: app)
        let code = command.exitCode()
        // intentctl prints the output of a run on standard error.
        return (code, command.errors)
    }

    /// The process id of the daemon's intentd-egress.
    var egress: Int32? {
        let launchers = daemon.sharedLauncherNumber.map { [$0] } ?? Self.children(of: daemon.number)
        return launchers.flatMap(Self.children).first { process in
            (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)) == "intentd-egress\n"
        }
    }

    private static func children(of process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { child in
            let status = (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)) ?? ""
            return status.contains("\nPPid:\t\(process)\n")
        }
    }

    /// The number of sockets of the process that are not Unix sockets. A sandbox with two ports has four.
    func namespaceSockets(of process: Int32) -> Int {
        let folder = "/proc/\(process)/fd"
        // Foundation's functions for whole files read only the first part of this one.
        let unix = try? FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/net/unix")).readToEnd()
        let own = Set(
            String(decoding: unix ?? Data(), as: UTF8.self).split(separator: "\n").compactMap {
                $0.split(separator: " ").dropFirst(6).first
            }
        )
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"),
                let inode = target.firstMatch(of: /socket:\[(\d+)\]/)?.1
            else { return false }
            return !own.contains(inode)
        }.count
    }
}
