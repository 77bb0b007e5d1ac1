import Foundation
import Glibc
import TestSupport
import Testing

/// `intentctl top` in a real terminal.
@Suite(.ownThread) struct TopTests {
    @Test(arguments: [(80, 24), (132, 40)])
    func `top shows live runs, fits the terminal, and restores it`(columns: Int, rows: Int) throws {
        guard access("/usr/bin/tmux", X_OK) == 0 else {
            try skipTest("needs tmux")
        }
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Ticking"])
        let run = try daemon.run()
        let tmux = { (words: [String]) throws -> String in
            let socket = daemon.folder.appending("tmux.sock").path
            // tmux's server would inherit the pipe by which Foundation notices the exit of a process, and keep it open.
            let closing =
                "for fd in $(ls /proc/$$/fd); do [ $fd -le 2 ] || eval \"exec $fd>&-\"; done; exec tmux \"$@\""
            let command = try Command(
                URL(fileURLWithPath: "/bin/bash"),
                ["-c", closing, "tmux", "-S", socket, "-f", "/dev/null"] + words
            )
            command.exitCode()
            return command.output
        }
        let shell = "PS1='ready> ' exec sh"
        _ = try tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell])
        defer { _ = try? tmux(["kill-session"]) }
        _ = try tmux([
            "send-keys", "'\(Programs.intentctl.path)' --socket '\(daemon.socket)' top; echo left:$?", "Enter",
        ])
        var screen = ""
        try eventually("the run is on the screen: \(screen)") {
            screen = try tmux(["capture-pane", "-p"])
            // The last line of the picture is drawn last.
            return screen.contains(run) && screen.contains("PROGRESS") && screen.contains("running")
                && screen.contains("(q: exit)")
        }
        #expect(screen.split(separator: "\n", omittingEmptySubsequences: false).count <= rows + 1)
        #expect(!screen.contains("ready>"))
        _ = try tmux(["send-keys", "q"])
        try eventually("the old screen is back: \(screen)") {
            screen = try tmux(["capture-pane", "-p"])
            return screen.contains("left:0") && !screen.contains("PROGRESS")
        }
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
    }

    @Test(.enabled(if: Terminals.isThere, "needs tmux"))
    func `top shows what a waiting run waits for`() throws {
        let daemon = try Daemon(limits: ["Concurrency=1 by=seconds"])
        _ = try daemon.detach("Probe/Slow", "--seconds", "600")
        _ = try daemon.run()
        _ = try daemon.detach("Probe/Slow", "--seconds", "600")
        let terminals = Terminals(in: daemon.folder)
        try terminals.open("t", columns: 160)
        try terminals.type("'\(Programs.intentctl.path)' --socket '\(daemon.socket)' top", in: "t")
        try terminals.wait("t", for: "waits: other runs of Probe with seconds=600 have not ended (Concurrency=1")
    }

    @Test(.enabled(if: Terminals.isThere, "needs tmux"), arguments: [(80, 24, SIGTERM), (132, 40, SIGQUIT)])
    func `top redraws without clearing the screen first, and restores the terminal after a signal`(
        columns: Int,
        rows: Int,
        signal: Int32
    ) throws {
        let daemon = try Daemon()
        let running = try daemon.start(["run", "Probe/Ticking"])
        let run = try daemon.run()
        let terminals = Terminals(in: daemon.folder)
        let raw = daemon.folder.appending("raw").path
        try terminals.open("t", columns: columns, rows: rows)
        try terminals.record("t", to: raw)
        let program = "exec \"\(Programs.intentctl.path)\" --socket \"\(daemon.socket)\" top"
        let number = daemon.folder.appending("number").path
        try terminals.type("sh -c 'echo $$ >\"\(number)\"; \(program)'; echo left:$?", in: "t")
        func pictures() -> [String] {
            let text = String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: raw))) ?? Data(), as: UTF8.self)
            return text.components(separatedBy: "\u{1b}[H")
        }
        try eventually("several pictures are drawn: \(pictures().count)") { pictures().count > 4 }
        try terminals.wait("t", for: run)
        let text = try String(contentsOfFile: number, encoding: .utf8)
        kill(try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))), signal)
        try terminals.wait("t", for: "left:\(128 + signal)")
        try terminals.waitForShell("t")
        // tmux may write the recording after it updates the screen.
        try eventually("the end is recorded") { pictures().last?.contains("left:\(128 + signal)") == true }
        let all = pictures()
        let whole = all.joined()
        #expect(whole.components(separatedBy: "\u{1b}[2J").count == 1)
        #expect(whole.components(separatedBy: "\u{1b}[?1049h").count == 2)
        #expect(whole.components(separatedBy: "\u{1b}[?25h\u{1b}[?1049l").count == 2)
        for picture in all.dropFirst().dropLast() {
            // Each picture clears the rest of the screen only after it is drawn.
            #expect(picture.hasSuffix("\u{1b}[J") && picture.components(separatedBy: "\u{1b}[J").count == 2)
            #expect(picture.components(separatedBy: "\r\n").count <= rows)
        }
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
    }

    @Test(.enabled(if: Terminals.isThere, "needs tmux"))
    func `an arrow key leaves top open, and the shell has its screen while top is stopped`() throws {
        let daemon = try Daemon()
        let terminals = Terminals(in: daemon.folder)
        try terminals.open("t", shell: "bash --norc --noprofile")
        let number = daemon.folder.appending("number").path
        let program = "exec \"\(Programs.intentctl.path)\" --socket \"\(daemon.socket)\" top"
        try terminals.type("sh -c 'echo $$ >\"\(number)\"; \(program)'; echo left:$?", in: "t")
        try terminals.wait("t", for: "(q: exit)")
        for key in ["Up", "Home", "F5"] { try terminals.press(key, in: "t") }
        // More pictures than keys: the last ones follow a second without a key. A key that is not read is the shell's.
        var pictures: Set<String> = []
        try eventually("top draws on: \(pictures.count)") {
            pictures.insert(try terminals.screen("t")).inserted && pictures.count > 5
        }
        let text = try String(contentsOfFile: number, encoding: .utf8)
        kill(try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))), SIGTSTP)
        try terminals.waitForShell("t")
        #expect(try !terminals.screen("t").contains("(q: exit)"))
        try terminals.type("fg", in: "t")
        try terminals.wait("t", for: "(q: exit)")
        try terminals.press("q", in: "t")
        try terminals.waitForShell("t")
        #expect(try !terminals.screen("t").contains("(q: exit)"))
    }

    @Test func `top without a terminal suggests 'intentctl ps'`() throws {
        let top = try Daemon().intentctl("top")
        #expect(top.code == 64)
        #expect(top.errors.contains("intentctl ps"))
    }
}
