import Foundation
import Glibc
import TestSupport
import Testing

/// Tests how `intentctl why` reports accesses that a sandbox denied to an app.
@Suite(.ownThread) struct DenialTests {
    @Test(arguments: [
        (["ReadText", "--path", "/etc/hosts", "--uses-foundation"], "reading", "ReadPaths=/etc/hosts"),
        (["WriteText", "--path", "/srv/out", "--text", "x"], "writing", "WritePaths=/srv/out"),
        (["RunProgram", "--path", "/usr/bin/env"], "program", "Programs=/usr/bin/env"),
        (["ConnectTo", "--port", "80"], "call", "Subprocesses=yes or AllowHosts=HOST:PORT"),
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
        // The filter refuses calls of several kinds with one error.
        let start = subject == "call" ? "If it tried to start a program or to connect to a host" : "To permit it"
        let place = daemon.folder.appending("units/Probe.conf").path
        #expect(why.contains("\(start), set \(key) in [Sandbox] of \(place)."), "\(why)")
    }

    /// Scripts that a setting ends, with the key and the words that name the value and the place.
    private static let ends: [(name: String, script: String, key: String, words: String)] = [
        ("size", "#!/bin/sh\nhead -c 9000000 /dev/urandom > big", "DiskMax", "DiskMax=1M is set in "),
        ("bytes", "#!/usr/bin/python3\nopen('big', 'wb').write(b'x' * 9000000)", "DiskMax", "DiskMax=1M is set in "),
        (
            "files", "#!/usr/bin/python3\nx = [open('/dev/null') for _ in range(99)]", "OpenFiles",
            "OpenFiles=40 is set in "
        ),
        ("memory", "#!/usr/bin/python3\nx = b'x' * (1 << 32)", "MemoryMax", "MemoryMax=1G is the default"),
        ("path", "#!/bin/sh\ncat /etc/shadow", "ReadPaths=/etc/shadow", "which its sandbox does not contain"),
        (
            "network", "#!/usr/bin/python3\nimport socket\nsocket.create_connection(('192.0.2.1', 80))",
            "AllowHosts=HOST:PORT",
            "possibly because the sandbox does not permit it"
        ),
        (
            "call", "#!/bin/sh\n/usr/sbin/chroot /", "AllowHosts=HOST:PORT",
            "possibly because the sandbox does not permit it"
        ),
        ("mount", "#!/bin/sh\nmount -t tmpfs none /mnt", "", "which no setting of the sandbox permits"),
        // An address without a route, of which curl says only that it cannot connect.
        (
            "curl", "#!/bin/sh\nexec /usr/bin/curl -sS http://192.0.2.1/", "AllowHosts=HOST:PORT",
            "which its sandbox does not permit"
        ),
        ("time", "#!/bin/sh\nsleep infinity", "Runtime", "Runtime=2s is set in "),
    ]

    @Test func `each end of a program that a setting caused names the key, its value and its place`() throws {
        let daemon = try Daemon()
        guard try daemon.grade() != "none" else { try skipTest("this host provides no isolation") }
        let ends = Self.ends.filter { $0.name != "curl" || access("/usr/bin/curl", X_OK) == 0 }
        let bin = daemon.folder.appending("bin").path
        for end in ends {
            try Data((end.script + "\n").utf8).write(to: URL(filePath: "\(bin)/\(end.name)"))
            chmod("\(bin)/\(end.name)", 0o755)
        }
        let intents = ends.flatMap { ["[Intent \($0.name)]", "Exec=\(bin)/\($0.name)"] } + ["Runtime=2s"]
        let file = try daemon.writeCommands(
            (["[Sandbox]", "Programs=system \(bin)", "DiskMax=1M", "OpenFiles=40"] + intents).joined(separator: "\n")
        )
        for end in ends {
            let ran = try daemon.intentctl("run", "tools/\(end.name)")
            #expect(ran.code != 0, "\(end.name)")
            let run = try daemon.newestRun()
            #expect(ran.errors.contains(end.words), "\(end.name): \(ran.errors)")
            #expect(ran.errors.contains("why \(run)' explains"), "\(ran.errors)")
            let shown = try daemon.json("show", run)
            let sandbox = try #require(shown["sandbox"] as? [String: Any], "\(end.name): \(ran.errors)")
            #expect(sandbox["key"] as? String == end.key, "\(end.name): \(sandbox)")
            if end.words.contains("is set in") {
                #expect((sandbox["source"] as? String)?.hasPrefix("\(file.path):") == true, "\(sandbox)")
            }
            let why = try daemon.intentctl("why", run).output
            #expect(why.contains(end.words), "\(end.name): \(why)")
            #expect(!why.contains("exited with code 0"), "\(why)")
            // The list of runs names it, too.
            let listed = try daemon.intentctl("history", "-n", "1").output
            #expect(listed.contains("CAUSE") && listed.contains(end.words), "\(end.name): \(listed)")
            let rows = try #require(try daemon.json("history", "-n", "1")["runs"] as? [[String: Any]])
            #expect((rows.first?["sandbox"] as? [String: Any])?["key"] as? String == end.key, "\(rows)")
        }
        // The settings in effect, with their places.
        let described = try daemon.intentctl("describe", "tools/time").output
        #expect(described.contains("Limit: 2 s"), "\(described)")
        #expect(described.contains("Runtime=2s  ([Intent time], \(file.path):"), "\(described)")
        let settings = try #require(try daemon.json("describe", "tools")["settings"] as? [[String: Any]])
        let openFiles = try #require(settings.first { $0["key"] as? String == "OpenFiles" })
        #expect(openFiles["value"] as? String == "40" && openFiles["source"] as? String == "\(file.path):4")
        let memory = try #require(settings.first { $0["key"] as? String == "MemoryMax" })
        #expect(memory["value"] as? String == "1G" && memory["source"] == nil, "\(memory)")
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
