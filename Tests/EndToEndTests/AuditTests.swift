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
        try inspected(file, head, in: daemon).verdict
    }

    /// The verdict of both programs, and the gaps that they print.
    private func inspected(_ file: URL, _ head: String? = nil, in daemon: Daemon) throws -> (
        verdict: (isValid: Bool, head: String), gaps: String
    ) {
        let words = ["--socket", daemon.socket, "audit", "--verify", file.path] + (head.map { ["--head", $0] } ?? [])
        let command = try Command(Programs.intentctl, words)
        let own = (code: command.exitCode(), output: command.output, errors: command.errors)
        let python = try Command(
            URL(filePath: "/usr/bin/python3"),
            [Self.verifier.path, file.path] + [head].compactMap { $0 }
        )
        #expect((python.exitCode() == 0) == (own.code == 0), "\(own.errors) \(python.errors)")
        if own.code == 0 { #expect(own.output == python.output) }
        // intentctl prints the gaps of a valid file only.
        let gaps = own.code == 0 ? ["are missing", "has other decisions"] : []
        for gap in gaps + ["does not follow", "that history has computed"] {
            #expect(own.errors.contains(gap) == python.errors.contains(gap), "\(own.errors) \(python.errors)")
        }
        return ((own.code == 0, own.output.trimmingCharacters(in: .newlines)), own.errors)
    }

    /// Computes each line's SHA-256 of the line before it, which someone who forges a file can do.
    ///
    /// - Parameter isWhole: True to compute also the hashes of the history's chain.
    private func chain(_ lines: [String], isWhole: Bool = false) throws -> Data {
        let forging = """
            import hashlib, json, sys
            sys.path.insert(0, sys.argv[1])
            import verify_audit
            previous, last = "0" * 64, None
            for line in sys.stdin:
                decision = json.loads(line)
                if sys.argv[2] == "true" and "chain" in decision:
                    decision["chain"]["previous"] = last or decision["chain"]["previous"]
                    last = decision["chain"]["hash"] = verify_audit.hashed(decision, decision["chain"])
                line = json.dumps({**decision, "previous": previous}, ensure_ascii=False)
                previous = hashlib.sha256(line.encode()).hexdigest()
                print(line)
            """
        let input = Pipe(), output = Pipe(), process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B", "-c", forging, Self.verifier.deletingLastPathComponent().path, "\(isWhole)"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
        try input.fileHandleForWriting.close()
        let forged = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return forged
    }

    @Test func `a file that was written again differs from the history at the next export`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=always"])
        let server = try MCPProcess(daemon)
        let file = daemon.folder.appending("audit.jsonl")
        for _ in 0..<2 { try decide("yes", in: daemon, server) }
        let first = try daemon.intentctl("audit", "--append", file.path)
        #expect(first.output.hasPrefix("2:") && first.errors.isEmpty, "\(first)")
        let head = first.output.trimmingCharacters(in: .newlines)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let denied = lines[0].replacing(#""isApproved":true"#, with: #""isApproved":false"#)
        #expect(denied != lines[0])
        try chain([denied, lines[1]], isWhole: true).write(to: file)
        // All hashes in the file match, but not the head that is kept elsewhere.
        #expect(try verified(file, in: daemon).isValid && !verified(file, head, in: daemon).isValid)
        let second = try daemon.intentctl("audit", "--append", file.path)
        #expect(second.errors.contains("history has other decisions"), "\(second)")
        #expect(try inspected(file, in: daemon).gaps.contains("has other decisions"))
        #expect(try daemon.intentctl("audit", "--append", file.path).errors.isEmpty)
    }

    @Test func `what history removes before an export leaves a gap, which no forged file hides`() throws {
        let daemon = try Daemon(configuration: ["[Agents]", "Ask=always"])
        let server = try MCPProcess(daemon)
        let file = daemon.folder.appending("audit.jsonl")
        func append() throws -> (head: String, notes: String) {
            let appended = try daemon.intentctl("audit", "--append", file.path)
            #expect(appended.code == 0, "\(appended.errors)")
            return (appended.output.trimmingCharacters(in: .newlines), appended.errors)
        }
        // History keeps its newest run, and each run until its last process has exited.
        func prune() throws {
            #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "newest").code == 0)
            try eventually("no decision remains") {
                _ = try daemon.intentctl("history", "--prune", "-n", "0")
                return (try daemon.json("audit")["decisions"] as? [Any])?.isEmpty == true
            }
        }
        try decide("yes", in: daemon, server)
        try prune()
        for answer in ["no", "yes", "yes"] { try decide(answer, in: daemon, server) }
        let first = try append()
        // A line for the gap, and three decisions.
        #expect(first.head.hasPrefix("4:") && first.notes.contains("decisions 1 to 1 are missing"))
        for _ in 0..<2 { try decide("yes", in: daemon, server) }
        try prune()
        let second = try append()
        #expect(second.head.hasPrefix("5:") && second.notes.contains("decisions 5 to 6 are missing"))
        #expect(try append() == (second.head, ""))
        let whole = try inspected(file, second.head, in: daemon)
        #expect(whole.verdict == (true, second.head) && whole.gaps.contains("are missing"))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        var changed = lines
        changed[2] = lines[2].replacing(#""isApproved":true"#, with: #""isApproved":false"#)
        var shortened = lines
        shortened.remove(at: 2)
        let forgeries: [[String]] = [Array(lines.dropFirst()), shortened, changed]
        let reasons = ["does not follow", "does not follow", "that history has computed"]
        for (forged, reason) in zip(forgeries, reasons) {
            try chain(forged).write(to: file)
            let found = try inspected(file, in: daemon)
            #expect(!found.verdict.isValid && found.gaps.contains(reason), "\(forged.count): \(found)")
        }
        #expect(try daemon.intentctl("audit", "--append", file.path, "--since", "-1h").code == 64)
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
