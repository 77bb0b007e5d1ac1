import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// What a run, an app before its runs, and a client say and hand over that is not so.
@Suite(.underAttack) struct AttackOnDaemonTests {
    typealias Owner = Daemon.Owner

    /// What `Tests/endurance attack` runs. For every change, an attack that is made on two kinds of launcher is made on the
    /// service's alone, and one that is made many times is made once.
    private static let isWhole = ProcessInfo.processInfo.environment["INTENTD_ATTACK"] == "whole"

    private func scene(of owner: Owner) throws -> AttackScene {
        try #require(UnderAttack.scenes[owner])
    }

    // MARK: On descriptor 3

    @Test(arguments: Falsehood.all, Owner.testable)
    func `a worker that lies is believed nothing`(_ lie: Falsehood, _ owner: Owner) throws {
        let run = try scene(of: owner).daemon.intentctl(
            "run",
            "--limit",
            // Of those that are not believed and go on, this is the end.
            lie.code == 124 ? "2s" : "1min",
            // With memory files, where nothing counts them too.
            "Unlimited/Lie",
            "--kind",
            lie.kind,
            "--detail",
            lie.detail
        )
        #expect(run.code == lie.code, "\(run.errors)")
        #expect(run.errors.contains(lie.words), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test(
        arguments: [
            ("path", "../{name}/secret"), ("path", "{neighbour}/secret"), ("path", "/etc/passwd"), ("path", ".."),
            ("path", "."),
            ("path", ""), ("path", "./../../{name}/secret"), ("path", "/proc/self/fd/0"), ("link", "/etc/passwd"),
            ("link", "{neighbour}/secret"), ("link", "{folder}/host-secret"), ("link above", "{neighbour}"),
            ("link above", "/proc/self/fd"), ("hard link", "{neighbour}/secret"), ("hard link", "{executable}"),
            ("pipe", ""),
            ("folder", ""), ("socket", ""), ("lease", ""), ("long", ""), ("long name", ""),
        ],
        Owner.testable
    )
    func `a result that is no file of the run's own is not handed over`(
        _ result: (kind: String, target: String),
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        let out = try TemporaryFolder()
        let start = ContinuousClock.now
        let run = try scene.daemon.intentctl(
            "run",
            "--out",
            out.url.path,
            "Attacker/LieAboutFile",
            "--kind",
            result.kind,
            "--target",
            scene.fill(result.target, for: .closed)
        )
        #expect([1, 70].contains(run.code), "\(run.code) \(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.url.path) == [])
        // Nobody waited for the other end of a pipe, nor until the kernel breaks a lease: after 45 s, by proc(5).
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test(arguments: ["{neighbour}/secret", "{folder}/host-secret", "/etc/passwd"], Owner.testable)
    func `a result that is a file and a link by turns is the file or nothing`(_ target: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        for _ in 0..<5 {
            let out = try TemporaryFolder()
            let run = try scene.daemon.intentctl(
                "run",
                "--out",
                out.url.path,
                "Attacker/LieAboutFile",
                "--kind",
                "swapped",
                "--target",
                scene.fill(target, for: .closed)
            )
            #expect([0, 1].contains(run.code), "\(run.errors)")
            for name in try FileManager.default.contentsOfDirectory(atPath: out.url.path) {
                #expect(["its own", ""].contains(out.text(name)), "\(out.text(name))")
            }
        }
    }

    // MARK: Before the runs

    @Test(
        arguments: ["silent", "nobody", "device", "other slot", "brothers", "garbage", "dead"],
        Owner.testable
    )
    func `a fork server that lies ends, and other apps are served as before`(_ manner: String, _ owner: Owner) throws {
        let daemon = try Daemon(owner: owner)
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=\(manner)"])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let hostile = try daemon.start(["run", "Hostile/Attack", "--attempt", "processes"])
        try eventually("its fork server is there, or gone already") {
            !hostile.isRunning
                || daemon.family.contains { number, name in
                    name == "Hostile" && ProcessFamily.environment(of: number).contains("INTENTD_MODE=serve")
                }
        }
        var servedMeanwhile = 0
        for _ in 0..<3 {
            let run = try daemon.intentctl("run", "Probe/Echo", "--text", "here")
            #expect(run.output == "here\n", "\(run.errors)")
            // The end of a process is told in time too.
            #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
            if hostile.isRunning { servedMeanwhile += 1 }
        }
        // One that says nothing is waited for, for seconds; the others do not wait with us.
        if manner == "silent" { #expect(servedMeanwhile > 0) }
        #expect(hostile.exitCode() != 0)
        #expect(hostile.errors.contains("fork server"), "\(hostile.errors)")
        #expect(daemon.isRunning)
        // What it made lives as long as its sandbox, at the longest.
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let own = daemon.folder.appending("apps").path
        try eventually("nothing is left") { !ProcessFamily.commandLines.contains { $0.contains(own) } }
    }

    @Test func `requests that keep coming do not prolong the wait for a fork server that says nothing`() throws {
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

    /// Records of a fork server, as Tests/Attacker/CAttacker/ForkServer.c reads them: before it is ready, or for a command.
    private static let records: [String] = {
        let (ready, forked, refused) = ("0000000100010001", "0000000100020000", "0000000100030000")
        let (none, other) = ("0000000000000000", "00000000000003e7")
        let early = [
            // A slot that nobody asked for; another version, kind or detail; too short, too long, and two descriptors.
            forked + none, forked + other, refused + other, "0000000000010001" + none,
            "0000000200010001" + none, "0000000100000000" + none, "0000000100040000" + none, "00000001ffff0000" + none,
            "0000000100010002" + none,
            "00", ready, ready + none + "00", String(repeating: "41", count: 64), String(repeating: "41", count: 65),
            String(repeating: "41", count: 200), forked + none + ":sibling", ready + none + ":two",
        ]
        let answers = [
            "\(forked)S", "\(forked)S:device", "\(forked)S:folder", "\(forked)S:place", "\(forked)S:process",
            "\(forked)S:control", "\(forked)S:two", "\(forked)S:sibling", "\(forked)\(other):sibling",
            "\(forked)\(none)", "\(refused)S", "000000010003ffffS", "\(refused)\(other)", ready + none,
            "0000000100010000" + none, "\(forked)ffffffffffffffff:sibling", "S", "SS", "SSSSSSSS",
        ]
        return early.map { "before:\($0)" } + answers.map { "record:\($0)" } + ["alive:\(forked)S:sibling"]
    }()

    @Test(arguments: Owner.testable)
    func `no record of a fork server costs another app or the launcher anything`(_ owner: Owner) throws {
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

    /// Ways to leave a file with the launcher that it must not close: in a report, and in the socket of a worker that
    /// was never made, whose fork server ended, or whose end came while more was sent.
    private static let filesForLauncher = [
        "before:0000000100010001\(String(repeating: "0", count: 16)):file", "record:0000000100020000S:file",
        "socket:refused", "socket:exit", "socket:hoard",
    ]

    @Test(
        .enabled(if: HangingFile.obstacle == nil, "\(HangingFile.obstacle ?? "")"),
        .timeLimit(.minutes(5)),
        arguments: filesForLauncher,
        isWhole ? [true, false] : [true]
    )
    func `a fork server that gives the launcher a file whose close hangs holds up no other app`(
        _ manner: String,
        sharesLauncher: Bool
    ) throws {
        let hanging = try HangingFile()
        let daemon = try Daemon(sharesLauncher: sharesLauncher)
        // The daemon ends after the file system, for which its processes may wait.
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
                // The end of a process is told in time too.
                #expect(try daemon.intentctl("run", "Probe/ExitWith", "--code", "3").code == 70)
            }
        }
        try expectService("meanwhile")
        // The kernel lets a process go only when its files have answered.
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
    func `a worker that ends before it was named is its run's end, and not its fork server's`(_ owner: Owner) throws {
        let daemon = try Daemon(owner: owner)
        try daemon.install("Attacker", as: "Hostile", app: ["Environment=ATTACKER_SERVER=stillborn"])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "warm").code == 0)
        let words = try daemon.json("status")["isolation"] as? [String] ?? []
        // Without cgroups nothing tells whose process it was.
        let hasCgroups = words.contains { $0.hasPrefix("own cgroup") }
        for _ in 0..<2 {
            let run = try daemon.intentctl("run", "Hostile/Attack", "--attempt", "processes")
            #expect(run.code == (hasCgroups ? 70 : 78), "\(run.errors)")
            #expect(run.errors.contains("fork server") == !hasCgroups, "\(run.errors)")
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
    }

    /// The last record of a fork server, which ends with it.
    private static let lastReports = [
        "early", "named", "stillborn", "last:0000000100020000S", "last:0000000100030000S", "last:000000010003ffffS",
        "last:00000001000100010000000000000000", "last:00", "last:000000010002000000000000000003e7", "dead",
    ]
    /// The last frames of a worker.
    private static let lastFrames = [
        #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[]}"#,
        #"{"type":"progress","progress":{"completedUnitCount":1,"totalUnitCount":2,"fraction":0.5}}"#,
        #"{"type":"question","question":{"number":1,"text":"?","type":"string"}}"#,
        #"{"type":"question","question":{"number":1,"text":"?","type":"string"}}"# + "\n"
            + #"{"type":"withdrawn","question":1}"#,
        #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[{"path":"a"}]}"#, "{}", "no JSON",
        #"{"type":"hello","protocolVersion":9,"software":"another"}"#,
    ]

    @Test(.timeLimit(.minutes(5)), arguments: Owner.testable, isWhole ? [true, false] : [true])
    func `a peer that ends with its last record ends neither launcher nor intentd`(
        _ owner: Owner,
        sharesLauncher: Bool
    ) throws {
        let copies = Self.isWhole ? 3 : 1
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

    // MARK: What an app says of itself

    /// Names, titles and categories that would be something else where they are shown or kept.
    private static let hostileNames = [
        // A line, a label's end and a sample of OpenMetrics; a field of the journal; a command of three shells.
        #"x\nintentd_owned 1"#, #"x\"} 1\nintentd_owned 1\nx{a=\""#, #"x\n_SYSTEMD_UNIT=owned"#, #"x\u0000y"#,
        "$(touch owned)", "`touch owned`", "';touch owned;'", "../../owned", "/owned", ".", "..", "", " ", "-x",
        "--help",
        // Terminals, directions of writing, and what cannot be seen.
        #"\u001b]0;owned\u0007"#, #"\u009b2J"#, #"a\u202eb"#, #"a\u2066b"#, #"a\u2028intentd_owned 1"#,
        #"a\u0085b"#, #"\r\nb"#,
        // Text that no encoding has, and very much of it.
        #"\ud800"#, String(repeating: "x", count: 1500),
    ]

    private static func catalogue(_ name: String) -> String {
        #"{"type":"catalog","catalog":{"intents":[{"name":"\#(name)","title":"\#(name)","isDiscoverable":true,"#
            + #""summary":"\#(name)","details":{"category":"\#(name)","keywords":["\#(name)"]},"traits":[],"#
            + #""parameters":[{"name":"\#(name)","title":"\#(name)","type":"string","isOptional":true}]}]}}"#
    }

    @Test(arguments: Owner.testable)
    func `no name in an app's catalogue is more than a name where it is listed, completed and counted`(
        _ owner: Owner
    ) throws {
        let daemon = try Daemon(owner: owner)
        for (number, name) in (Self.hostileNames + ["Harmless"]).enumerated() {
            let text = Self.catalogue(name).utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            try daemon.install("Attacker", as: "Named\(number)", app: ["Environment=ATTACKER_CATALOG=\(text)"])
        }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
        // What tells them is a catalogue like any other.
        let harmless = try daemon.intentctl("describe", "Named\(Self.hostileNames.count)")
        #expect(harmless.output.contains("/Harmless"), "\(harmless)")
        for (number, name) in Self.hostileNames.enumerated() {
            // It may be refused or be there: what matters is all that is said of it.
            for words in [["describe", "Named\(number)"], ["run", "Named\(number)/x"]] {
                let command = try daemon.start(words)
                command.exitCode()
                #expect(Self.commands(in: command.output + command.errors) == [], "\(name): \(words)")
                #expect(!Self.hasOwnedLine(command.output + command.errors), "\(name): \(words) \(command.output)")
            }
        }
        for words in [["list"], ["metrics"], ["history"], ["status"], ["ps"], ["--output", "json", "list"]] {
            let command = try daemon.start(words)
            #expect(command.exitCode() == 0, "\(words) \(command.errors)")
            #expect(Self.commands(in: command.output) == [], "\(words)")
            #expect(!Self.hasOwnedLine(command.output), "\(words) \(command.output)")
        }
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.appending("owned").path))
    }

    private static func hasOwnedLine(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains {
            $0.hasPrefix("intentd_owned") || $0.hasPrefix("_SYSTEMD_UNIT=owned")
        }
    }

    // MARK: Clients

    @Test(
        arguments: ["a folder", "a device", "a place", "a socket", "a process", "written only"],
        Owner.testable
    )
    func `a client's descriptor that is no file to read is refused`(_ kind: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let descriptor: SharedFileDescriptor
        switch kind {
        case "a folder": descriptor = SharedFileDescriptor(try File.open("/", O_RDONLY | O_DIRECTORY))
        case "a device": descriptor = SharedFileDescriptor(try File.open("/dev/zero"))
        case "a place": descriptor = SharedFileDescriptor(try File.openPath("/"))
        case "a socket": descriptor = try UnixSocket.Pair(.stream).take().first
        case "a process": descriptor = SharedFileDescriptor(try File.open("/proc/self", O_RDONLY | O_DIRECTORY))
        default:
            let path = scene.daemon.folder.appending("written").path
            descriptor = SharedFileDescriptor(try File.open(path, O_WRONLY | O_CREAT))
        }
        let answer = try SocketClient(scene.daemon).ask(
            [
                "type": "perform", "app": "Attacker", "intent": "AttackWithFile", "files": 1,
                "request": SocketClient.newRequest,
                "values": ["way": "touch", "file": ["file": ["index": 0, "name": "x"]]] as [String: Any],
            ],
            descriptors: [descriptor]
        )
        #expect((answer["error"] as? [String: Any])?["code"] as? String == "badParameter", "\(answer)")
    }

    // MARK: Terminals

    private static let hasScript = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

    @Test(
        .enabled(if: hasScript, "there is no script(1) on this host to make a terminal with"),
        arguments: [
            "run Attacker/Escape --place value", "run Attacker/Escape --place dialog",
            "run Attacker/Escape --place output",
            "run Attacker/Escape --place errors", "run Attacker/Escape --place error",
            "run Attacker/Escape --place progress", "run --no-input Attacker/Escape --place question",
            "run Attacker/EscapeByName", "run Attacker/Escape --nonsense", "list", "describe Attacker",
            "describe Attacker/Escape", "describe Attacker/EscapeByName", "describe Wordy", "run Wordy/Attack",
            "--output json run Attacker/Escape --place value", "--output json run Attacker/Escape --place error",
            "--output json list", "--output json describe Attacker",
        ]
    )
    func `no word of an app's commands a terminal`(_ line: String) throws {
        let scene = try scene(of: .tester)
        let typed = "'\(Programs.intentctl.path)' --socket '\(scene.daemon.socket)' \(line)"
        let terminal = try Command(
            URL(fileURLWithPath: "/usr/bin/script"),
            ["-qec", typed, "/dev/null"],
            environment: ["TERM": "xterm", "SHELL": "/bin/sh"],
            directory: scene.daemon.folder.url
        )
        terminal.exitCode()
        #expect(!terminal.output.isEmpty)
        #expect(Self.commands(in: terminal.output) == [], "\(terminal.output.debugDescription)")
    }

    @Test(arguments: ["value", "dialog", "output", "errors", "error", "progress", "question"])
    func `in a pipe no word of an app's commands the terminal that standard error may be`(_ place: String) throws {
        let run = try scene(of: .tester).daemon.intentctl("run", "--no-input", "Attacker/Escape", "--place", place)
        #expect(Self.commands(in: run.errors) == [], "\(run.errors.debugDescription)")
        // Standard output is the value as it is, and nothing else.
        if place != "value" { #expect(Self.commands(in: run.output) == [], "\(run.output.debugDescription)") }
    }

    /// Characters that a terminal obeys, but those that end or redraw a line of intentctl's own.
    private static func commands(in text: String) -> [UInt32] {
        text.unicodeScalars.map(\.value).filter { value in
            switch value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
