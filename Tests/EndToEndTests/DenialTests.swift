import Foundation
import Glibc
import TestSupport
import Testing

/// Tests how `intentctl why` reports accesses that a sandbox denied to an app.
@Suite(.ownThread) struct DenialTests {
    @Test(arguments: [
        (["ReadText", "--path", "/etc/hosts", "--uses-foundation"], "reading", "ReadPaths=/etc/hosts"),
        (["WriteText", "--path", "/srv/out", "--text", "x"], "writing", "WritePaths=/srv/out"),
        (["RunProgram", "--path", "/usr/bin/env"], "program", "Subprocesses=yes and ReadPaths=/usr/bin/env"),
        (["ConnectTo", "--port", "80"], "call", "Subprocesses=yes or Network=yes"),
    ])
    func `why names the denied access and the key that would grant it`(words: [String], subject: String, key: String)
        throws
    {
        let daemon = try Daemon(sandbox: [])
        guard try daemon.grade() != "none" else {
            try skipTest("this host provides no isolation")
        }
        let ran = try daemon.start(["run", "Probe/" + words[0]] + words.dropFirst())
        #expect(ran.exitCode() == 1)
        let run = try daemon.newestRun()
        let sandbox = try #require(try daemon.json("show", run)["sandbox"] as? [String: Any])
        #expect(sandbox["subject"] as? String == subject)
        #expect(sandbox["key"] as? String == key)
        let why = try daemon.intentctl("why", run).output
        #expect(why.contains("  sandbox    "), "\(why)")
        #expect(why.contains("To permit it, set \(key) in [Sandbox] of Probe.conf."), "\(why)")
    }

    #if arch(x86_64)
        @Test func `why reports that a call of another instruction set ended the run`() throws {
            let daemon = try Daemon(sandbox: [])
            guard try daemon.grade() != "none" else {
                try skipTest("this host provides no isolation")
            }
            try daemon.install("Attacker")
            let ran = try daemon.intentctl("run", "Attacker/Attack", "--attempt", "other calls", "--detail", "x32")
            #expect(ran.code == 70)
            let why = try daemon.intentctl("why", try daemon.newestRun()).output
            #expect(why.contains("killed by signal 31 (SIGSYS, a system call that the sandbox forbids)"), "\(why)")
            #expect(why.contains("a system call of another instruction set"), "\(why)")
        }
    #endif

    @Test func `a granted access works, and a missing file in a granted folder is not reported as denied`() throws {
        let folder = try TemporaryFolder()
        try Data("hello".utf8).write(to: folder.appending("there"))
        chmod(folder.url.path, 0o755)
        let daemon = try Daemon(sandbox: ["ReadPaths=\(folder.url.path)"])
        func read(_ name: String) throws -> (code: Int32, output: String, errors: String) {
            try daemon.intentctl("run", "Probe/ReadText", "--path", "\(folder.url.path)/\(name)", "--uses-foundation")
        }
        #expect(try read("there").output == "hello\n")
        #expect(try read("absent").code == 1)
        let run = try daemon.newestRun()
        #expect(try daemon.json("show", run)["sandbox"] == nil)
        #expect(!(try daemon.intentctl("why", run).output.contains("[Sandbox]")))
    }
}
