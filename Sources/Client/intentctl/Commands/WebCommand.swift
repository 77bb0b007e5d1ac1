import Dispatch
import Glibc
import IntentAPI
import IntentClient
import IntentLinux

/// Implements `intentctl web` with the program `intentd-web`, which serves the page to a browser.
struct WebCommand {
    let invocation: Invocation
    /// The host of the intentd that the page shows; nil for this host.
    var host: HostName?

    func perform() throws -> ExitCode {
        if invocation.has("stdio") { return try serveStandardStreams() }
        var arguments = try listener()
        if invocation.has("open") { arguments.append("--open") }
        if let path = invocation["header-file"] { arguments += ["--header-file", Self.absolute(path)] }
        let program = try program()
        if !invocation.has("api"), !invocation.has("private") {
            arguments += ["--page", try page(beside: program)]
        }
        guard let host else {
            arguments += ["--socket", Self.absolute(try invocation.location.path()), "--"]
            arguments += [try ProcessFacts.executablePath()] + invocation.daemonOptions
            let error = ProcessFacts.become(program, arguments)
            throw Self.failure("cannot start '\(program)': \(error)")
        }
        return try serve(host, program, arguments)
    }

    /// Serves `intentctl --host` of another host. Replaces this process with the server.
    private func serveStandardStreams() throws -> ExitCode {
        guard !Console.inputIsTerminal else {
            throw CommandFailure.usage(
                "standard input is a terminal: 'intentctl web --stdio' must be started by 'intentctl --host'",
                hint: "for example: intentctl --host HOST status"
            )
        }
        do {
            let location = invocation.location
            let path = try location.path()
            do throws(SystemError) {
                _ = try UnixSocket.connect(.stream, to: path)
            } catch {
                throw IntentClientError(connecting: path, location, failed: error)
            }
            let client = [try ProcessFacts.executablePath()] + invocation.daemonOptions
            let program = try program()
            let error = ProcessFacts.become(program, ["--stdio", "--socket", Self.absolute(path), "--"] + client)
            throw Self.failure("cannot start '\(program)': \(error)")
        } catch {
            let failure = CommandFailure(of: error)
            // The user's end shows this error.
            let code = ErrorReport.Code(rawValue: failure.code)
            let report = ErrorReport(code, failure.message, hint: failure.hint)
            let answer = WireCoding.encode(SessionAnswer(software: Invocation.software, error: report))
            try File.write(1, (answer + [UInt8(ascii: "\n")])[...])
            return failure.exitCode
        }
    }

    /// Runs the server with the socket of another host's intentd until the server exits.
    private func serve(_ host: HostName, _ program: String, _ arguments: [String]) throws -> ExitCode {
        let socket: RemoteSocket
        let server: ChildProcess
        let input: Pipe
        do throws(SystemError) {
            socket = try RemoteSocket(of: host, invocation)
            let client = RemoteHost.client(at: host, invocation)
            let words = arguments + ["--end-with-input", "--socket", socket.path, "--"] + client
            let own = { (number: Int32) in SharedFileDescriptor(owning: number, closer: { _ in }) }
            // The server ends with this process, even if this process is killed. A private server ends with the program that
            // has started this process.
            input = try Pipe()
            let streams = ChildProcess.Streams(
                input: invocation.has("private") ? own(0) : input.reading,
                output: own(1),
                error: own(2)
            )
            server = try ChildProcess.start(program, arguments: words, streams: streams, defaults: [])
        } catch {
            throw Self.failure("cannot start '\(program)': \(error)")
        }
        let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            SignalSource.listen(to: number) { server.signal(number) }
        }
        defer { for source in sources { source.cancel() } }
        let code = withExtendedLifetime(input) { server.waitForExitCode() }
        socket.close()
        return code == 0 ? .done : .failed
    }

    private static func failure(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.unavailable, code: "web", message, hint: hint)
    }

    private func listener() throws(CommandFailure) -> [String] {
        if invocation.has("private") { return ["--private"] }
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
}
