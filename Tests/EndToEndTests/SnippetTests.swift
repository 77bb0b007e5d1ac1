import Foundation
import TestSupport
import Testing

/// What an intent shows, from the worker to the screens.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct SnippetTests {
    /// Returns the identifier that the output tells the user to press.
    private func run(in text: String) throws -> String {
        String(try #require(text.firstMatch(of: /intentctl press (\w+) 1…2/)?.1, "\(text)"))
    }

    @Test func `a run shows its snippet after its dialog, and pressing a control refreshes it`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let shown = try daemon.intentctl("run", "Probe/ShowBowls")
        let first = """
            Here is your order.
            Bowls: 1
            ██░░░░░░░░░░░░░░░░░░ 10 %
            [1] One more
            [2] ☐ For two

            """
        #expect(shown.errors.hasPrefix(first), "\(shown.errors)")
        #expect(shown.output == "")
        let order = try run(in: shown.errors)
        let more = try daemon.intentctl("press", order, "1")
        #expect(more.code == 0, "\(more.errors)")
        let second = """
            The order has 2 bowls.
            Here is your order.
            Bowls: 2
            ████░░░░░░░░░░░░░░░░ 20 %
            [1] One more
            [2] ☑ For two

            """
        #expect(more.errors.hasPrefix(second), "\(more.errors)")
        // The controls of the refreshed snippet have the new values.
        let refreshed = try run(in: more.errors)
        let back = try daemon.intentctl("press", refreshed, "2")
        #expect(back.errors.contains("Bowls: 1\n"), "\(back.errors)")
        let story = try daemon.json("show", refreshed)
        #expect(story["intent"] as? String == "ShowBowls")
        let snippet = try #require(story["snippet"] as? [String: Any])
        #expect((snippet["elements"] as? [Any])?.count == 7)
        let why = try daemon.intentctl("why", refreshed).output
        #expect(why.contains("snippet:\n  Bowls: 2\n"), "\(why)")
    }

    @Test func `press says what is wrong with its words`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let shown = try run(in: daemon.intentctl("run", "Probe/ShowBowls").errors)
        let third = try daemon.intentctl("press", shown, "3")
        #expect(third.code == 66)
        #expect(third.errors.contains("run \(shown) has no control 3: its snippet has 2 controls"), "\(third.errors)")
        #expect(try daemon.intentctl("press", shown, "one").code == 64)
        let plain = try daemon.detach("Probe/CountUp")
        _ = try daemon.intentctl("wait", plain)
        let none = try daemon.intentctl("press", plain, "1")
        #expect(none.code == 66)
        #expect(none.errors.contains("run \(plain) has no snippet with buttons or toggles"), "\(none.errors)")
    }

    @Test func `a question shows its snippet, and the controls can be used before the answer`() throws {
        let daemon = try Daemon(app: ["State=yes"])
        let run = try daemon.detach("Probe/AskWithView")
        try eventually("the run asks") { try daemon.intentctl("ps").output.contains("asking") }
        let asked = try daemon.intentctl("answer", run)
        let lines = asked.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let shown = try #require(lines.firstIndex { $0.contains("Your order: 2 bowls") }, "\(asked)")
        let question = try #require(lines.firstIndex { $0.contains("Order it?") }, "\(asked)")
        #expect(shown < question || asked.output.contains("[1] One bowl"), "\(asked.output)")
        let pressed = try daemon.intentctl("press", run, "1")
        #expect(pressed.code == 0 && pressed.errors.contains("The order has 1 bowls."), "\(pressed.errors)")
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        #expect(try daemon.intentctl("wait", run).output == "ordered\n")
    }

    @Test(arguments: [
        ("value", "Sizes are small and large", "What size?", "huge", "huge"),
        ("pick", "Two sizes are left", "Size", "large", "large"),
        ("check", "A small bowl: 0.2 l", "Size: small?", "no", "another"),
        ("choose", "Two sizes are left", "Which size?", "Large", "Large"),
    ])
    func `every kind of question shows its view before the question`(
        way: String,
        view: String,
        question: String,
        answer: String,
        result: String
    ) throws {
        let daemon = try Daemon(app: ["State=yes"])
        let run = try daemon.detach("Probe/AskWithView", "--way", way)
        try eventually("the run asks") { try daemon.intentctl("ps").output.contains("asking") }
        let asked = try daemon.intentctl("answer", run).output
        let shown = try #require(asked.range(of: view), "\(asked)")
        #expect(asked[shown.upperBound...].contains(question), "\(asked)")
        #expect(try daemon.intentctl("answer", run, answer).code == 0)
        #expect(try daemon.intentctl("wait", run).output == "\(result)\n")
    }

    @Test func `verify names the modifiers that snippets ignore, and what clients do instead`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("Soup").path])
        #expect(verify.exitCode() == 0, "\(verify.output)")
        let warnings = verify.output.split(separator: "\n").filter { $0.contains("snippets ignore") }
        #expect(warnings == ["  warning     snippets ignore 'buttonStyle'"], "\(verify.output)")
        #expect(verify.output.contains("each client shows controls, lists and groups in its own style"))
        let folder = try TemporaryFolder()
        let stripped = folder.appending("Soup")
        let strip = try Command(URL(filePath: "/usr/bin/strip"), ["-o", stripped.path, Programs.url("Soup").path])
        #expect(strip.exitCode() == 0, "\(strip.errors)")
        let again = try Command(Programs.intentctl, ["verify", stripped.path])
        #expect(again.exitCode() == 0 && again.output.contains("snippets ignore 'buttonStyle'"), "\(again.output)")
        let other = try Command(Programs.intentctl, ["verify", Programs.url("Archive").path])
        #expect(other.exitCode() == 0 && !other.output.contains("snippets ignore"), "\(other.output)")
    }

    @Test func `the order of the example shows its lines and two buttons`() throws {
        let daemon = try Daemon()
        try daemon.install("Soup")
        let ordered = try daemon.intentctl("run", "Soup/OrderSoup", "--soup", "tomato", "--quantity", "2")
        #expect(ordered.code == 0, "\(ordered.errors)")
        for line in ["Your order", "2 × ", "[1] One more bowl", "[2] Menu"] {
            #expect(ordered.errors.contains(line), "\(ordered.errors)")
        }
        let again = try daemon.intentctl("press", run(in: ordered.errors), "1")
        #expect(again.code == 0 && again.errors.contains("1 × "), "\(again.errors)")
    }

    @Test func `a hostile snippet harms neither intentd nor the terminal`() throws {
        let daemon = try Daemon()
        for kind in ["deep", "large", "picture"] {
            let killed = try daemon.intentctl("run", "Probe/ShowHostile", "--kind", kind)
            #expect(killed.code == 70, "\(kind): \(killed.errors)")
        }
        let texts = try daemon.intentctl("run", "Probe/ShowHostile", "--kind", "texts")
        #expect(texts.code == 0)
        #expect(texts.errors == "\\u{1B}[2J(1) \\u{202E}Pay\nPress\n", "\(texts.errors)")
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test func `pictures are files of the result, which follow the files of its value`() throws {
        let daemon = try Daemon()
        let folder = try daemon.makeFolder("saved")
        let shown = try daemon.intentctl("run", "--out", folder.path, "Probe/ShowPictures")
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(shown.errors == "picture a.png\npicture b.png\n", "\(shown.errors)")
        let contents = try ["value.txt", "a.png", "b.png"].map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        #expect(contents == ["text", "a", "b"])
        // A detached run keeps all three files.
        let run = try daemon.detach("Probe/ShowPictures")
        _ = try daemon.intentctl("watch", run)
        let fetched = try daemon.intentctl("fetch", "--out", folder.path, run)
        #expect(fetched.output.split(separator: "\n").count == 3, "\(fetched.output) \(fetched.errors)")
    }

    @Test func `a host of an agent shows the pictures of a snippet, and every agent receives their names`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let server = try MCPProcess(daemon)
        let views = ["extensions": ["io.modelcontextprotocol/ui": ["mimeTypes": ["text/html;profile=mcp-app"]]]]
        let shown = try server.call("Probe_ShowPictures", ["kind": "png"], capabilities: views)
        #expect(shown.resultText.contains("picture a.png\npicture b.png"), "\(shown)")
        let meta = try #require(shown["_meta"] as? [String: Any], "\(shown)")
        let pictures = try #require(meta["dev.intentd/pictures"] as? [String: String], "\(meta)")
        #expect(pictures.keys.sorted() == ["1", "2"])
        let others = try server.call("Probe_ShowPictures", ["kind": "text"], capabilities: views)
        #expect((others["_meta"] as? [String: Any])?["dev.intentd/pictures"] == nil, "\(others)")

        let view = try server.request("resources/read", ["uri": "ui://intentd/snippet"])
        let document = try #require((view["contents"] as? [[String: Any]])?.first?["text"] as? String)
        let message =
            ["jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": ["_meta": meta]] as [String: Any]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
        let page = try daemon.makeFolder("view").appending(path: "view.html")
        try "\(document)<script>postMessage(\(json), '*')</script>".write(to: page, atomically: true, encoding: .utf8)
        let drawn = try WebPage.document(at: page)
        #expect(drawn.components(separatedBy: #" src="data:image/png;base64,"#).count == 3, "\(drawn)")
        #expect(drawn.contains(#"alt="a.png""#) && !drawn.contains("<figcaption"), "\(drawn)")
    }

    @Test func `an agent receives the snippet, and presses a control as a run of its own`() throws {
        let daemon = try Daemon(app: ["State=yes"], configuration: ["[Agents]", "Ask=never"])
        let server = try MCPProcess(daemon)
        let views = ["extensions": ["io.modelcontextprotocol/ui": ["mimeTypes": ["text/html;profile=mcp-app"]]]]
        let shown = try server.call("Probe_ShowBowls", capabilities: views)
        let run = try #require(shown.structured["run"] as? String, "\(shown)")
        #expect(shown.resultText.contains("Bowls: 1\n"), "\(shown)")
        let meta = shown["_meta"] as? [String: Any]
        #expect(meta?["dev.intentd/run"] as? String == run)
        #expect((meta?["dev.intentd/snippet"] as? [String: Any])?["elements"] != nil, "\(shown)")
        let pressed = try server.call("intent_press", ["run": run, "control": 1])
        #expect(pressed.structured["dialog"] as? String == "The order has 2 bowls.", "\(pressed)")
        let refreshed = try server.call("intent_refresh", ["run": run])
        #expect(refreshed.resultText.contains("Bowls: 2\n"), "\(refreshed)")
        let refused = try server.call("intent_press", ["run": run, "control": 9])
        #expect(refused["isError"] as? Bool == true)
        #expect(refused.resultText.contains("has no control 9"), "\(refused)")
        let plain = try #require(pressed.structured["run"] as? String)
        let none = try server.call("intent_refresh", ["run": plain])
        #expect(none.resultText.contains("has no snippet that an intent can refresh"), "\(none)")
        let view = try server.request("resources/read", ["uri": "ui://intentd/snippet"])
        let contents = try #require(view["contents"] as? [[String: Any]], "\(view)")
        #expect(contents.first?["mimeType"] as? String == "text/html;profile=mcp-app")
        let runs = try daemon.json("history")["runs"] as? [[String: Any]] ?? []
        #expect(runs.map { $0["entryPoint"] as? String } == ["mcp", "mcp", "mcp"], "\(runs)")
    }
}
