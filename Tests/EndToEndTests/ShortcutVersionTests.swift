import Foundation
import Glibc
import TestSupport
import Testing

/// Shortcuts during which the file, the access of the user, or the budget changes.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ShortcutVersionTests {
    @Test func `a shortcut that is edited or removed while it runs goes on as it began, also after a crash`() throws {
        let text = ShortcutTests.adding(then: "Await") + "\n[Step three]\nIntent=tools/Add\nValues=word=b\n"
        let daemon = try ShortcutTests.daemon(text, sharesLauncher: true)
        let run = try daemon.detach("Test/Long")
        try ShortcutTests.waitForStep("Await", in: daemon)
        let file = try daemon.writeShortcut(text.replacing("word=b", with: "word=edited"), as: "Test")
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        try ShortcutTests.waitForStep("Await", in: next)
        try FileManager.default.removeItem(at: file)
        #expect(try next.intentctl("run", "tools/Go").code == 0)
        let end = try next.intentctl("wait", run)
        #expect(end.code == 0, "\(end)")
        #expect(try ShortcutTests.log(of: next) == ["add a", "await", "add b"])
    }

    @Test func `an undo has the rights of its time, and the end names what access was withdrawn for`() throws {
        let daemon = try ShortcutTests.daemon(
            "[Shortcut Two]\nOnFailure=undo\n[Step one]\nIntent=tools/Add\nValues=word=a\n[Step other]\nIntent=more/Add\n"
                + "Values=word=b\n[Step wait]\nIntent=more/Await\n[Step last]\nIntent=more/Fail\n"
        )
        try daemon.writeCommands(ShortcutTests.tools, as: "more")
        let run = try daemon.detach("Test/Two")
        try ShortcutTests.waitForStep("Await", in: daemon)
        // Root may always perform an intent, so the undo itself is removed.
        try daemon.writeCommands(
            ShortcutTests.tools.replacing("[Intent Remove]", with: "[Intent Gone]")
                .replacing("[Intent Remove.Parameter word]", with: "[Intent Gone.Parameter word]")
                .replacing("Undo=Remove word=%{word}\n", with: "").replacing("Undo=Remove word=await\n", with: "")
        )
        #expect(try daemon.intentctl("run", "more/Go").code == 0)
        let end = try daemon.intentctl("wait", run)
        #expect(end.code == 1, "\(end)")
        #expect(end.errors.contains("undone: wait, other"), "\(end.errors)")
        #expect(end.errors.contains("not undone: one (tools has no intent 'Remove'"), "\(end.errors)")
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `a user who lost access during a shortcut undoes only what is still permitted`() throws {
        let daemon = try ShortcutTests.daemon(
            "[Shortcut Two]\nOnFailure=undo\n[Step one]\nIntent=more/Add\nValues=word=a\n[Step two]\nIntent=tools/Add\n"
                + "Values=word=b\n[Step wait]\nIntent=tools/Await\n[Step last]\nIntent=tools/Fail\n"
        )
        try daemon.writeCommands(ShortcutTests.tools, as: "more")
        try daemon.admitEverybody()
        let user: UInt32 = 42_440
        let started = try daemon.intentctl(as: user, "run", "--detach", "Test/Two")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try ShortcutTests.waitForStep("Await", in: daemon)
        try daemon.writeCommands(ShortcutTests.tools + "\n[Access]\nAllowUsers=root\n", as: "more")
        #expect(try daemon.intentctl("reload").code == 0)
        #expect(try daemon.intentctl(as: user, "run", "tools/Go").code == 0)
        let end = try daemon.intentctl(as: user, "wait", run)
        #expect(end.code == 1, "\(end)")
        #expect(end.errors.contains("undone: wait, two"), "\(end.errors)")
        #expect(end.errors.contains("not undone: one (you may not run"), "\(end.errors)")
    }

    @Test func `a full budget fails the step by name`() throws {
        let daemon = try Daemon(configuration: ["[History]", "MaxSize=4M"])
        try daemon.writeCommands(
            ShortcutTests.tools
                + "\n[Intent Large]\nExec=/bin/sh -c 'head -c 3000000 /dev/zero > \"$1\"' sh %{out:large}\n"
        )
        try daemon.writeShortcut(
            "[Shortcut Full]\n[Step one]\nIntent=tools/Large\n[Step two]\nIntent=tools/Add\nValues=word=a\n",
            as: "Test"
        )
        let ran = try daemon.intentctl("run", "Test/Full")
        #expect(ran.code == 1, "\(ran)")
        #expect(ran.errors.contains("step 'two': the results of your live shortcuts have"), "\(ran.errors)")
        #expect(ran.errors.contains("MaxSize= in [History]"), "\(ran.errors)")
        // The budget is free again when the shortcut has ended.
        #expect(try daemon.intentctl("run", "tools/Add", "--word", "b").code == 0)
    }
}
