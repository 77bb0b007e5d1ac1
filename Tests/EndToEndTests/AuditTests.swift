import Foundation
import TestSupport
import Testing

/// Tests exports of decisions as a chain of lines, with intentctl and with the Python example.
@Suite(.ownThread) struct AuditTests {
    private static let verifier = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "examples/clients/verify_audit.py")

    /// Approves or refuses a request of an agent.
    private func decide(_ answer: String, in daemon: Daemon, _ server: MCPProcess) throws {
        let waiting = try server.call("Probe_Echo", ["text": answer])
        let run = try #require(waiting.structured["run"] as? String, "\(waiting)")
        #expect(try daemon.intentctl("answer", run, answer).code == 0)
        _ = try server.call("intent_run_result", ["run": run])
    }

    /// The exit codes of both programs that verify a file, which must agree, and what they print.
    private func verified(_ file: URL, _ head: String? = nil, in daemon: Daemon) throws -> (isValid: Bool, head: String)
    {
        let words = ["--socket", daemon.socket, "audit", "--verify", file.path] + (head.map { ["--head", $0] } ?? [])
        let command = try Command(Programs.intentctl, words)
        let own = (code: command.exitCode(), output: command.output, errors: command.errors)
        let python = try Command(
            URL(filePath: "/usr/bin/python3"),
            [Self.verifier.path, file.path] + [head].compactMap { $0 }
        )
        #expect((python.exitCode() == 0) == (own.code == 0), "\(own.errors) \(python.errors)")
        if own.code == 0 { #expect(own.output == python.output) }
        return (own.code == 0, own.output.trimmingCharacters(in: .newlines))
    }

    @Test func `an export is a chain that shows each change, and a head shows a cut end`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=always"])
        let server = try MCPProcess(daemon)
        let file = daemon.folder.appending("audit.jsonl")
        func append() throws -> String {
            let appended = try daemon.intentctl("audit", "--append", file.path)
            #expect(appended.code == 0, "\(appended.errors)")
            return appended.output.trimmingCharacters(in: .newlines)
        }
        try decide("yes", in: daemon, server)
        let first = try append()
        #expect(first.hasPrefix("1:"))
        try decide("no", in: daemon, server)
        try decide("yes", in: daemon, server)
        let head = try append()
        #expect(try append() == head && head.hasPrefix("3:"))
        #expect(try verified(file, in: daemon) == (true, head))
        #expect(try verified(file, first, in: daemon) == (true, head))
        // What history removes remains in the file, and the chain continues.
        #expect(try daemon.intentctl("history", "--prune", "-n", "0").code == 0)
        try decide("no", in: daemon, server)
        #expect(try append().hasPrefix("4:"))
        let whole = try String(contentsOf: file, encoding: .utf8)
        let lines = whole.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        let changes = [
            lines[0].replacing("true", with: "false") + "\n" + lines[1...].joined(separator: "\n") + "\n",
            lines[1...].joined(separator: "\n") + "\n", ([lines[0]] + lines[2...]).joined(separator: "\n") + "\n",
            ([lines[0]] + lines).joined(separator: "\n") + "\n", String(whole.dropLast(5)), "{}\n" + whole,
        ]
        for (number, change) in changes.enumerated() {
            try Data(change.utf8).write(to: file)
            #expect(try !verified(file, in: daemon).isValid, "change \(number)")
        }
        // Without a head, a cut end is not visible.
        try Data((lines[0] + "\n").utf8).write(to: file)
        #expect(try verified(file, in: daemon) == (true, first))
        #expect(try !verified(file, head, in: daemon).isValid)
        #expect(try verified(file, "0:\(String(repeating: "0", count: 64))", in: daemon).isValid)
    }
}
