import Foundation
import Glibc
import TestSupport
import Testing

/// The pager for long output on a real terminal.
@Suite(
    .ownThread,
    .enabled(if: Terminals.isThere, "needs tmux"),
    .enabled(if: access("/usr/bin/less", X_OK) == 0, "needs less")
)
struct PagerTests {
    private let daemon: Daemon
    private let terminals: Terminals
    private let command: String

    init() throws {
        daemon = try Daemon()
        terminals = Terminals(in: daemon.folder)
        command = "'\(Programs.intentctl.path)' --socket '\(daemon.socket)'"
        for number in 0..<12 { #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "\(number)").code == 0) }
    }

    /// The recorded runs. Output to a pipe uses no pager, or this would hang.
    private func runs() throws -> [String] {
        let lines = try daemon.intentctl("history").output.split(separator: "\n")
        #expect(lines.count == 13)
        return try #require(try daemon.json("history")["runs"] as? [[String: Any]]).compactMap { $0["run"] as? String }
    }

    @Test func `a history longer than the screen opens the pager, and q quits it`() throws {
        let runs = try runs()
        try terminals.open("t", columns: 100, rows: 10)
        try terminals.type("\(command) history; echo left:$?", in: "t")
        // The first page ends with the prompt of less. The oldest run is on the next page.
        try terminals.wait("t", for: runs[0])
        try terminals.wait("t", for: ":")
        #expect(!(try terminals.screen("t").contains(runs[11])))
        try terminals.press("q", in: "t")
        try terminals.wait("t", for: "left:0")
        try terminals.waitForShell("t")
        // The terminal echoes again.
        try terminals.type("echo still $((40 + 2))", in: "t")
        try terminals.wait("t", for: "still 42")
        try terminals.wait("t", for: "echo still")
    }

    @Test(arguments: ["--no-pager", "| cat", "-n 3"])
    func `--no-pager, a pipe and short output use no pager`(how: String) throws {
        let runs = try runs()
        try terminals.open("t", columns: 100, rows: 10)
        try terminals.type("\(command) history \(how); echo left:$?", in: "t")
        try terminals.wait("t", for: "left:0")
        let screen = try terminals.screen("t")
        #expect(screen.contains(runs[0]))
        #expect(screen.contains(runs[11]) == (how != "-n 3"))
    }

    @Test func `PAGER selects the pager, which may exit before it has read everything`() throws {
        _ = try runs()
        try terminals.open("t", columns: 100, rows: 10)
        try terminals.type("PAGER='head -n 1' \(command) history; echo left:$?", in: "t")
        try terminals.wait("t", for: "left:0")
        #expect(try terminals.screen("t").contains("RUN"))
    }
}
