import Glibc
import IntentLinux

/// Implements `intentctl mcp --setup CLIENT`, which prints or edits the client's configuration.
struct MCPSetup {
    private let client: MCPClient
    private let server: MCPServerEntry
    private let writes: Bool

    init(_ invocation: Invocation, client: MCPClient) throws(CommandFailure) {
        self.client = client
        writes = invocation.has("write")
        if let url = invocation["url"] {
            guard url.hasPrefix(utf8: "https://") || url.hasPrefix(utf8: "http://") else {
                throw .usage("--url: expected an address of http or https, got '\(url)'", hint: "it ends with /mcp")
            }
            guard client.reachesAddresses else {
                throw .usage(
                    "the configuration file of \(client.rawValue) has no servers with an address",
                    hint: "add \(url) as a connector in its settings"
                )
            }
            server = MCPServerEntry(url: url, authorization: try Self.authorization(invocation["header-file"]))
            return
        }
        var arguments = RemoteHost.current.map { ["--host", $0.name.text] } ?? []
        // Clients that a desktop starts do not have a shell's variables either.
        let named = arguments.isEmpty && !invocation.has("user") ? environmentText("INTENTD_SOCKET") : nil
        if let socket = invocation["socket"] ?? named {
            // With --host, keep the path unchanged, because it is a path on the other host.
            arguments += ["--socket", arguments.isEmpty ? Self.absolute(socket) : socket]
        }
        if invocation.has("user") { arguments.append("--user") }
        arguments.append("mcp")
        for root in invocation.lists["root"] ?? [] { arguments += ["--root", Self.absolute(root)] }
        for pattern in invocation.lists["only"] ?? [] { arguments += ["--only", pattern] }
        if let time = invocation["answer-after"] { arguments += ["--answer-after", time] }
        arguments += ["read-only", "search"].filter { invocation.has($0) }.map { "--\($0)" }
        // Use the absolute path, because clients that a desktop starts do not have a shell's PATH.
        server = MCPServerEntry(command: try Invocation.programPath(), arguments: arguments)
    }

    /// The value of the header in a file of `--header-file`, as 'intentctl web' writes it, or of a token.
    private static func authorization(_ path: String?) throws(CommandFailure) -> String? {
        guard let path else { return nil }
        do throws(SystemError) {
            let text = try File.text(at: path, limit: 64 << 10).lines().first.map(String.init) ?? ""
            let prefix = "Authorization: "
            return text.hasPrefix(utf8: prefix) ? String(text.dropFirst(scalars: prefix.scalarCount)) : "Bearer \(text)"
        } catch {
            throw .usage("--header-file: \(error)", hint: "it has a token, or the header 'Authorization: Bearer TOKEN'")
        }
    }

    func perform() throws(CommandFailure) -> ExitCode {
        let file = try path()
        if writes {
            try write(to: file)
        } else {
            Console.note("add this text to \(file), or repeat the command with --write:")
            try Console.output(String(client.configuration(server).dropLast(scalars: 1)))
        }
        Console.note(
            "the agent acts as your own user: it can do everything that you can do, and approve its own requests. To "
                + "prevent this, run it as a separate user: see [Agents] in intentd.conf(5)"
        )
        return .done
    }

    // MARK: Private

    private func path() throws(CommandFailure) -> String {
        guard let home = environmentText("HOME"), home.hasPrefix(utf8: "/") else {
            throw .usage("cannot find the client's configuration: HOME is not set", hint: "set HOME")
        }
        return client.file(home: home, configurationFolder: environmentText("XDG_CONFIG_HOME") ?? "\(home)/.config")
    }

    private func write(to file: String) throws(CommandFailure) {
        do {
            // If the path is a symbolic link, edit its target.
            let target = File.realPath(file) ?? file
            var old: [UInt8] = []
            var permissions: UInt32 = 0o600
            var status = stat()
            if stat(target, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
                    throw refusal(target, "it is not a regular file that belongs to you")
                }
                old = try File.bytes(at: target, limit: 16 << 20)
                permissions = status.st_mode & 0o777
            }
            guard let text = String(validForeign: old) else {
                throw refusal(target, "it is not UTF-8, or it has more than 30 combining marks in a row")
            }
            switch client.merge(server, into: text) {
            case .present: Console.note("\(file) already contains this server")
            case .conflict(let reason): throw refusal(target, reason)
            case .merged(let new):
                try replace(target, with: new, permissions)
                Console.note("registered the server in \(file); restart the client")
            }
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(
                .failed,
                code: "notWritten",
                "cannot write '\(file)': \(error)",
                hint: "omit --write to print the configuration"
            )
        }
    }

    /// Replaces the whole file atomically, so that the client never reads an incomplete file.
    private func replace(_ file: String, with text: String, _ permissions: UInt32) throws(SystemError) {
        let name = file.split(scalar: "/", omittingEmptySubsequences: false).last.map(String.init) ?? file
        let path = String(file.dropLast(scalars: name.scalarCount + 1))
        try File.makeFolders(path, permissions: 0o700)
        let folder = try File.open(path, O_RDONLY | O_DIRECTORY)
        let new = ".\(name).intentctl-\(getpid())"
        let descriptor = try File.create(new, in: folder.rawValue, permissions: permissions)
        do throws(SystemError) {
            try File.write(descriptor.rawValue, Array(text.utf8)[...])
            try File.sync(descriptor.rawValue)
            try File.rename(new, to: name, in: folder.rawValue)
        } catch {
            try? File.remove(new, in: folder.rawValue)
            throw error
        }
        try File.sync(folder.rawValue)
    }

    private func refusal(_ file: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            .failed,
            code: "notMerged",
            "cannot add the server to '\(file)': \(reason)",
            hint: "omit --write to print the entry, then insert it with an editor"
        )
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix(utf8: "/") { return path }
        return File.realPath(".").map { "\($0)/\(path)" } ?? path
    }
}
