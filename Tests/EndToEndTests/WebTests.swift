import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests the page of `intentctl web` in Chromium, controlled by the scenarios of Tests/Web.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct WebTests {
    @Test func `the page shows, runs, answers, cancels, undoes and explains`() throws {
        let daemon = try Daemon(
            app: ["State=yes"],
            configuration: ["[Agents]", "Allow=all", "Ask=always", "ApproveFor=1h"]
        )
        try daemon.install("Library")
        #expect(try daemon.intentctl("reload").code == 0)
        let client = try SocketClient(daemon)
        let text = "echo from an agent # nothing else\nrm -rf $HOME/x\u{202E}"
        var request = SocketClient.performance(of: "Echo", ["text": text])
        request["entryPoint"] = "mcp"
        request["onDisconnect"] = "continue"
        let run = try #require(try client.ask(request)["run"] as? String)
        var other = SocketClient.performance(of: "Add", ["first": 1, "second": 2])
        other["entryPoint"] = "mcp"
        let standing = try #require(try client.ask(other)["run"] as? String)
        #expect(try daemon.intentctl("answer", standing, "yes", "--for", "30m").code == 0)
        let page = try WebPage(daemon)
        try page.finish(page.start("features", environment: ["AGENT_RUN": run, "STANDING_RUN": standing]))
        #expect(try daemon.json("status")["standingApprovals"] == nil)
    }

    @Test func `every value of every type survives entry, storage, repetition and the command line`() throws {
        let daemon = try Daemon()
        let types = [
            "text": "string", "key": "string\nSecret=yes", "number": "integer", "ratio": "number", "day": "date",
            "clock": "time", "moment": "datetime", "words": "string\nList=yes",
        ]
        let parameters = types.sorted { $0.key < $1.key }
            .map { "[Intent Take.Parameter \($0.key)]\nType=\($0.value)\nOptional=yes\n" }
        let file = """
            [Intent Take]
            Title=Take values
            Exec=/bin/true
            \(parameters.joined())
            [Intent Erase]
            Title=Erase
            Exec=/bin/true
            Destructive=yes
            """
        try Data(file.utf8).write(to: daemon.folder.appending("commands/Values.intents"))
        let reloading = try daemon.intentctl("reload")
        #expect(reloading.code == 0, "\(reloading.errors)")
        let page = try WebPage(daemon)
        let intentctl = "\(Programs.intentctl.path) --socket \(daemon.socket)"
        try page.finish(page.start("values", environment: ["INTENTCTL": intentctl]))
    }

    @Test func `more tabs and windows than a browser has connections are usable, and follow runs`() throws {
        let daemon = try Daemon()
        let page = try WebPage(daemon)
        try page.finish(page.start("tabs"))
    }

    @Test func `output is shown as on a terminal, with its end, and stays under the reader`() throws {
        let daemon = try Daemon()
        let file = #"""
            [Intent Escapes]
            Title=Print escapes
            Exec=/bin/printf '10 %%%%\\r100 %%%%\\nlonger\\r\\033[Kshort\\n\\033]0;title\\007\\033(B\\033[1;31mbold red\\033[m\\nabc\\bd\\n\\342\\200\\256end'

            [Intent Many]
            Title=Print many lines
            Exec=/usr/bin/awk 'BEGIN { for (i = 1; i <= 40000; i++) print "line " i }'

            [Intent Endless]
            Title=Print lines
            Runtime=10min
            Exec=/bin/sh -c 'i=1; while :; do n=$((i + 2000)); while [ $i -lt $n ]; do echo "line $i"; i=$((i + 1)); done; sleep 0.2; done'
            """#
        try Data(file.utf8).write(to: daemon.folder.appending("commands/Printer.intents"))
        let reloading = try daemon.intentctl("reload")
        #expect(reloading.code == 0, "\(reloading.errors)")
        let page = try WebPage(daemon)
        try page.finish(page.start("output"))
    }

    @Test func `the page loads catalogues for which a list of apps has no room`() throws {
        let daemon = try Daemon()
        try daemon.writeLargeCatalogs()
        // On a busy machine, the apps may not describe themselves in time at first.
        try eventually("the apps are described, and the list omits a catalogue") {
            _ = try daemon.intentctl("reload")
            let apps = try SocketClient(daemon).ask(["type": "list"])["apps"] as? [[String: Any]] ?? []
            return apps.allSatisfy { $0["problem"] == nil } && apps.contains { $0["catalog"] == nil }
        }
        let page = try WebPage(daemon)
        try page.finish(page.start("omitted"))
    }

    @Test func `the page fits clocks, locales, narrow windows, forced colours and paper`() throws {
        let daemon = try Daemon()
        let file = """
            [Intent Long]
            Title=A long word
            Exec=/bin/true

            [Intent Long.Parameter word]
            Title=Word

            [Intent Slow]
            Title=\(String(repeating: "slow", count: 40))
            Exec=/bin/sleep 1000
            Runtime=1s
            """
        try Data(file.utf8).write(to: daemon.folder.appending("commands/Words.intents"))
        let reloading = try daemon.intentctl("reload")
        #expect(reloading.code == 0, "\(reloading.errors)")
        let page = try WebPage(daemon)
        try page.finish(page.start("surroundings"))
    }

    @Test func `the page continues after intentd was killed during a run, and after its link was lost`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        let page = try WebPage(daemon)
        let scenario = try page.start("restart")
        try page.waitFor("running", of: scenario)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        try page.tell("killed")
        try page.waitFor("away", of: scenario)
        let next = try Daemon(after: daemon)
        try page.tell("restarted")
        try page.waitFor("continues", of: scenario)
        try next.bring()
        page.finish(scenario)
    }

    @Test func `files of the page continue where a connection was lost`() throws {
        let daemon = try Daemon()
        let page = try WebPage(daemon)
        try page.finish(page.start("cut"))
    }

    @Test func `the page shows the steps of a shortcut with their values, and what was undone`() throws {
        let daemon = try ShortcutTests.daemon(ShortcutTests.adding(then: "Await"))
        let run = try daemon.detach("Test/Long")
        try ShortcutTests.waitForStep("Await", in: daemon)
        let page = try WebPage(daemon)
        let scenario = try page.start("shortcut", environment: ["RUN": run])
        try page.waitFor("live", of: scenario)
        #expect(try daemon.intentctl("cancel", run).code == 0)
        page.finish(scenario)
    }

    @Test func `the page shows another host over ssh, with files, and over another ssh after the first was killed`()
        throws
    {
        let daemon = try Daemon()
        let hosts = try SSHHosts(["web1": daemon.socket])
        let page = try WebPage(daemon) { try hosts.start(["--host", "web1", "web"] + $0) }
        let scenario = try page.start("host")
        try page.waitFor("advances", of: scenario)
        let ssh = try SSHHosts.ssh(of: page.server)
        kill(ssh, SIGKILL)
        try eventually("another ssh was started") { try SSHHosts.ssh(of: page.server) != ssh }
        try page.tell("killed")
        page.finish(scenario)
        let family = ProcessFamily.children(of: page.server.number)
        let front = try #require(family.first { $0.value == "intentd-web" }?.key)
        page.server.signal(SIGKILL)
        // The command line of a process that has exited is empty (proc(5)).
        try eventually("the server ends with intentctl") {
            (try? String(contentsOfFile: "/proc/\(front)/cmdline", encoding: .utf8))?.isEmpty != false
        }
    }

    @Test(.enabled(if: FleetHosts.obstacle == nil, Comment(rawValue: FleetHosts.obstacle ?? "")))
    func `the view of a host lists the hosts of its fleet`() throws {
        let fleet = try FleetHosts(["web1", "web2"])
        try fleet.command("drain", "web2")
        let host = fleet["web1"]
        let page = try WebPage(host.daemon) {
            try Command(
                Programs.intentctl,
                ["--socket", host.daemon.socket, "web"] + $0,
                environment: ["INTENTD_FLEET_SOCKET": host.socket]
            )
        }
        try page.finish(page.start("fleet"))
    }

    @Test func `1,000 live runs need few rows and little memory`() throws {
        let daemon = try Daemon(configuration: ["MaxRuns=1", "MaxQueued=2000"])
        let client = try SocketClient(daemon)
        for _ in 0..<1001 {
            var request = SocketClient.performance(of: "AwaitFile")
            request["onDisconnect"] = "continue"
            _ = try client.ask(request)
        }
        let page = try WebPage(daemon)
        let scenario = try page.start("many")
        page.finish(scenario)
        print(scenario.output)
    }

    /// 21,000 runs in every run of the tests, a million by `Tests/endurance web`.
    @Test func `every run of a large history can be reached, and the oldest is found`() throws {
        let daemon = try Daemon(configuration: ["[History]", "MaxSize=infinity"])
        #expect(try daemon.intentctl("run", "Probe/Throws").code != 0)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "copied").code == 0)
        try eventually("the runs are recorded") {
            let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
            return try runs.count == 2
                && runs.allSatisfy {
                    try daemon.json("show", $0["run"] as? String ?? "")["exitedMilliseconds"] != nil
                }
        }
        daemon.signal(SIGTERM)
        _ = daemon.exitCode()
        let count = Endurance.isWhole ? 1_000_000 : 21_000
        let filling = try Command(
            URL(filePath: "/usr/bin/python3"),
            [
                WebPage.script("fill-history.py"), daemon.folder.appending("state/history.sqlite").path, String(count),
                "20",
            ]
        )
        try #require(filling.exitCode() == 0, "\(filling.errors)")
        let next = try Daemon(after: daemon)
        let page = try WebPage(next)
        let scenario = try page.start("large", environment: ["RUN_COUNT": String(count)])
        page.finish(scenario)
        print(scenario.output)
    }

    @Test func `forged requests are refused, and texts of apps are never interpreted`() throws {
        let daemon = try Daemon()
        try daemon.install("Attacker")
        let title = "<img src=x onerror=alert(1)> \u{202E}evil\u{2066} " + String(repeating: "long ", count: 1500)
        let file = """
            [Intent Evil]
            Title=\(title)
            Description=\(title)
            Exec=/bin/true
            """
        try Data(file.utf8).write(to: daemon.folder.appending("commands/Evil.intents"))
        let reloading = try daemon.intentctl("reload")
        #expect(reloading.code == 0, "\(reloading.errors)")
        let page = try WebPage(daemon)
        try page.finish(page.start("hostile"))
    }

    /// Compares all scalars, and the scalars at the ends of the table's ranges beside all kinds of neighbours.
    @Test func `the page escapes every text as the terminal does`() throws {
        let ends = ScalarKind.allCases.flatMap(\.bounds).flatMap { [$0, $0 &+ 1, $0 &- 1] }
            .compactMap(Unicode.Scalar.init)
        let neighbours = [
            "", "\u{26A0}", "1", "\u{628}", "\u{627}", "\u{94D}", "\u{845B}", "\u{1820}", "\u{64B}", "\u{20E3}",
        ]
        let pages = (0...0x10F).map { page in
            (0...UInt32(0xFFF)).compactMap { Unicode.Scalar(page << 12 | $0).map(String.init) }.joined(separator: "a")
        }
        let texts =
            pages
            + neighbours.flatMap { before in neighbours.map { after in ends.map { "\(before)\($0)\(after)x" }.joined() }
            }
        let units = String(decoding: try JSONEncoder().encode(texts.map { Array($0.utf16) }), as: UTF8.self)
        let folder = try TemporaryFolder()
        let path = WebPage.script("../../Sources/Remote/intentd-web/page/js/safe-text.js")
        let script = try String(contentsOfFile: path, encoding: .utf8)
        let file = folder.appending("escape.html")
        let document = """
            <!doctype html><meta charset="utf-8"><pre id="sums"></pre><script>
            \(script.replacing(/export \{.*/, with: ""))
            const texts = \(units);
            const sum = (text) => {
                let sum = 0;
                for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) >>> 0;
                return sum;
            };
            document.getElementById("sums").textContent = texts.map((units) => {
                let text = "";
                for (const unit of units) text += String.fromCharCode(unit);
                return [shownLine, shownText, quotedText].map((escape) => sum(escape(text)));
            }).join(" ");
            </script>
            """
        try Data(document.utf8).write(to: file)
        let page = try WebPage.document(at: file)
        let sums = try #require(page.firstMatch(of: /<pre id="sums">([0-9, ]*)<\/pre>/)).1.split(separator: " ")
        #expect(sums.count == texts.count)
        for (text, given) in zip(texts, sums) {
            let expected = [SafeText.line(text), SafeText.printed(text), SafeText.quoted(text)].map { shown in
                String(shown.utf16.reduce(into: UInt32(0)) { $0 = $0 &* 31 &+ UInt32($1) })
            }
            if expected.joined(separator: ",") != given {
                Issue.record("the page escapes \(text.debugDescription.prefix(80)) differently")
            }
        }
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root, to run as another user"))
    func `the page of another user shows none of a user's runs`() throws {
        let daemon = try Daemon()
        try daemon.admitEverybody()
        let run = try daemon.detach("Probe/AwaitFile")
        let page = try WebPage(daemon, as: 42_425)
        try page.finish(page.start("other-user", environment: ["FOREIGN_RUN": run]))
    }

    @Test func `behind a socket, only the user has access to the page, until the server exits`() throws {
        let daemon = try Daemon()
        let socket = daemon.folder.appending("web.sock").path
        let page = try WebPage(daemon, arguments: ["--listen-socket", socket])
        #expect(page.server.errors.contains("ssh -L 8484:\(socket) "))
        var status = stat()
        #expect(stat(socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
        page.server.signal(SIGTERM)
        #expect(page.server.exitCode() == 0)
        #expect(access(socket, F_OK) != 0)
    }

    @Test func `the browser of the desktop is opened without the token among the arguments`() throws {
        let daemon = try Daemon()
        let bin = try daemon.makeFolder("desktop")
        let opened = bin.appending(path: "opened").path
        try Script.write(
            "echo \"$@\" >\(opened).new; cat \"$1\" >>\(opened).new; mv \(opened).new \(opened)",
            at: bin.appending(path: "xdg-open").path
        )
        let page = try WebPage(daemon) {
            try Command(
                Programs.intentctl,
                ["--socket", daemon.socket, "web", "--open"] + $0,
                environment: ["PATH": bin.path + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": daemon.folder.url.path]
            )
        }
        try eventually("xdg-open was started") { access(opened, F_OK) == 0 }
        let lines = try String(contentsOfFile: opened, encoding: .utf8).split(separator: "\n", maxSplits: 1)
        #expect(!lines[0].contains("token") && lines[1].contains(page.url))
        page.server.signal(SIGTERM)
        #expect(page.server.exitCode() == 0)
        #expect(access(String(lines[0]), F_OK) != 0)
    }

    @Test func `mistakes on the command line are explained`() throws {
        let daemon = try Daemon()
        #expect(
            try daemon.intentctl("web", "--port", "many").errors.contains(
                "expected a number from 0 to 65535, got 'many'"
            )
        )
        #expect(try daemon.intentctl("web", "--port", "1", "--listen-socket", "x").code == 64)
        let page = try WebPage(daemon)
        let port = try #require(page.url.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1)
        let files = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Remote/intentd-web/page")
        let taken = try daemon.intentctl("web", "--page", files.path, "--port", String(port))
        #expect(taken.code == 1 && taken.errors.contains("Choose another --port"), "\(taken.errors)")
        let missing = try daemon.intentctl("web", "--page", "/nowhere")
        #expect(missing.code == 1 && missing.errors.contains("/nowhere"), "\(missing.errors)")
    }
}
