import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests fork servers that send false records, pass files, or exit at any moment.
@Suite(.ownThread) struct AttackByForkServerTests {
    typealias Owner = Daemon.Owner

    /// The attacked launchers: the launcher of a service and, in `Tests/endurance attack`, also intentd's own launcher.
    private static let launchersAreShared = Endurance.isWhole ? [true, false] : [true]

    @Test(
        arguments: ["silent", "no descriptor", "device", "other slot", "siblings", "garbage", "dead"],
        Owner.testable
    )
    func `a fork server with false records is killed, and other apps are unaffected`(_ manner: String, _ owner: Owner)
        throws
    {
        let daemon = try Daemon(owner: owner)
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=\(manner)"])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let hostile = try daemon.start(["run", "Hostile/Attack", "--attempt", "processes"])
        try eventually("its fork server runs, or has exited") {
            !hostile.isRunning
                || daemon.family.contains { number, name in
                    name == "Hostile" && ProcessFamily.environment(of: number).contains("INTENTD_MODE=serve")
                }
        }
        var servedMeanwhile = 0
        for _ in 0..<3 {
            let run = try daemon.intentctl("run", "Probe/Echo", "--text", "here")
            #expect(run.output == "here\n", "\(run.errors)")
            // Exits of workers are reported promptly, too.
            #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
            if hostile.isRunning { servedMeanwhile += 1 }
        }
        // The launcher waits seconds for a silent fork server; runs of other apps do not wait with it.
        if manner == "silent" { #expect(servedMeanwhile > 0) }
        #expect(hostile.exitCode() != 0)
        #expect(hostile.errors.contains("fork server"), "\(hostile.errors)")
        #expect(daemon.isRunning)
        // Processes that the fork server created are killed with its sandbox, if not earlier.
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let own = daemon.folder.appending("apps").path
        try eventually("nothing is left") { !ProcessFamily.commandLines.contains { $0.contains(own) } }
    }

    @Test func `further requests do not prolong the wait for a silent fork server`() throws {
        let daemon = try Daemon()
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=silent"])
        let words = ["run", "--limit", "5min", "Hostile/Attack", "--attempt", "processes"]
        let first = try daemon.start(words)
        var others: [Command] = []
        while first.isRunning, others.count < 60 {
            others.append(try daemon.start(words))
            usleep(500_000)
        }
        #expect(!first.isRunning, "\(others.count) requests came after it")
        #expect(first.errors.contains("fork server"), "\(first.errors)")
    }

    /// Records of a fork server, as Tests/Apps/Attacker/CAttacker/ForkServer.c reads them: before it is ready, or for a
    /// command.
    private static let records: [String] = {
        let (ready, forked, refused) = ("0000000100010001", "0000000100020000", "0000000100030000")
        let (none, other) = ("0000000000000000", "00000000000003e7")
        let early = [
            // A slot that was not requested; another version, kind or detail; too short, too long, and two descriptors.
            forked + none, forked + other, refused + other, "0000000000010001" + none,
            "0000000200010001" + none, "0000000100000000" + none, "0000000100040000" + none, "00000001ffff0000" + none,
            "0000000100010002" + none,
            "00", ready, ready + none + "00", String(repeating: "41", count: 64), String(repeating: "41", count: 65),
            String(repeating: "41", count: 200), forked + none + ":sibling", ready + none + ":two",
        ]
        let answers = [
            "\(forked)S", "\(forked)S:device", "\(forked)S:folder", "\(forked)S:path", "\(forked)S:process",
            "\(forked)S:control", "\(forked)S:two", "\(forked)S:sibling", "\(forked)\(other):sibling",
            "\(forked)\(none)", "\(refused)S", "000000010003ffffS", "\(refused)\(other)", ready + none,
            "0000000100010000" + none, "\(forked)ffffffffffffffff:sibling", "S", "SS", "SSSSSSSS",
        ]
        return early.map { "before:\($0)" } + answers.map { "record:\($0)" } + ["alive:\(forked)S:sibling"]
    }()

    @Test(arguments: Owner.testable)
    func `no record of a fork server affects another app or the launcher`(_ owner: Owner) throws {
        let daemon = try Daemon(owner: owner)
        for (number, record) in Self.records.enumerated() {
            try daemon.install("Attacker", as: "Hostile\(number)", app: ["Environment=ATTACKER_SERVER=\(record)"])
        }
        let launcher = try daemon.launcher()
        for (number, record) in Self.records.enumerated() {
            let run = try daemon.start([
                "run", "--limit", "2s", "Hostile\(number)/Attack", "--attempt", "processes",
            ])
            #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n", "\(record)")
            #expect(run.exitCode() != 0, "\(record)")
        }
        #expect(try daemon.launcher() == launcher)
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let own = daemon.folder.appending("apps").path
        try eventually("nothing is left") { !ProcessFamily.commandLines.contains { $0.contains(own) } }
    }

    /// Ways to pass the launcher a file that it must not close: in a report, or in the socket of a worker that
    /// was never created, lost its fork server, or exited while more data was sent.
    private static let filesForLauncher = [
        "before:0000000100010001\(String(repeating: "0", count: 16)):file", "record:0000000100020000S:file",
        "socket:refused", "socket:exit", "socket:hoard",
    ]

    @Test(
        .enabled(if: HangingFile.obstacle == nil, "\(HangingFile.obstacle ?? "")"),
        .timeLimit(.minutes(5 * Patience.factor)),
        arguments: filesForLauncher,
        launchersAreShared
    )
    func `a fork server that passes the launcher a file with a close that hangs delays no other app`(
        _ manner: String,
        sharesLauncher: Bool
    ) throws {
        let hanging = try HangingFile()
        let daemon = try Daemon(sharesLauncher: sharesLauncher)
        // Ends the file system before the daemon is stopped, because the daemon's processes may wait for it.
        defer { hanging.end() }
        let launcher = try daemon.sharedLauncherNumber ?? daemon.launcher()
        try daemon.install(
            "Attacker",
            as: "Hostile",
            app: ["Environment=ATTACKER_SERVER=\(manner) ATTACKER_PATH=\(hanging.path)"],
            sandbox: ["ReadPaths=\(hanging.path)"]
        )
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        try hanging.hang(in: .flush)
        let hostile = try daemon.start(["run", "--limit", "2s", "Hostile/Attack", "--attempt", "processes"])
        func expectService(_ step: String) throws {
            for _ in 0..<3 {
                let run = try daemon.start(["run", "Probe/Echo", "--text", "here"])
                try eventually("Probe is served \(step)") { !run.isRunning }
                #expect(run.output == "here\n", "\(step): \(run.errors)")
                // Exits of workers are reported promptly, too.
                #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
            }
        }
        try expectService("meanwhile")
        // The kernel ends a process only when the close of its files has returned.
        try eventually("its run is over, or its fork server ends") {
            !hostile.isRunning || daemon.family.keys.contains { ProcessFamily.isEnding($0) }
        }
        try expectService("after it")
        try hanging.hang(in: nil)
        #expect(hostile.exitCode() != 0)
        try expectService("at the end")
        #expect(ProcessFamily.lives(launcher))
    }

    @Test(arguments: Owner.testable)
    func `a worker that exits before it is reported ends only its run, and not its fork server`(_ owner: Owner) throws {
        let daemon = try Daemon(owner: owner)
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=stillborn"])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let words = try daemon.json("status")["isolation"] as? [String] ?? []
        // Without cgroups nothing shows which run the process belonged to.
        let hasCgroups = words.contains { $0.hasPrefix("own cgroup") }
        for _ in 0..<2 {
            let run = try daemon.intentctl("run", "Hostile/Attack", "--attempt", "processes")
            #expect(run.code == (hasCgroups ? 70 : 78), "\(run.errors)")
            #expect(run.errors.contains("fork server") == !hasCgroups, "\(run.errors)")
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
    }

    /// Records after which the fork server exits.
    private static let lastReports = [
        "early", "named", "stillborn", "last:0000000100020000S", "last:0000000100030000S", "last:000000010003ffffS",
        "last:00000001000100010000000000000000", "last:00", "last:000000010002000000000000000003e7", "dead",
    ]
    /// Frames after which the worker exits.
    private static let lastFrames = [
        #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[]}"#,
        #"{"type":"progress","progress":{"completedUnitCount":1,"totalUnitCount":2,"fraction":0.5}}"#,
        #"{"type":"question","question":{"number":1,"text":"?","type":"string"}}"#,
        #"{"type":"question","question":{"number":1,"text":"?","type":"string"}}"# + "\n"
            + #"{"type":"withdrawn","question":1}"#,
        #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[{"path":"a"}]}"#, "{}", "no JSON",
        #"{"type":"hello","protocolVersion":9,"software":"another"}"#,
    ]

    @Test(.timeLimit(.minutes(5 * Patience.factor)), arguments: Owner.testable, launchersAreShared)
    func `a peer that exits right after a record ends neither the launcher nor intentd`(
        _ owner: Owner,
        sharesLauncher: Bool
    ) throws {
        let copies = Endurance.isWhole ? 3 : 1
        let daemon = try Daemon(limits: ["MaxRunsPerApp=64"], owner: owner, sharesLauncher: sharesLauncher)
        for (number, manner) in Self.lastReports.enumerated() {
            for copy in 0..<copies {
                try daemon.install(
                    "Attacker",
                    as: "Ends\(number)x\(copy)",
                    app: ["Environment=ATTACKER_SERVER=\(manner)"]
                )
            }
        }
        try daemon.install("Attacker", as: "Attacker")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let launcher = try daemon.sharedLauncherNumber ?? daemon.launcher()
        for copy in 0..<copies {
            var runs = try Self.lastReports.indices.map { number in
                try daemon.start(["run", "--no-input", "Ends\(number)x\(copy)/Attack", "--attempt", "processes"])
            }
            runs += try Self.lastFrames.map { frames in
                try daemon.start(["run", "--no-input", "Attacker/Lie", "--kind", "last", "--detail", frames])
            }
            for run in runs { #expect(run.exitCode() != 0, "\(run.output)") }
            #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
            #expect(ProcessFamily.lives(launcher))
            #expect(daemon.isRunning)
        }
    }
}
