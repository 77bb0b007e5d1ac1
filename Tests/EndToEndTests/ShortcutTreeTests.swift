import Foundation
import Glibc
import TestSupport
import Testing

/// The tree of a shortcut while it runs, and its undo after its shortcut was removed.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ShortcutTreeTests {
    private static let text = ShortcutTests.adding(then: "Await") + "\n[Step three]\nIntent=tools/Fail\n"

    @Test func `watch prints each step when it begins and when it ends, and what was undone`() throws {
        let daemon = try ShortcutTests.daemon(Self.text)
        let run = try daemon.detach("Test/Long")
        try ShortcutTests.waitForStep("Await", in: daemon)
        let watch = try Command(
            Programs.intentctl,
            ["watch", "--no-input", run],
            environment: ["INTENTD_SOCKET": daemon.socket]
        )
        try watch.waitFor("  two: tools/Await running")
        #expect(watch.errors.contains("  one: tools/Add word=\"a\" done"), "\(watch.errors)")
        #expect(try daemon.intentctl("run", "tools/Go").code == 0)
        #expect(watch.exitCode() == 0)
        for line in [
            "  two: tools/Await done", "  three: tools/Fail failed", "  undo two: tools/Remove word=\"await\"",
            "  undo one: tools/Remove word=\"a\" done",
        ] { #expect(watch.errors.contains(line), "\(line): \(watch.errors)") }
        #expect(watch.errors.components(separatedBy: "one: tools/Add").count == 2, "\(watch.errors)")
    }

    @Test(.enabled(if: Terminals.isThere, "tmux is not installed"))
    func `watch draws the tree again on a terminal, so that each step has one line`() throws {
        let daemon = try ShortcutTests.daemon(Self.text)
        let terminals = Terminals(in: daemon.folder)
        try terminals.open("one")
        let run = try daemon.detach("Test/Long")
        try terminals.type(
            "INTENTD_SOCKET='\(daemon.socket)' '\(Programs.intentctl.path)' watch \(run); echo left:$?",
            in: "one"
        )
        try terminals.wait("one", for: "  two: tools/Await running")
        #expect(try daemon.intentctl("run", "tools/Go").code == 0)
        try terminals.wait("one", for: "left:0")
        let screen = try terminals.screen("one")
        #expect(!screen.contains("tools/Await running"), "\(screen)")
        for line in [
            "one: tools/Add word=\"a\" done", "two: tools/Await done", "undo one: tools/Remove word=\"a\" done",
        ] {
            #expect(screen.components(separatedBy: "  \(line)").count == 2, "\(line): \(screen)")
        }
    }

    @Test func `watch of a shortcut in another one shows the steps of both`() throws {
        let daemon = try ShortcutTests.daemon(Self.text)
        try daemon.writeShortcut(
            "[Shortcut Outer]\n[Step inner]\nShortcut=Test\nOnError=continue\n[Step after]\nIntent=tools/Add\nValues=word=b\n",
            as: "Outer"
        )
        let run = try daemon.detach("Outer/Outer")
        try ShortcutTests.waitForStep("Await", in: daemon)
        #expect(try daemon.intentctl("run", "tools/Go").code == 0)
        #expect(try daemon.intentctl("wait", run).code == 0)
        let tree = try daemon.intentctl("watch", "--no-input", run).errors
        #expect(tree.contains("  inner: Test/Long failed") && tree.contains("    undo one: tools/Remove"), "\(tree)")
        #expect(tree.contains("  after: tools/Add word=\"b\" done"), "\(tree)")
    }

    @Test func `a user stores a removed shortcut again to undo its run, as the refusal says`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands(ShortcutTests.tools)
        let file = try daemon.folder.file(
            "Mine.shortcut",
            "[Shortcut Mine]\n[Step one]\nIntent=tools/Add\nValues=word=a\n[Step two]\nIntent=tools/Add\nValues=word=b\n"
        )
        #expect(try daemon.intentctl("shortcut", "add", file.path).code == 0)
        let run = try daemon.detach("Mine/Mine")
        #expect(try daemon.intentctl("wait", run).code == 0)
        #expect(try daemon.intentctl("shortcut", "remove", "Mine").code == 0)
        let refused = try daemon.intentctl("undo", run)
        #expect(refused.code == 66 && refused.errors.contains("intentctl shortcut add"), "\(refused)")
        #expect(try daemon.intentctl("shortcut", "add", file.path).code == 0)
        for _ in 1...2 {
            let undone = try daemon.intentctl("undo", run)
            #expect(undone.code == 0, "\(undone)")
        }
        #expect(try ShortcutTests.log(of: daemon) == ["add a", "add b", "remove b", "remove a"])
    }

    @Test func `the run of an installed shortcut is not undone after its file was removed, with the reason`() throws {
        let text = "[Shortcut All]\n[Step one]\nIntent=tools/Add\nValues=word=a\n"
        let daemon = try ShortcutTests.daemon(text)
        let run = try daemon.detach("Test/All")
        #expect(try daemon.intentctl("wait", run).code == 0)
        try FileManager.default.removeItem(at: try daemon.writeShortcut(text, as: "Test"))
        let refused = try daemon.intentctl("undo", run)
        #expect(refused.code == 66 && refused.errors.contains("Test"), "\(refused)")
        try daemon.writeShortcut(text, as: "Test")
        #expect(try daemon.intentctl("undo", run).code == 0)
        #expect(try ShortcutTests.log(of: daemon) == ["add a", "remove a"])
    }

    // MARK: A shortcut is an intent

    @Test func `new --shortcut writes a file that verify accepts and a service performs`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands(ShortcutTests.tools)
        let folder = try TemporaryFolder()
        let made = try Command(
            Programs.intentctl,
            ["new", "--shortcut", "Both", "tools/Words", "tools/Go"],
            environment: ["INTENTD_SOCKET": daemon.socket],
            directory: folder.url
        )
        #expect(made.exitCode() == 0, "\(made.errors)")
        let text = try String(contentsOf: folder.appending("Both.shortcut"), encoding: .utf8)
        try Data(ShortcutTests.tools.utf8).write(to: folder.appending("tools.intents"))
        let verdict = try Command(Programs.intentctl, ["verify", "Both.shortcut"], directory: folder.url)
        #expect(verdict.exitCode() == 0, "\(verdict.output)\(verdict.errors)")
        try daemon.writeShortcut(text, as: "Both")
        let ran = try daemon.intentctl("run", "Both/Both")
        #expect(ran.code == 0, "\(ran)")
    }

    @Test func `a shortcut is a tool of the MCP server, with the schema of its parameters`() throws {
        let daemon = try ShortcutTests.daemon(
            """
            [Shortcut Sum]
            Title=Add five
            Result=%{one}
            [Shortcut Sum.Parameter a]
            Type=integer
            [Step one]
            Intent=tools/Number
            Values=a=%{a} b=5
            """
        )
        let server = try MCPProcess(daemon)
        let listed = try server.request("tools/list")
        let tools = try #require(listed["tools"] as? [[String: Any]], "\(listed)")
        let tool = try #require(tools.first { ($0["name"] as? String)?.hasPrefix("Test_") == true }, "\(tools)")
        let schema = tool["inputSchema"] as? [String: Any]
        let properties = schema?["properties"] as? [String: [String: Any]]
        #expect(properties?["a"]?["type"] as? String == "integer", "\(tool)")
    }
}
