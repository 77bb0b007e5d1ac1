import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests workers and clients that send false messages, or pass descriptors of unexpected kinds.
@Suite(.ownThread, .underAttack) struct AttackOnDaemonTests {
    typealias Owner = Daemon.Owner

    private func scene(of owner: Owner) throws -> AttackScene {
        try #require(UnderAttack.scenes[owner])
    }

    // MARK: On descriptor 3

    @Test(arguments: Falsehood.all, Owner.testable)
    func `a false report of a worker ends its run or is ignored`(_ lie: Falsehood, _ owner: Owner) throws {
        let run = try scene(of: owner).daemon.intentctl(
            "run",
            "--limit",
            // If the false report is ignored, the run continues until this limit.
            lie.code == 124 ? "2s" : "1min",
            // Without a memory limit, the app can create memory files even where no controller accounts for them.
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
    func `a result that is not a file of the run is not passed to the client`(
        _ result: (kind: String, target: String),
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        let out = try TemporaryFolder()
        let run = try scene.daemon.start([
            "run", "--out", out.url.path, "Attacker/LieAboutFile", "--kind", result.kind, "--target",
            scene.fill(result.target, for: .closed),
        ])
        // Opening a pipe without a writer blocks forever, and the kernel breaks a lease after 45 s (proc(5)).
        try eventually(within: .seconds(40), "the run ends without waiting for the file") { !run.isRunning }
        #expect([1, 70].contains(run.exitCode()), "\(run.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.url.path) == [])
    }

    @Test(arguments: ["{neighbour}/secret", "{folder}/host-secret", "/etc/passwd"], Owner.testable)
    func `a result that alternates between file and link yields the file or nothing`(_ target: String, _ owner: Owner)
        throws
    {
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

    // MARK: Clients

    @Test(
        arguments: ["a folder", "a device", "a path", "a socket", "a process", "write-only"],
        Owner.testable
    )
    func `a client's descriptor that is not a readable file is refused`(_ kind: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let descriptor: SharedFileDescriptor
        switch kind {
        case "a folder": descriptor = SharedFileDescriptor(try File.open("/", O_RDONLY | O_DIRECTORY))
        case "a device": descriptor = SharedFileDescriptor(try File.open("/dev/zero"))
        case "a path": descriptor = SharedFileDescriptor(try File.openPath("/"))
        case "a socket": descriptor = try UnixSocket.Pair(.stream).shared().first
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
        .enabled(if: hasScript, "needs script(1) to open a terminal"),
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
    func `no text of an app controls the terminal`(_ line: String) throws {
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
        #expect(TerminalText.commands(in: terminal.output) == [], "\(terminal.output.debugDescription)")
    }

    @Test(arguments: ["value", "dialog", "output", "errors", "error", "progress", "question"])
    func `with a pipe as standard output, no text of an app controls the terminal at standard error`(_ place: String)
        throws
    {
        let run = try scene(of: .tester).daemon.intentctl("run", "--no-input", "Attacker/Escape", "--place", place)
        #expect(TerminalText.commands(in: run.errors) == [], "\(run.errors.debugDescription)")
        // Standard output has the unchanged value, and nothing else.
        if place != "value" { #expect(TerminalText.commands(in: run.output) == [], "\(run.output.debugDescription)") }
    }
}
