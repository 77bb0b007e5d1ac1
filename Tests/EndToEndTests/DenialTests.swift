import Foundation
import Glibc
import Testing

/// What a sandbox keeps an app from, as the one who reads why sees it.
@Suite struct DenialTests {
    @Test(arguments: [
        (["ReadText", "--path", "/etc/hosts", "--uses-foundation"], "reading", "ReadPaths=/etc/hosts"),
        (["WriteText", "--path", "/srv/out", "--text", "x"], "writing", "WritePaths=/srv/out"),
        (["RunProgram", "--path", "/usr/bin/env"], "program", "Subprocesses=yes and ReadPaths=/usr/bin/env"),
        (["ConnectTo", "--port", "80"], "call", "Subprocesses=yes or Network=yes"),
    ])
    func `why names what an app wanted and the key that would let it`(words: [String], wish: String, key: String) throws
    {
        let daemon = try Daemon(sandbox: [])
        guard try daemon.grade() != "none" else {
            try skipTest("this host gives no isolation")
        }
        let ran = try daemon.start(["run", "Probe/" + words[0]] + words.dropFirst())
        #expect(ran.exitCode() == 1)
        let run = try daemon.newestRun()
        let sandbox = try #require(try daemon.json("show", run)["sandbox"] as? [String: Any])
        #expect(sandbox["subject"] as? String == wish)
        #expect(sandbox["key"] as? String == key)
        let why = try daemon.intentctl("why", run).output
        #expect(why.contains("  sandbox    "), "\(why)")
        #expect(why.contains("If it may: \(key) in [Sandbox] of Probe.conf."), "\(why)")
    }

    #if arch(x86_64)
        @Test func `a call of another instruction set ends the run, and why says so`() throws {
            let daemon = try Daemon(sandbox: [])
            guard try daemon.grade() != "none" else {
                try skipTest("this host gives no isolation")
            }
            try daemon.install("Attacker")
            let ran = try daemon.intentctl("run", "Attacker/Attack", "--attempt", "other calls", "--detail", "x32")
            #expect(ran.code == 70)
            let why = try daemon.intentctl("why", try daemon.newestRun()).output
            #expect(why.contains("ended by signal 31 (SIGSYS, a call that the sandbox forbids)"), "\(why)")
            #expect(why.contains("one of another instruction set"), "\(why)")
        }
    #endif

    @Test func `what is granted is done, and a file that is missing there is nobody's denial`() throws {
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
