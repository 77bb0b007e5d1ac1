import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the notifiers of the package `intentd-apps`, which need no compiler.
@Suite(.ownThread) struct PackagedNotifierTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../units/apps").standardizedFileURL

    /// Installs the file and its program, with the program's path in the folder of the daemon.
    private func install(_ app: String, _ program: String, settings: [String], in daemon: Daemon) throws {
        let script = daemon.folder.appending("commands/\(program)")
        try FileManager.default.copyItem(at: Self.folder.appending(path: program), to: script)
        chmod(script.path, 0o755)
        let text = try String(contentsOf: Self.folder.appending(path: "\(app).intents"), encoding: .utf8)
            .replacing("/usr/lib/intentd/\(program)", with: script.path)
            .replacing("AllowUsers=intentd root", with: "AllowUsers=\(NSUserName())")
            .replacing("Network=yes", with: "Network=yes\nPrograms=system \(script.path)")
        try Data((settings.joined(separator: "\n") + "\n").utf8)
            .write(to: daemon.folder.appending("units/\(app).conf"))
        try daemon.writeCommands(text, as: app)
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0, "\(reloaded.errors)")
    }

    private func notify(_ intent: String, message: String, in daemon: Daemon) throws -> Command {
        let command = try daemon.start([
            "run", intent, "--event", "failure", "--app", "Backup", "--intent", "Run", "--run", "0123456789", "--user",
            "ada", "--schedule", "nightly", "--outcome", "failed", "--message", message, "--started",
            "2026-11-30T02:30:00Z", "--duration", "1", "--count", "3", "--host", "web1",
        ])
        command.exitCode()
        return command
    }

    private func server(_ program: String, _ arguments: String...) throws -> (command: Command, port: String) {
        let command = try Command(URL(filePath: "/usr/bin/python3"), ["-c", program] + arguments)
        try eventually("the server listens") { command.output.contains(";") }
        return (command, String(try #require(command.output.firstMatch(of: /port=([0-9]+);/)).1))
    }

    /// Receives one mail after a login, and prints it: with a certificate at once encrypted, else never.
    private static let mailServer = """
        import base64, socket, ssl, sys
        server = socket.create_server((sys.argv[1], 0))
        print("port=%d;" % server.getsockname()[1], flush=True)
        connection, _ = server.accept()
        if len(sys.argv) > 2:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2])
            connection = context.wrap_socket(connection, server_side=True)
        stream = connection.makefile("rwb")
        def say(text): stream.write(text + b"\\r\\n"); stream.flush()
        say(b"220 here")
        while line := stream.readline().strip():
            print(line.decode(), flush=True)
            if line.startswith(b"EHLO"): say(b"250-here"); say(b"250 AUTH PLAIN")
            elif line == b"AUTH PLAIN":
                say(b"334 ")
                print("login:", base64.b64decode(stream.readline()).decode().replace("\\0", "/"), flush=True)
                say(b"235 welcome")
            elif line == b"DATA":
                say(b"354 go on")
                while (line := stream.readline()) != b".\\r\\n": print(line.decode().rstrip(), flush=True)
                say(b"250 kept")
            elif line == b"QUIT": say(b"221 bye"); break
            else: say(b"250 fine")
        """

    @Test func `mail is sent over TLS after a login, and the password is in no argument`() throws {
        let daemon = try Daemon()
        let certificate = daemon.folder.appending("server.pem").path
        let openssl = try Command(
            URL(filePath: "/usr/bin/openssl"),
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", certificate, "-out", "\(certificate).crt",
                "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ]
        )
        try #require(openssl.exitCode() == 0, "\(openssl.errors)")
        let authority = "\(certificate).crt"
        chmod(authority, 0o644)
        let both = try Data(contentsOf: URL(filePath: certificate)) + Data(contentsOf: URL(filePath: authority))
        try both.write(to: URL(filePath: certificate))
        let (server, port) = try server(Self.mailServer, "127.0.0.1", certificate)
        let login = daemon.folder.appending("login").path
        try Data("user = \"ada:the password\"\n".utf8).write(to: URL(filePath: login))
        try install(
            "Mail",
            "intentd-mail",
            settings: [
                "[App]", "LoadCredential=login:\(login)",
                "Environment=MAIL_URL=smtps://localhost:\(port) MAIL_FROM=intentd@example.org",
                "Environment=MAIL_TO=ops@example.org,ada@example.org CURL_CA_BUNDLE=\(authority)",
                "[Sandbox]", "ReadPaths=\(authority)",
            ],
            in: daemon
        )
        let sent = try notify("Mail/Send", message: "no soup", in: daemon)
        try #require(sent.exitCode() == 0, "\(sent.errors)")
        #expect(server.exitCode() == 0, "\(server.errors)")
        let lines = server.output.split(separator: "\n")
        #expect(lines.contains("login: /ada/the password"), "\(server.output)")
        #expect(lines.filter { $0.hasPrefix("RCPT") }.count == 2, "\(server.output)")
        #expect(lines.contains("message: no soup") && lines.contains("schedule: nightly"), "\(server.output)")
        let subject = try #require(server.output.firstMatch(of: /Subject: =\?utf-8\?B\?(.+)\?=/)).1
        let text = String(decoding: try #require(Data(base64Encoded: String(subject))), as: UTF8.self)
        #expect(text == "schedule nightly: failure on web1")
    }

    @Test func `no mail and no password reach a server of another host without encryption`() throws {
        let daemon = try Daemon()
        // An address that the program does not know as this host's.
        let (server, port) = try server(Self.mailServer, "127.0.0.2")
        let login = daemon.folder.appending("login").path
        try Data("user = \"ada:the password\"\n".utf8).write(to: URL(filePath: login))
        try install(
            "Mail",
            "intentd-mail",
            settings: [
                "[App]", "LoadCredential=login:\(login)", "Environment=MAIL_URL=smtp://127.0.0.2:\(port)",
            ],
            in: daemon
        )
        let refused = try notify("Mail/Send", message: "no soup", in: daemon)
        try #require(refused.exitCode() != 0 && refused.errors.contains("curl: (64)"), "\(refused.errors)")
        #expect(server.exitCode() == 0, "\(server.errors)")
        #expect(!server.output.contains("MAIL") && !server.output.contains("login"), "\(server.output)")
    }

    @Test func `a notification is posted as JSON to a URL that no argument contains`() throws {
        let program = """
            import glob, http.server
            class Receiver(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    for path in glob.glob("/proc/[0-9]*/cmdline"):
                        try: words = open(path, "rb").read()
                        except OSError: continue
                        if b"/hooks/a-" + b"secret" in words: print("an argument has the URL", flush=True)
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    print(self.path, self.headers["Content-Type"], body.decode(), flush=True)
                    self.send_response(204); self.end_headers()
            server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
            print("port=%d;" % server.server_port, flush=True)
            server.handle_request()
            """
        let daemon = try Daemon()
        try install("Webhook", "intentd-webhook", settings: [], in: daemon)
        let refused = try notify("Webhook/Post", message: "no soup", in: daemon)
        #expect(refused.exitCode() != 0 && refused.errors.contains("set LoadCredential=url:FILE"), "\(refused.errors)")

        let (server, port) = try server(program)
        let url = daemon.folder.appending("url")
        try Data("http://127.0.0.1:\(port)/hooks/a-secret\n".utf8).write(to: url)
        try Data("[App]\nLoadCredential=url:\(url.path)\n".utf8)
            .write(to: daemon.folder.appending("units/Webhook.conf"))
        #expect(try daemon.intentctl("reload").code == 0)
        let sent = try notify("Webhook/Post", message: "no \"soup\" \\ today", in: daemon)
        try #require(sent.exitCode() == 0, "\(sent.errors)")
        #expect(server.exitCode() == 0, "\(server.errors)")
        let words = server.output.split(separator: "\n").last?.split(separator: " ", maxSplits: 2) ?? []
        try #require(words.count == 3, "\(server.output)")
        #expect(words[0] == "/hooks/a-secret" && words[1] == "application/json")
        #expect(!server.output.contains("an argument has the URL"))
        let body = try #require(JSONSerialization.jsonObject(with: Data(words[2].utf8)) as? [String: Any])
        #expect(body["message"] as? String == "no \"soup\" \\ today")
        #expect(body["schedule"] as? String == "nightly" && body["count"] as? Int == 3)
    }
}
