import Foundation
import TestSupport
import Testing

// The tools of real apps, as a client receives them.
extension MCPTests {
    @Test func `every host accepts the tools of the examples, which have descriptions and say what they change`() throws
    {
        let daemon = try daemon([])
        for app in ["Library", "Soup", "Invoices", "Payments"] { try daemon.install(app) }
        let server = try MCPProcess(daemon)
        let tools = try server.request("tools/list")["tools"] as? [[String: Any]] ?? []
        for app in ["Archive", "Library", "Soup", "Invoices", "Payments"] {
            #expect(tools.contains { ($0["name"] as? String)?.hasPrefix("\(app)_") == true }, "\(app)")
        }
        for tool in tools {
            let name = tool["name"] as? String ?? ""
            #expect((tool["description"] as? String)?.isEmpty == false, "\(name)")
            for subset in try SchemaSubset.all() {
                #expect(subset.problems(in: tool["inputSchema"] ?? 0) == [], "\(subset.host), \(name)")
            }
        }
        // No app has access to the network here.
        let hints = tools.filter { ($0["name"] as? String)?.hasPrefix("Archive_") == true }
            .compactMap { ($0["annotations"] as? [String: Any])?["openWorldHint"] as? Bool }
        #expect(hints == [false, false, false])
        // An intent that only reads needs no approval, and an entity's find tool is named.
        let menu = try server.call("Soup_ListSoups")
        #expect((menu.structured["value"] as? [String])?.contains("tomato") == true, "\(menu)")
        let unknown = try server.call("Library_IndexBook", ["book": "nonesuch", "pages": 1])
        let error = unknown.structured["error"] as? [String: Any]
        #expect((error?["hint"] as? String)?.contains("Library_find_Book") == true, "\(unknown)")
    }

    @Test func `an app with more intents than a record holds has all its tools, in one page`() throws {
        let daemon = try daemon()
        try daemon.writeLargeCatalogs()
        let server = try MCPProcess(daemon)
        let listed = try server.request("tools/list")
        let names = (listed["tools"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        #expect(names.count == 1000 && listed["nextCursor"] != nil)
        let rest = try server.request("tools/list", ["cursor": try #require(listed["nextCursor"])])
        let others = (rest["tools"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        let all = Set(names + others)
        for app in ["many", "more", "most"] {
            #expect((0..<400).allSatisfy { all.contains("\(app)_Tell\($0)") }, "\(app)")
        }
        #expect(try server.call("most_Tell399", ["word": "a"]).structured["value"] as? String == "399 a")
        let few = try MCPProcess(daemon, ["--search", "--only", "mo*/Tell*7*"])
        let tools = (try few.request("tools/list")["tools"] as? [[String: Any]] ?? []).compactMap {
            $0["name"] as? String
        }
        #expect(tools.contains("intent_call") && tools.allSatisfy { $0.hasPrefix("intent_") }, "\(tools)")
        let called = try few.call("intent_call", ["tool": "more_Tell71", "arguments": ["word": "b"]])
        #expect(called.structured["value"] as? String == "71 b", "\(called)")
        #expect(try few.call("intent_call", ["tool": "many_Tell7"])["isError"] as? Bool == true)
    }

    @Test func `a client that listens is told of a new app, and the end of input ends the subscription`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let server = try MCPProcess(daemon)
        let subscription = try server.begin("subscriptions/listen", ["notifications": ["toolsListChanged": true]])
        let acknowledged = try #require(try server.receive())
        #expect(acknowledged["method"] as? String == "notifications/subscriptions/acknowledged", "\(acknowledged)")
        _ = try server.request("tools/list")
        try daemon.writeCommands("[Intent Tell]\nTitle=Tell\nExec=/bin/echo\n", as: "later")
        #expect(try daemon.intentctl("reload").code == 0)
        let list = try server.begin("tools/list")
        let changed = try #require(try server.receive())
        #expect(changed["method"] as? String == "notifications/tools/list_changed", "\(changed)")
        let meta = (changed["params"] as? [String: Any])?["_meta"] as? [String: Any]
        #expect(meta?["io.modelcontextprotocol/subscriptionId"] as? Int == subscription)
        let tools = try server.answer(to: list)["result"] as? [String: Any]
        let names = (tools?["tools"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        #expect(names.contains("later_Tell"), "\(names)")
        #expect(server.finish() == 0)
        #expect(try server.answer(to: subscription)["result"] != nil)
    }

    @Test func `more calls at a time than agents may have runs wait for room, and all succeed`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=never"])
        let server = try MCPProcess(daemon)
        _ = try server.call("Probe_Echo", ["text": "first"])
        let calls = try (0..<200).map { number in
            try server.begin("tools/call", ["name": "Probe_Echo", "arguments": ["text": "\(number)"]])
        }
        var open = Set(calls)
        while !open.isEmpty {
            let message = try #require(try server.receive())
            guard let id = message["id"] as? Int, let number = calls.firstIndex(of: id) else { continue }
            open.remove(id)
            let result = message["result"] as? [String: Any]
            #expect(result?["isError"] as? Bool == false, "\(message)")
            #expect((result?["structuredContent"] as? [String: Any])?["value"] as? String == "\(number)")
        }
    }

    @Test func `a call through the tool that calls tools waits for the approval that the tool needs`() throws {
        let daemon = try daemon([])
        try daemon.writeCommands(
            (0..<70).map { "[Intent Do\($0)]\nExec=/bin/echo \($0)\nResult=text\n" }.joined()
        )
        let server = try MCPProcess(daemon, ["--search"])
        let waiting = try server.call("intent_call", ["tool": "tools_Do7"])
        #expect(waiting.structured["state"] as? String == "waiting", "\(waiting)")
        let run = try #require(waiting.structured["run"] as? String)
        #expect(try daemon.intentctl("answer", run, "no").code == 0)
        #expect(try server.call("intent_run_result", ["run": run])["isError"] as? Bool == true)
    }
}
