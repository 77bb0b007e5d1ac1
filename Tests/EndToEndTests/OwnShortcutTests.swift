import Foundation
import Glibc
import TestSupport
import Testing

/// `intentctl shortcut`: shortcuts that a user stores, and `run --dry-run`.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct OwnShortcutTests {
    private static let text = """
        [Shortcut Twice]
        Title=Add twice
        [Shortcut Twice.Parameter word]
        [Step one]
        Intent=tools/Add
        Values=word=%{word}
        [Step two]
        Intent=tools/Add
        Values=word=%{one}-again
        """

    private static func daemon() throws -> (Daemon, URL) {
        let daemon = try Daemon()
        try daemon.writeCommands(ShortcutTests.tools)
        return (daemon, try daemon.folder.file("Mine.shortcut", text))
    }

    @Test func `a stored shortcut is performed and listed, and the list tells whether its file differs`() throws {
        let (daemon, file) = try Self.daemon()
        let added = try daemon.intentctl("shortcut", "add", file.path)
        #expect(added.code == 0 && added.output.contains("'intentctl run Mine/Twice'"), "\(added)")
        #expect(try daemon.intentctl("list").output.contains("Mine"))
        #expect(try daemon.intentctl("describe", "Mine/Twice").output.contains("Add twice"))
        #expect(try daemon.intentctl("shortcut", "list").output.contains("\(file.path) (unchanged)"))
        let ran = try daemon.intentctl("run", "Mine/Twice", "--word", "a")
        #expect(ran.code == 0, "\(ran)")
        #expect(try ShortcutTests.log(of: daemon) == ["add a", "add a-again"])
        try Data((Self.text + "\n# changed\n").utf8).write(to: file)
        #expect(try daemon.intentctl("shortcut", "list").output.contains("(differs: add it again)"))
        try FileManager.default.removeItem(at: file)
        #expect(try daemon.intentctl("shortcut", "list").output.contains("(missing)"))
        #expect(try daemon.intentctl("shortcut", "remove", "Mine").code == 0)
        let gone = try daemon.intentctl("run", "Mine/Twice", "--word", "a")
        #expect(gone.code == 66, "\(gone)")
        #expect(try daemon.intentctl("shortcut", "remove", "Mine").code == 66)
    }

    @Test func `a stored shortcut outlives intentd, which never opens its file`() throws {
        let (daemon, file) = try Self.daemon()
        #expect(try daemon.intentctl("shortcut", "add", file.path).code == 0)
        try FileManager.default.removeItem(at: file)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "Mine/Twice", "--word", "a").code == 0)
    }

    @Test func `a file with mistakes, with settings, or with the name of an app is not stored`() throws {
        let (daemon, _) = try Self.daemon()
        for (name, text, message) in [
            (
                "Bad.shortcut", "[Shortcut A]\n[Step one]\nIntent=tools/Add\nValues=word=%{two}\n",
                "Bad.shortcut:2: [Step one]"
            ),
            ("Rules.shortcut", Self.text + "\n[Agents]\nAsk=never\n", "[Agents]: only a file of the operator"),
            ("tools.shortcut", Self.text, "an installed app has the name 'tools'"),
            ("plan.shortcut", Self.text, "expected the name of an app, got 'plan'"),
        ] {
            let refused = try daemon.intentctl("shortcut", "add", try daemon.folder.file(name, text).path)
            #expect(refused.code != 0 && refused.errors.contains(message), "\(refused)")
        }
        #expect(try daemon.intentctl("shortcut", "list").output.contains("no shortcut is stored"))
    }

    @Test func `a user can store a bounded number of shortcuts`() throws {
        let (daemon, _) = try Self.daemon()
        let client = try SocketClient(daemon)
        for number in 0...64 {
            let text = "[Shortcut A]\n[Step one]\nWait=1s\n"
            let answer = try client.ask(["type": "addShortcut", "name": "S\(number)", "text": text])
            #expect(answer["type"] as? String == (number < 64 ? "shortcutAdded" : "error"), "\(answer)")
        }
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `a shortcut stands in the catalogues of its user only, and two users can use one name`() throws {
        let (daemon, _) = try Self.daemon()
        try daemon.admitEverybody()
        for user in [UInt32(42_430), 42_431] {
            let home = try daemon.makeFolder("shortcuts-\(user)")
            let file = home.appending(path: "Mine.shortcut")
            try Data(Self.text.replacing("Add twice", with: "Of \(user)").utf8).write(to: file)
            chown(home.path, user, user)
            chmod(home.path, 0o755)
            #expect(try daemon.intentctl(as: user, "shortcut", "add", file.path).code == 0)
            let listed = try daemon.intentctl(as: user, "describe", "Mine/Twice").output
            #expect(listed.contains("Of \(user)"), "\(listed)")
        }
        #expect(try daemon.intentctl(as: 42_430, "describe", "Mine/Twice").output.contains("Of 42430"))
        #expect(try daemon.intentctl(as: 42_432, "describe", "Mine/Twice").code == 66)
        #expect(try !daemon.intentctl(as: 42_432, "list").output.contains("Mine"))
        #expect(try daemon.intentctl(as: 42_432, "shortcut", "remove", "Mine").code == 66)
        #expect(try daemon.intentctl(as: 42_430, "shortcut", "remove", "Mine").code == 0)
        #expect(try daemon.intentctl(as: 42_431, "describe", "Mine/Twice").code == 0)
    }

    @Test func `a dry run performs nothing, and tells the steps with the values that are known`() throws {
        let (daemon, file) = try Self.daemon()
        #expect(try daemon.intentctl("shortcut", "add", file.path).code == 0)
        try daemon.writeShortcut(Self.text, as: "Test")
        for name in ["Mine", "Test"] {
            let dry = try daemon.intentctl("run", "--dry-run", "\(name)/Twice", "--word", "a")
            #expect(dry.code == 0, "\(dry)")
            #expect(dry.output.contains(#"  one: tools/Add word="a""#), "\(dry)")
            #expect(dry.output.contains(#"  two: tools/Add word="%{one}-again""#), "\(dry)")
        }
        let plain = try daemon.intentctl("run", "--dry-run", "tools/Add", "--word", "a")
        #expect(plain.output == "would perform tools/Add word=a\n", "\(plain)")
        #expect((try daemon.json("history")["runs"] as? [[String: Any]] ?? []).isEmpty)
    }
}
