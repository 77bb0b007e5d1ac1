import IntentCommands
import IntentLinux
import IntentProtocol

/// The contents of an intentd.command(5) file for an MCP server, with the grants that the server needs to start.
package struct ServerTemplateFile: Sendable {
    private let program: String
    private let arguments: [String]
    /// `Environment=`.
    private let variables: [String]
    /// `Programs=`, beside `system`.
    private var programs: [String] = []
    private(set) var readPaths: [String] = []
    package var generatesCode = false

    /// What the template asks about files of this host.
    package struct Host: Sendable {
        /// Returns whether a path exists.
        var exists: @Sendable (String) -> Bool
        /// Returns the start of a file, or nil if it cannot be read.
        var text: @Sendable (String) -> String?
        /// Returns the path to which a symbolic link leads, or nil for anything else.
        var target: @Sendable (String) -> String?

        package init(
            exists: @escaping @Sendable (String) -> Bool,
            text: @escaping @Sendable (String) -> String?,
            target: @escaping @Sendable (String) -> String?
        ) {
            (self.exists, self.text, self.target) = (exists, text, target)
        }
    }

    /// - Parameters:
    ///   - program: The absolute path of the server's program.
    ///   - arguments: Its arguments. Paths of this host among them become grants to read.
    ///   - variables: Its environment variables, such as `DB_URL=sqlite://`.
    package init(program: String, arguments: [String], variables: [String] = [], on host: Host) {
        (self.program, self.arguments, self.variables) = (program, arguments, variables)
        for path in Self.installations(of: program, on: host) { grantProgram(path) }
        for argument in arguments where argument != "/" && Self.isGrantable(argument) && host.exists(argument) {
            grantRead(argument)
        }
    }

    /// Returns true for a word `NAME=VALUE` with a name that shells accept.
    package static func isVariable(_ word: String) -> Bool {
        let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard name.count < word.utf8.count, let first = name.first, !(48...57).contains(first) else { return false }
        return name.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    /// Grants a path that the server could not read.
    ///
    /// - Returns: False if the file grants the path already, or cannot.
    @discardableResult package mutating func grantRead(_ path: String) -> Bool {
        guard Self.isGrantable(path), !Self.isSystem(path), !isGranted(path) else { return false }
        readPaths.append(path)
        return true
    }

    private mutating func grantProgram(_ path: String) {
        guard Self.isGrantable(path), !Self.isSystem(path), !isGranted(path) else { return }
        programs.append(path)
    }

    private func isGranted(_ path: String) -> Bool {
        (programs + readPaths).contains { path == $0 || path.hasPrefix(utf8: $0 + "/") }
    }

    private static func isGrantable(_ path: String) -> Bool {
        // White space separates the paths of a grant.
        path.hasPrefix(utf8: "/") && path.utf8.count > 1 && !path.contains(utf8: "/..")
            && !path.unicodeScalars.contains(where: \.properties.isWhitespace)
    }

    private static func isSystem(_ path: String) -> Bool {
        ["/usr/", "/bin/", "/sbin/", "/lib"].contains { path.hasPrefix(utf8: $0) }
    }

    /// Returns the program, what interprets it, and the folders of its packages: a virtual environment of Python has its
    /// packages beside its program, and names the interpreter that it extends (pyvenv.cfg, PEP 405).
    private static func installations(of program: String, on host: Host) -> [String] {
        var paths: [String] = []
        var waiting = [program]
        while let path = waiting.popLast(), paths.count < 20 {
            guard !paths.contains(path) else { continue }
            paths.append(path)
            if let target = host.target(path) { waiting.append(absolute(target, beside: path)) }
            let line = host.text(path)?.split(scalar: "\n").first.map { String($0) } ?? ""
            if line.hasPrefix(utf8: "#!"), let interpreter = line.dropFirst(scalars: 2).trimmed.split(scalar: " ").first
            {
                waiting.append(String(interpreter))
            }
            let folder = parent(parent(path))
            guard let settings = host.text(folder + "/pyvenv.cfg") else { continue }
            paths.append(folder)
            for line in settings.split(scalar: "\n") {
                let parts = line.split(scalar: "=", maxSplits: 1).map { String($0.trimmed) }
                guard parts.count == 2, parts[0] == "home", parts[1].hasPrefix(utf8: "/") else { continue }
                // The interpreter is in the folder `bin` of its installation, which has the standard library, too.
                paths.append(parent(parts[1]))
            }
        }
        // A folder contains what is below it.
        return paths.sorted { $0.utf8.count < $1.utf8.count }.filter { $0.utf8.count > 1 && $0 != "/usr" }
    }

    private static func parent(_ path: String) -> String {
        path.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
    }

    private static func absolute(_ target: String, beside path: String) -> String {
        guard !target.hasPrefix(utf8: "/") else { return target }
        var parts = parent(path).split(scalar: "/").map { String($0) }
        for part in target.split(scalar: "/").map({ String($0) }) where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.map { "/\($0)" }.joined()
    }

    package func text(description: String) -> String {
        let words = [program] + arguments
        var text = """
            # An MCP server; see intentd.command(5). Check changes with: intentctl verify FILE
            # Review the grants below: the server can read what is in them.
            [App]
            Description=\(SafeText.line(description))
            MCPServer=\(words.map(TemplateText.quote).joined(separator: " "))
            \(variables.isEmpty ? "" : "Environment=\(variables.map(ListWords.quote).joined(separator: " "))\n")
            [Sandbox]

            """
        func line(_ key: String, _ paths: [String]) -> String {
            paths.isEmpty ? "" : "\(key)=\(paths.map(ListWords.quote).joined(separator: " "))\n"
        }
        text += programs.isEmpty ? "" : line("Programs", ["system"] + programs)
        text += line("ReadPaths", readPaths)
        if generatesCode { text += "GeneratedCode=yes\n" }
        text += """
            # Hosts that the tools need: intentctl learn --local FILE TOOL
            #AllowHosts=api.example.org:443

            # The server's word lowers no approval. A tool that only reads may say so here:
            #[Intent TOOL]
            #Effect=reads

            """
        return text
    }
}
