import Foundation
import Glibc
import TestSupport
import Testing

/// Tests intents that report the ends of runs (`[Notify]`).
@Suite(.ownThread) struct NotifyTests {
    private func daemon(_ notify: String..., intent: [String] = []) throws -> Daemon {
        try Daemon(app: intent, configuration: ["[Notify]"] + notify)
    }

    /// The recorded runs of an intent, newest first, each as printed by `show`.
    private func runs(of intent: String, in daemon: Daemon) throws -> [[String: Any]] {
        let runs = try #require(try daemon.json("history", "--by", "all")["runs"] as? [[String: Any]])
        return try runs.filter { $0["intent"] as? String == intent }.map { run in
            try daemon.json("show", try #require(run["run"] as? String))
        }
    }

    /// Waits until the given number of reports have ended, and returns them.
    private func reports(_ count: Int, in daemon: Daemon) throws -> [[String: Any]] {
        try eventually("\(count) reports have ended") {
            let ended = try runs(of: "Report", in: daemon).filter { $0["outcome"] != nil }
            return ended.count >= count
        }
        let reports = try runs(of: "Report", in: daemon)
        #expect(reports.count == count, "\(daemon.errors)")
        return reports
    }

    private func fail(_ message: String = "no soup", in daemon: Daemon) throws {
        #expect(try daemon.intentctl("run", "Probe/Throws", "--message", message).code == 1)
    }

    @Test func `the third consecutive failure is reported once, with its details`() throws {
        let daemon = try daemon("OnFailure=Probe/Report", "OnRecovery=Probe/Report", "After=3")
        for _ in 1...2 { try fail(in: daemon) }
        #expect(try runs(of: "Report", in: daemon).isEmpty)
        try fail(in: daemon)
        let third = try #require(try runs(of: "Throws", in: daemon).first?["run"] as? String)
        let report = try #require(try reports(1, in: daemon).first)
        #expect(report["outcome"] as? String == "done")
        #expect(report["entryPoint"] as? String == "notification")
        let values = try #require(report["parameters"] as? [String: Any])
        #expect(values["event"] as? String == "failure")
        #expect(values["app"] as? String == "Probe")
        #expect(values["intent"] as? String == "Throws")
        #expect(values["run"] as? String == third)
        #expect(values["outcome"] as? String == "failed")
        #expect(values["message"] as? String == "no soup")
        #expect(values["count"] as? Int == 3)
        #expect((values["host"] as? String)?.isEmpty == false)
        #expect(daemon.errors.contains("reported (failure) by run "), "\(daemon.errors)")
        try fail(in: daemon)
        // Failures of another intent of the app are counted separately.
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        #expect(try runs(of: "Report", in: daemon).count == 1)
    }

    @Test func `an operator reports a start without a run for the schedule's user, once for each key`() throws {
        let daemon = try daemon("OnFailure=Probe/Report", "After=2")
        let client = try SocketClient(daemon)
        func report(_ number: Int, of user: String = "daemon") throws -> [String: Any] {
            try client.ask([
                "type": "startFailed", "app": "Probe", "intent": "Echo", "key": "schedule:nightly:\(number)",
                "message": "refused", "userName": user,
            ])
        }
        for number in [1, 1, 2] { #expect(try report(number)["type"] as? String == "startFailureNoted") }
        let values = try #require(try reports(1, in: daemon).first?["parameters"] as? [String: Any])
        #expect(values["user"] as? String == "daemon")
        #expect(values["message"] as? String == "the start did not result in a run: refused")
        #expect(values["count"] as? Int == 2)
        // The account of a schedule's user can have been removed.
        for number in [1, 2] { _ = try report(number, of: "gone") }
        let later = try reports(2, in: daemon).compactMap { $0["parameters"] as? [String: Any] }
        #expect(later.contains { $0["user"] as? String == "gone" }, "\(later)")
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to run as other users"))
    func `a user who is no operator reports a failed start only for itself`() throws {
        let daemon = try daemon("OnFailure=Probe/Report")
        try daemon.admitEverybody()
        let start = #"{"type":"startFailed","app":"Probe","intent":"Echo","message":"refused","key":"schedule:nightly:"#
        let payloads = [#"1","userName":"daemon"}"#, #"2","userName":"root"}"#, #"3"}"#].map { start + $0 }
        let answers = try daemon.say(as: 42_003, payloads)
        #expect(
            answers.map { ($0["error"] as? [String: Any])?["code"] as? String } == [
                "notPermitted", "notPermitted", nil,
            ]
        )
        // Only the third report is counted, for the user who sent it.
        let reported = try reports(1, in: daemon)
        #expect(reported.count == 1)
        let values = try #require(reported.first?["parameters"] as? [String: Any])
        #expect(values["user"] as? String == "42003", "\(values)")
    }

    @Test func `the first success after a reported failure is a recovery`() throws {
        let daemon = try daemon("OnRecovery=Probe/Report")
        func run(_ key: String, _ code: String) throws -> Int32 {
            try daemon.intentctl("run", "--key", "schedule:nightly:\(key)", "Probe/ExitWith", "--code=\(code)").code
        }
        #expect(try run("1", "3") != 0)
        for key in ["2", "3"] { #expect(try run(key, "-1") == 0) }
        let values = try #require(try reports(1, in: daemon).first?["parameters"] as? [String: Any])
        #expect(values["event"] as? String == "recovery")
        #expect(values["message"] as? String == "")
    }

    @Test func `neither a failed report nor a user's failed run of the reporting intent is reported`() throws {
        let daemon = try daemon("OnFailure=Probe/Report")
        try fail("fail the report, too", in: daemon)
        #expect(try reports(1, in: daemon).first?["outcome"] as? String == "failed")
        let values = ["event", "app", "intent", "run", "user", "outcome", "host"].flatMap { ["--\($0)", "x"] }
        let byHand = [
            "--message", "fail the report, too", "--started", "2026-11-23T16:00:00Z", "--duration", "1", "--count", "1",
        ]
        #expect(try daemon.start(["run", "Probe/Report"] + values + byHand).exitCode() == 1)
        // The report of the next failure proves that no earlier report was pending.
        #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code != 0)
        let all = try reports(3, in: daemon)
        #expect(all.filter { $0["entryPoint"] as? String == "notification" }.count == 2)
    }

    @Test func `reports above the hourly limit are dropped, with one line in the journal`() throws {
        let daemon = try daemon("OnSuccess=Probe/Report", "PerHour=2")
        for _ in 1...5 { #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "a").code == 0) }
        _ = try reports(2, in: daemon)
        let dropped = daemon.errors.split(separator: "\n").filter {
            $0.contains("not reported: 2 ends of the app's runs")
        }
        #expect(dropped.count == 1, "\(daemon.errors)")
    }

    @Test func `an intent's keys override the app's keys, which override the keys for all apps`() throws {
        let daemon = try daemon(
            "OnFailure=Probe/Report",
            intent: ["[Notify]", "After=2", "[Intent Throws]", "After=1", "[Intent ExitWith]", "OnFailure="]
        )
        #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code != 0)
        #expect(try daemon.intentctl("run", "Probe/Crash").code != 0)
        try fail(in: daemon)
        #expect(try reports(1, in: daemon).count == 1)
        #expect(try daemon.intentctl("run", "Probe/Crash").code != 0)
        let values = try reports(2, in: daemon).compactMap { $0["parameters"] as? [String: Any] }
        #expect(values.compactMap { $0["intent"] as? String } == ["Crash", "Throws"])
        #expect(values.compactMap { $0["outcome"] as? String } == ["crashed", "failed"])
    }

    @Test func `the user of User= owns the report, and needs the permission for it`() throws {
        let daemon = try daemon("OnFailure=Probe/Report", "User=4242")
        try fail(in: daemon)
        #expect(try reports(1, in: daemon).first?["user"] as? Int == 4242)
        let refusing = try self.daemon(
            "OnFailure=Probe/Report",
            "User=4242",
            intent: ["[Intent Report]", "AllowUsers=root"]
        )
        try fail(in: refusing)
        try eventually("the refusal is logged") {
            refusing.errors.contains("not reported yet (failure) by Probe/Report: ")
        }
        #expect(try runs(of: "Report", in: refusing).isEmpty)
    }

    @Test func `unknown names are reported by a reload, a check and the journal`() throws {
        let daemon = try daemon(
            "OnFailure=Mial/Send",
            "User=no-such-user",
            intent: ["[Notify]", "OnSuccess=Probe/Reprot", "OnRecovery=Probe/Add"]
        )
        let known = [
            "[Notify]: User=: unknown user 'no-such-user'",
            "[Notify]: 'Mial/Send': no app with this name is installed",
        ]
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0)
        let folders = ["--apps", "apps", "--units", "units", "--configuration", "etc"]
        let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
        #expect(check.exitCode() == 78)
        for line in known {
            #expect(reloaded.errors.contains("warning: \(line)\n"), "\(reloaded.errors)")
            #expect(check.output.contains("\(line)\n"), "\(check.output)")
            #expect(daemon.errors.contains(line), "\(daemon.errors)")
        }
        // The intents of an app are unknown until the app has described them.
        for line in [
            "'Probe/Reprot': Probe has no intent 'Reprot'", "'Probe/Add': Probe/AddIntent needs a value for 'first'",
        ] {
            #expect(reloaded.errors.contains("warning: [Notify]: \(line)"), "\(reloaded.errors)")
        }
        try fail(in: daemon)
        try eventually("the loss is logged") { daemon.errors.contains("not reported yet (failure) by Mial/Send: ") }
    }

    @Test func `a reload and a check fail with the line of a value that does not name an intent`() throws {
        let daemon = try daemon("OnFailure=Mail", "After=0", "PerHour=many")
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 78)
        for line in [3, 4, 5] { #expect(reloaded.errors.contains("etc/intentd.conf:\(line): "), "\(reloaded.errors)") }
    }

    // MARK: Examples

    /// Receives one mail, as a mail server does, and prints it.
    private static let mailServer = """
        import socket
        server = socket.create_server(("127.0.0.1", 0))
        print("port=%d;" % server.getsockname()[1], flush=True)
        connection, _ = server.accept()
        stream = connection.makefile("rwb")
        def say(text): stream.write(text + b"\\r\\n"); stream.flush()
        say(b"220 here")
        while True:
            line = stream.readline().strip()
            print(line.decode(), flush=True)
            if line == b"DATA":
                say(b"354 go on")
                while (line := stream.readline()) != b".\\r\\n": print(line.decode().rstrip(), flush=True)
                say(b"250 kept")
            elif line == b"QUIT": say(b"221 bye"); break
            elif line.startswith(b"HELO"): say(b"250-here"); say(b"250 HELP")
            else: say(b"250 fine")
        """

    /// Receives one request, and prints it.
    private static let webServer = """
        import http.server
        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                print(self.path, self.headers["Content-Type"], body.decode(), flush=True)
                self.send_response(204); self.end_headers()
        server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
        print("port=%d;" % server.server_port, flush=True)
        server.handle_request()
        """

    private func server(_ program: String) throws -> (command: Command, port: String) {
        let command = try Command(URL(filePath: "/usr/bin/python3"), ["-c", program])
        try eventually("the server listens") { command.output.contains(";") }
        let port = try #require(command.output.firstMatch(of: /port=([0-9]+);/)).1
        return (command, String(port))
    }

    @Test func `the example Mail mails a failure`() throws {
        let (server, port) = try server(Self.mailServer)
        let daemon = try daemon("OnFailure=Mail/Send")
        try daemon.install(
            "Mail",
            as: "Mail",
            app: ["Environment=MAIL_TO=ada@example.org MAIL_FROM=intentd@example.org SMTP_PORT=\(port)"],
            sandbox: ["AllowHosts=127.0.0.1:\(port)"]
        )
        try fail("no soup\n.\nRCPT TO:<eve@example.org>", in: daemon)
        #expect(server.exitCode() == 0, "\(server.errors)\(daemon.errors)")
        let lines = server.output.split(separator: "\n")
        #expect(lines.contains("MAIL FROM:<intentd@example.org>"))
        #expect(lines.filter { $0.hasPrefix("RCPT") } == ["RCPT TO:<ada@example.org>"])
        #expect(lines.contains("message: no soup . RCPT TO:<eve@example.org>"), "\(server.output)")
        let subject = try #require(server.output.firstMatch(of: /Subject: =\?utf-8\?B\?(.+)\?=/)).1
        let text = String(decoding: try #require(Data(base64Encoded: String(subject))), as: UTF8.self)
        #expect(text.hasPrefix("Probe/Throws: failure on "))
        try eventually("the report is done") {
            try runs(of: "SendIntent", in: daemon).first?["outcome"] as? String == "done"
        }
    }

    @Test func `the example Webhook posts a failure`() throws {
        let (server, port) = try server(Self.webServer)
        let daemon = try daemon("OnFailure=Webhook/Post")
        let url = daemon.folder.appending("url")
        try Data("http://127.0.0.1:\(port)/hooks/1?a=b\n".utf8).write(to: url)
        try daemon.install("Webhook", as: "Webhook", app: ["LoadCredential=url:\(url.path)"], sandbox: ["Network=yes"])
        try fail("no \"soup\"", in: daemon)
        #expect(server.exitCode() == 0, "\(server.errors)\(daemon.errors)")
        let words = server.output.split(separator: "\n").last?.split(separator: " ", maxSplits: 2) ?? []
        try #require(words.count == 3, "\(server.output)")
        #expect(words[0] == "/hooks/1?a=b")
        #expect(words[1] == "application/json")
        let body = try #require(JSONSerialization.jsonObject(with: Data(words[2].utf8)) as? [String: Any])
        #expect(body["event"] as? String == "failure")
        #expect(body["intent"] as? String == "Throws")
        #expect(body["message"] as? String == "no \"soup\"")
        #expect(body["count"] as? Int == 1)
    }
}
