import Foundation
import IntentLinux
import IntentSandbox
import TestSupport
import Testing

@Suite(.ownThread) struct ConfinedToolTests {
    private func output(_ script: String) throws -> String? {
        try ConfinedTool.output(of: "/bin/sh", arguments: ["-c", script])
    }

    @Test func `a tool can read files, and its output is returned`() throws {
        #expect(try output("head -c 5 /etc/passwd; echo; cat") == "root:\n")
    }

    @Test func `the output of a tool is stream-safe`() throws {
        let text = try #require(try output("for i in $(seq 100); do printf '\\314\\201'; done"))
        #expect(text.utf8.count > 200 && StreamSafeText.isStreamSafe(text))
    }

    @Test func `a tool that fails has no output`() throws {
        #expect(try output("echo partial; exit 1") == nil)
        #expect(try ConfinedTool.output(of: "/nonexistent/tool", arguments: []) == nil)
    }

    @Test func `a tool has no capabilities, and cannot gain any`() throws {
        let status = try #require(try output("cat /proc/self/status"))
        #expect(status.contains("CapEff:\t0000000000000000"), "\(status)")
        #expect(status.contains("NoNewPrivs:\t1"))
    }

    @Test(.enabled(if: Landlock.ofKernel.version > 0, "needs Landlock"))
    func `a tool cannot create, change or remove a file`() throws {
        let folder = TemporaryDirectory()
        let file = folder.path + "/kept"
        try Data("kept".utf8).write(to: URL(fileURLWithPath: file))
        let script =
            "echo x > '\(file)'; rm '\(file)'; echo x > '\(folder.path)/new'; mkdir '\(folder.path)/folder'; echo end"
        #expect(try output(script)?.contains("end") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["kept"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "kept")
    }

    @Test func `a tool inherits no descriptor and no variable except the search path`() throws {
        let listing = try #require(try output("ls /proc/self/fd | wc -l; env | cut -d= -f1 | sort | tr '\\n' ' '"))
        // The three streams, and the folder that ls reads.
        #expect(listing.hasPrefix("4\n"), "\(listing)")
        #expect(!listing.contains("HOME"), "\(listing)")
    }

    @Test func `a tool that prints without end is killed`() throws {
        #expect(try output("while :; do echo 0123456789012345678901234567890123456789; done") == nil)
    }
}
