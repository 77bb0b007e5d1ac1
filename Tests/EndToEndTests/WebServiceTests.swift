import Foundation
import Glibc
import TestSupport
import Testing

/// Tests intentd-web as a service of several users: tokens, and what intentd permits the service.
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root"), .timeLimit(.minutes(5))) struct WebServiceTests {
    /// Accounts of Debian that own no processes.
    static let (service, user, other, unlisted) = ("www-data", "games", "man", "backup")
    private static let web = ["[Web]", "User=\(service)", "Users=\(user) \(other)"]

    @Test func `a compromised front acts for the accounts of Users= only, never for root and never as an operator`()
        throws
    {
        let daemon = try Daemon(configuration: Self.web)
        let hello = try Self.hello(
            daemon,
            as: Self.service,
            [Self.user, Self.unlisted, "root", "0", "no-such-user", ""]
        )
        #expect(
            hello == [
                "\(Self.user) accepted notPermitted None", "\(Self.unlisted) notPermitted", "root notPermitted",
                "0 notPermitted", "no-such-user notPermitted", " protocolViolation",
            ]
        )
        // No other user may act for any user.
        #expect(try Self.hello(daemon, as: Self.unlisted, [Self.user]) == ["\(Self.user) protocolViolation"])
    }

    @Test func `a compromised front acts for the names of Realm= only, and never as an operator`() throws {
        let realm = ["Issuers=https://id.example.org", "Realm=home https://id.example.org"]
        let daemon = try Daemon(configuration: Self.web + realm)
        let callers = ["alice@home", "root@home", "0@home", "\(Self.user)@home"]
        #expect(
            try Self.hello(daemon, as: Self.service, callers) == callers.map { "\($0) accepted notPermitted None" }
        )
        let hostile = [
            "alice@other", "alice@Home", "@home", "alice@", "home", "../alice@home", "alice@home@home", "alice@home/..",
            "al ice@home", "-x@home", ".@home", "alice@home ", "\u{430}lice@home", "alice@home\u{301}",
            "\u{202E}alice@home",
            "alice\u{85}@home", String(repeating: "a", count: 65) + "@home",
        ]
        #expect(try Self.hello(daemon, as: Self.service, hostile) == hostile.map { "\($0) notPermitted" })
        // No other user may act for a caller, and without the service's User= no one may.
        #expect(try Self.hello(daemon, as: Self.unlisted, ["alice@home"]) == ["alice@home protocolViolation"])
        let broken = try Daemon(configuration: Self.web + realm + ["Realm=home https://other.example"])
        #expect(try Self.hello(broken, as: Self.service, ["alice@home"]) == ["alice@home notPermitted"])
    }

    @Test func `a reload that removes a realm ends what the front may do for its callers`() throws {
        let daemon = try Daemon(
            configuration: Self.web + ["Issuers=https://id.example.org", "Realm=home https://id.example.org"]
        )
        #expect(try Self.hello(daemon, as: Self.service, ["alice@home"]) == ["alice@home accepted notPermitted None"])
        let settings = (["[Limits]"] + Self.web + ["Realm=other https://other.example"]).joined(separator: "\n") + "\n"
        try Data(settings.utf8).write(to: daemon.folder.appending("etc/intentd.conf"))
        let reloaded = try daemon.intentctl("reload")
        #expect(
            reloaded.code == 0 && reloaded.errors.contains("Issuers= does not name 'https://other.example'"),
            "\(reloaded)"
        )
        #expect(try Self.hello(daemon, as: Self.service, ["alice@home"]) == ["alice@home notPermitted"])
    }

    @Test func `a mistake in [Web] ends what the front may do`() throws {
        let daemon = try Daemon(configuration: Self.web + ["Hosts=a_b"])
        #expect(try Self.hello(daemon, as: Self.service, [Self.user]) == ["\(Self.user) notPermitted"])
        let without = try Daemon()
        let front = try Self.start(without)
        #expect(front.exitCode() == 78)
        #expect(front.errors.contains("no User= in [Web]"), "\(front.errors)")
    }

    @Test func `a socket that other hosts reach needs a certificate`() throws {
        let daemon = try Daemon(configuration: Self.web)
        let front = try Self.start(daemon, at: "0.0.0.0:\(UInt16.random(in: 20_000...30_000))")
        #expect(front.exitCode() == 78)
        #expect(front.errors.contains("without Certificate="), "\(front.errors)")
    }

    @Test func `a token stands for its account and permits its intents, until it expires or is revoked`() throws {
        let daemon = try Daemon(configuration: Self.web)
        let tokens = daemon.folder.appending("tokens").path
        func token(_ name: String, _ user: String, _ allow: String, _ more: String...) throws -> String {
            let made = try Command(
                Programs.intentctl,
                ["token", "new", name, "--as", user, "--allow", allow, "--tokens", tokens] + more
            )
            #expect(made.exitCode() == 0, "\(made.errors)")
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let values = [
            "PROBE": try token("laptop", Self.user, "Probe/*", "--expires", "1h"),
            "ARCHIVE": try token("archive", Self.user, "Archive/Compress"),
            "OTHER": try token("other", Self.other, "*"),
            "UNLISTED": try token("unlisted", Self.unlisted, "*"),
            "SHORT": try token("short", Self.user, "*", "--expires", "1s"),
            "INTENTCTL": Programs.intentctl.path, "TOKENS": tokens,
        ]
        // The files have no token in them, and the service can read them.
        for name in ["laptop", "archive", "other", "unlisted", "short"] {
            let file = "\(tokens)/\(name).token"
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains(values["PROBE"]!) == false)
            chown(file, 0, getpwnam(Self.service).pointee.pw_gid)
        }
        chown(tokens, 0, getpwnam(Self.service).pointee.pw_gid)
        let hooks = try daemon.makeFolder("hooks")
        for (name, user) in [("echo", Self.other), ("root", "root")] {
            let hook = """
                [Hook]
                Scheme=github
                SecretFile=\(hooks.path)/echo.secret
                User=\(user)
                Intent=Probe/Echo
                When=/action opened
                [Values]
                text=/issue/title
                """
            try Data(hook.utf8).write(to: hooks.appending(path: "\(name).hook"))
        }
        try Data("a secret\n".utf8).write(to: hooks.appending(path: "echo.secret"))
        let socket = daemon.folder.appending("http.sock").path
        let front = try Self.start(daemon, at: socket)
        try eventually("the socket exists: \(front.errors)") { access(socket, F_OK) == 0 }
        let scenario = try Command(
            URL(filePath: "/usr/bin/python3"),
            [WebPage.script("api.py"), "service", socket, "/dev/null", daemon.folder.url.path],
            environment: values.merging(["PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
        )
        #expect(scenario.exitCode() == 0, "\(scenario.output)\(scenario.errors)\(front.errors)")
    }

    /// The answers to hello of a process of this user.
    private static func hello(_ daemon: Daemon, as user: String, _ names: [String]) throws -> [String] {
        try daemon.admitEverybody()
        let copy = daemon.folder.appending("front.py")
        if !FileManager.default.fileExists(atPath: copy.path) {
            try FileManager.default.copyItem(atPath: WebPage.script("front.py"), toPath: copy.path)
            chmod(copy.path, 0o644)
        }
        let command = try Command(
            URL(filePath: "/usr/bin/setpriv"),
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/python3", copy.path, daemon.socket]
                + names
        )
        #expect(command.exitCode() == 0, "\(command.errors)")
        return command.output.split(separator: "\n").map(String.init)
    }

    /// Starts the service as systemd does, on a socket that systemd-socket-activate(1) passes.
    static func start(_ daemon: Daemon, at socket: String? = nil, _ more: String...) throws -> Command {
        let activate = URL(filePath: "/usr/bin/systemd-socket-activate")
        guard access(activate.path, X_OK) == 0 else {
            try skipTest("systemd-socket-activate is missing: install systemd")
        }
        try daemon.admitEverybody()
        let bin = daemon.folder.appending("bin")
        for name in ["intentd-web"] { try Programs.install(Programs.url(name), as: bin.appending(path: name)) }
        let service =
            [
                "/usr/bin/setpriv", "--reuid=\(service)", "--regid=\(service)", "--clear-groups",
                bin.appending(path: "intentd-web").path, "--service", "--socket", daemon.socket, "--configuration",
                daemon.folder.appending("etc").path, "--tokens", daemon.folder.appending("tokens").path,
                "--hooks", daemon.folder.appending("hooks").path,
            ] + more + ["--", bin.appending(path: "intentctl").path, "--socket", daemon.socket]
        let path = socket ?? daemon.folder.appending("unused.sock").path
        // Without --now, the program starts with the first connection.
        let program = try Command(activate, ["--listen=\(path)"] + service)
        if !path.hasPrefix("/") || socket == nil {
            try eventually("a connection starts the service: \(program.errors)") {
                let number = UInt16(path.split(separator: ":").last.map(String.init) ?? "")
                let connecting =
                    if let number { ["/dev/tcp/127.0.0.1/\(number)"] } else { [path] }
                let probe = try Command(
                    URL(filePath: "/usr/bin/python3"),
                    ["-c", Self.connecting] + connecting
                )
                return probe.exitCode() == 0 || !program.isRunning
            }
        }
        return program
    }

    private static let connecting = """
        import socket, sys
        place = sys.argv[1]
        if place.startswith("/dev/tcp/"): socket.create_connection(("127.0.0.1", int(place.rsplit("/", 1)[1])), 5)
        else: socket.socket(socket.AF_UNIX).connect(place)
        """
}
