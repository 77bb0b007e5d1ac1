import Foundation
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread) struct ConfinedToolTests {
    private func output(_ script: String) throws -> String? {
        try ConfinedTool.output(of: "/bin/sh", arguments: ["-c", script])
    }

    @Test func `a tool can read files, and its output is returned`() throws {
        #expect(try ConfinedTool.output(of: "/usr/bin/head", arguments: ["-c", "5", "/etc/passwd"]) == "root:")
        #expect(try output("read word || echo empty") == "empty\n")
    }

    @Test func `the output of a tool is stream-safe`() throws {
        let script = "i=0; while [ $i -lt 100 ]; do printf '\\314\\201'; i=$((i + 1)); done"
        let text = try #require(try output(script))
        #expect(text.utf8.count > 200 && StreamSafeText.isStreamSafe(text))
    }

    @Test func `a tool that fails has no output`() throws {
        #expect(try output("echo partial; exit 1") == nil)
        #expect(try ConfinedTool.output(of: "/nonexistent/tool", arguments: []) == nil)
    }

    @Test func `a tool has no capabilities, cannot gain any, and has a filter for system calls`() throws {
        let status = try #require(try ConfinedTool.output(of: "/bin/cat", arguments: ["/proc/self/status"]))
        #expect(status.contains("CapEff:\t0000000000000000"), "\(status)")
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(status.contains("Seccomp:\t2"))
    }

    @Test func `a tool inherits no descriptor and no variable except the search path`() throws {
        let descriptors = try #require(try ConfinedTool.output(of: "/bin/ls", arguments: ["/proc/self/fd"]))
        // The three streams, and the folder that ls reads.
        #expect(descriptors == "0\n1\n2\n3\n")
        let variables = try #require(try ConfinedTool.output(of: "/usr/bin/env", arguments: []))
        #expect(!variables.contains("HOME"), "\(variables)")
    }

    @Test func `a tool that prints without end is killed`() throws {
        #expect(try output("while :; do echo 0123456789012345678901234567890123456789; done") == nil)
    }

    @Test func `a tool can be a script that executes another tool`() throws {
        #expect(try output("exec head -c 5 /etc/passwd") == "root:")
    }

    @Test func `a tool that crashes ends, and has no output`() throws {
        let script = "import os; print('partial', flush=True); os.abort()"
        #expect(try ConfinedTool.output(of: ToolStandIn.python, arguments: ["-I", "-S", "-c", script]) == nil)
    }

    /// Only threads work as they do outside: a program can need them, and they end with the process.
    @Test func `a program that takes over a tool can change no file and reach no process, socket or device`() throws {
        let scene = try ToolStandIn()
        let results = try scene.results(isConfined: true)
        #expect(results.filter { $0.value == "done" }.map(\.key) == ["start a thread"])
        #expect(results.count > 30)
        #expect(scene.hasOriginalFiles)
    }

    @Test func `without confinement, each attempt of that program succeeds`() throws {
        let scene = try ToolStandIn()
        let failed = try scene.results(isConfined: false).filter { $0.value != "done" }
        #expect(failed.isEmpty, "\(failed)")
        #expect(!scene.hasOriginalFiles)
    }
}
