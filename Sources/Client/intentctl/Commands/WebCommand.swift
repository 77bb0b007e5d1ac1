import Glibc
import IntentLinux

/// Implements `intentctl web` by executing `intentd-web`, which serves the page to a browser.
struct WebCommand {
    let invocation: Invocation
    /// The host of the intentd that the page shows; nil for this host.
    var host: HostName?

    func perform() throws -> ExitCode {
        var arguments = try listener()
        if invocation.has("open") { arguments.append("--open") }
        if let path = invocation["header-file"] { arguments += ["--header-file", Self.absolute(path)] }
        if host == nil { arguments += ["--socket", Self.absolute(try invocation.location.path())] }
        let program = try program()
        if !invocation.has("api") { arguments += ["--page", try page(beside: program)] }
        arguments += ["--"] + (try client())
        let error = ProcessFacts.become(program, arguments)
        throw Self.failure("cannot start '\(program)': \(error)")
    }

    private static func failure(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.unavailable, code: "web", message, hint: hint)
    }

    private func listener() throws(CommandFailure) -> [String] {
        switch (invocation["port"], invocation["listen-socket"]) {
        case (_?, _?): throw .usage("--port and --listen-socket cannot be combined", hint: "remove one of them")
        case (let text?, nil):
            guard let port = UInt16(text) else {
                throw .usage("--port: expected a number from 0 to 65535, got '\(text)'", hint: nil)
            }
            return ["--port", String(port)]
        case (nil, let path?):
            guard !path.isEmpty else { throw .usage("--listen-socket: expected a path, got ''", hint: nil) }
            return ["--listen-socket", Self.absolute(path)]
        case (nil, nil): return []
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix(utf8: "/") ? path : (File.currentFolder ?? "") + "/" + path
    }

    private func program() throws(CommandFailure) -> String {
        let candidates = [ProcessFacts.programBesideOurs("intentd-web"), "/usr/lib/intentd/intentd-web"]
        guard let program = candidates.compactMap(\.self).first(where: { access($0, X_OK) == 0 }) else {
            throw Self.failure("the program 'intentd-web' is not installed", hint: "install the package intentd-web")
        }
        return program
    }

    private func page(beside program: String) throws(CommandFailure) -> String {
        if let page = invocation["page"] { return page }
        // Derive the installation prefix, which contains lib/intentd/intentd-web and share/intentd/web.
        let prefix = program.split(scalar: "/").dropLast(3).map { "/\($0)" }.joined()
        let page = prefix + "/share/intentd/web"
        guard access(page + "/index.html", R_OK) == 0 else {
            throw Self.failure(
                "the page was not found at '\(page)/index.html'",
                hint: "install the package intentd-web, or specify the folder with --page DIR"
            )
        }
        return page
    }

    /// Returns the intentctl command line to which `intentd-web` appends a command, such as `relay`.
    private func client() throws -> [String] {
        if let host { return RemoteHost.client(at: host, invocation) }
        return [try ProcessFacts.executablePath()] + invocation.daemonOptions
    }
}
