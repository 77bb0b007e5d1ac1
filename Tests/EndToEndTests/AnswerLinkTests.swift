import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the links of notifications about questions (`AnswerLinks=`).
@Suite(.ownThread, .enabled(if: getuid() == 0, "needs root"), .timeLimit(.minutes(5))) struct AnswerLinkTests {
    private static let user = WebServiceTests.user

    /// Starts intentd with an intent that receives the link, as a notification.
    private static func daemon(_ web: [String] = []) throws -> Daemon {
        let daemon = try Daemon(
            configuration: [
                "[Web]", "User=\(WebServiceTests.service)", "Users=\(user)", "Hosts=intents.example.org",
            ] + web + ["[Notify]", "OnQuestion=tools/Note"]
        )
        _ = try daemon.writeCommands(
            """
            [Intent Note]
            Exec=/bin/true
            [Intent Note.Parameter link]
            """
        )
        try daemon.admitEverybody()
        return daemon
    }

    /// Starts a run that asks, and returns it with the link of its notification.
    private static func ask(
        _ daemon: Daemon,
        as account: String = user,
        _ words: [String] = ["Probe/AskSomething", "--way", "value"]
    ) throws -> (run: String, link: String) {
        let uid = try #require(getpwnam(account)).pointee.pw_uid
        let started = try daemon.start(as: uid, ["run", "--detach"] + words)
        #expect(started.exitCode() == 0, "\(started.errors)")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        var link: String?
        try eventually("the question is reported: \(daemon.errors)") {
            let runs = try daemon.json("history", "--by", "all")["runs"] as? [[String: Any]] ?? []
            guard let note = runs.first(where: { $0["intent"] as? String == "Note" })?["run"] as? String else {
                return false
            }
            let values = try daemon.json("show", note)["parameters"] as? [String: Any]
            link = values?["link"] as? String
            return true
        }
        return (run, try #require(link))
    }

    @Test func `a link shows its question and accepts one answer, and reading it changes nothing`() throws {
        let daemon = try Self.daemon(["AnswerLinks=yes"])
        let socket = daemon.folder.appending("http.sock").path
        let front = try WebServiceTests.start(daemon, at: socket)
        try eventually("the socket exists: \(front.errors)") { access(socket, F_OK) == 0 }
        let (run, link) = try Self.ask(daemon)
        #expect(link.hasPrefix("https://intents.example.org/answer/\(Self.user)/\(run).1."))
        let path = String(link.dropFirst("https://intents.example.org".count))
        func request(_ path: String, _ options: String...) throws -> (status: String, body: String) {
            try Self.request(socket, path, options)
        }
        for _ in 1...2 {
            let shown = try request(path, "-D", daemon.folder.appending("fields").path)
            #expect(shown.status == "200" && shown.body.contains("<h1>How many cups?</h1>"), "\(shown)")
            #expect(shown.body.contains("<form method=\"post\"") && !shown.body.contains("<script"))
        }
        let fields = try String(contentsOfFile: daemon.folder.appending("fields").path, encoding: .utf8)
        #expect(fields.contains("form-action 'self'") && !fields.contains("script-src"), "\(fields)")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try request(path, "-d", "value=many").status == "422")
        #expect(try request(path, "-d", "value=9").body.contains("from 1 to 5"))
        // Every other address has one answer.
        let other = path.replacing("/\(Self.user)/", with: "/\(WebServiceTests.unlisted)/")
        let changed = path.dropLast(1) + (path.hasSuffix("0") ? "1" : "0")
        let digest = path.replacing("\(run).1.", with: "\(run).2.")
        let refused = try Set(
            [other, String(changed), digest, "/answer/root/x", "/answer/x/y"].map { "\(try request($0))" }
        )
        #expect(refused.count == 1 && refused.first?.contains("404") == true, "\(refused)")
        #expect(try request(path, "-d", "value=4").body.contains("The answer was accepted"))
        let end = try daemon.intentctl("wait", run)
        #expect(end.code == 0 && end.output == "4\n", "\(end)")
        let answered = try daemon.intentctl("show", run)
        #expect(answered.output.contains("answer link"), "\(answered.output)")
        // The question is closed, and so is its link.
        #expect(try request(path, "-d", "value=4").status == "404")
        #expect(try request(path).status == "404")
        // An address that guesses waits.
        var statuses: Set<String> = []
        for _ in 1...40 where !statuses.contains("429") { statuses.insert(try request(other).status) }
        #expect(statuses.contains("429"))
    }

    @Test func `without the operator's permission, a notification has no link`() throws {
        #expect(try Self.ask(Self.daemon()).link.isEmpty)
    }

    private static func request(_ socket: String, _ path: String, _ options: [String] = []) throws -> (
        status: String, body: String
    ) {
        let curl = try Command(
            URL(filePath: "/usr/bin/curl"),
            ["-sS", "--unix-socket", socket, "-H", "Host: intents.example.org", "-w", "%{http_code}"] + options
                + ["http://localhost" + path]
        )
        #expect(curl.exitCode() == 0, "\(curl.errors)")
        return (String(curl.output.suffix(3)), String(curl.output.dropLast(3)))
    }

    private static let agents = ["[Agents]", "User=\(WebServiceTests.other)", "For=\(user)", "Allow=all", "Ask=always"]

    @Test(arguments: [true, false])
    func `with AnswerLinks=approvals, who holds the link approves or refuses what an agent requested`(isApproved: Bool)
        throws
    {
        let daemon = try Self.daemon(["AnswerLinks=approvals"] + Self.agents)
        let socket = daemon.folder.appending("http.sock").path
        let front = try WebServiceTests.start(daemon, at: socket)
        try eventually("the socket exists: \(front.errors)") { access(socket, F_OK) == 0 }
        let (run, link) = try Self.ask(daemon, as: WebServiceTests.other, ["Probe/Echo", "--text", "<b>buy</b>"])
        #expect(link.hasPrefix("https://intents.example.org/answer/\(Self.user)/\(run).0."), "\(link)")
        let path = String(link.dropFirst("https://intents.example.org".count))
        let shown = try Self.request(socket, path)
        // The page has all of the question: the agent, the intent and the values.
        #expect(shown.status == "200" && shown.body.contains("An agent, uid "), "\(shown)\(front.errors)")
        #expect(shown.body.contains("asks to perform Probe/Echo"), "\(shown)")
        #expect(shown.body.contains("text=&quot;&lt;b&gt;buy&lt;/b&gt;&quot;"), "\(shown)")
        #expect(shown.body.contains(">Allow</button>") && shown.body.contains(">Refuse</button>"), "\(shown)")
        #expect(try daemon.run(in: "asking") == run, "reading approves nothing")
        #expect(try Self.request(socket, path.replacing(".0.", with: ".1.")).status == "404")
        let answered = try Self.request(socket, path, ["-d", "value=\(isApproved)"])
        #expect(answered.body.contains("The answer was accepted"), "\(answered)\(front.errors)")
        let end = try daemon.intentctl("wait", run)
        #expect((end.code == 0) == isApproved, "\(end)")
        // The record names the link, and the account as the one that has decided.
        let decisions = try daemon.json("audit", "--by", "all")["decisions"] as? [[String: Any]] ?? []
        #expect(decisions.count == 1 && decisions[0]["isApproved"] as? Bool == isApproved, "\(decisions)")
        #expect((decisions.first?["software"] as? String)?.hasSuffix(", answer link") == true, "\(decisions)")
        #expect(try daemon.intentctl("audit", "--by", "all").output.contains(" \(Self.user) "))
        #expect(try Self.request(socket, path).status == "404", "the link works once")
    }

    @Test func `without AnswerLinks=approvals, an approval has no link`() throws {
        let daemon = try Self.daemon(["AnswerLinks=yes"] + Self.agents)
        #expect(try Self.ask(daemon, as: WebServiceTests.other, ["Probe/Echo", "--text", "a"]).link.isEmpty)
    }
}
