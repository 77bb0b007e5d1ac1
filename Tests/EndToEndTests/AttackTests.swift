import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Attempts to escape the sandbox, each made by a real run of a daemon that root or an ordinary user owns.
@Suite(.ownThread, .underAttack) struct AttackTests {
    typealias Owner = Daemon.Owner

    func scene(of owner: Owner) throws -> AttackScene {
        try #require(UnderAttack.scenes[owner])
    }

    private func check(_ attempt: Attempt, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        guard scene.landlockVersion >= attempt.landlockVersion else { return }
        let outcome = try scene.outcome(attempt.app, attempt.name, attempt.detail)
        switch attempt.outcome {
        case .refused(let errors): #expect(errors.contains(outcome), "\(outcome)")
        case .done(let words): #expect(outcome == words)
        case .ends(let words): #expect(outcome.hasPrefix("ended with") && outcome.contains(words), "\(outcome)")
        }
    }

    // MARK: System calls

    @Test(arguments: Attempt.hostFiles, Owner.testable)
    func `host files are hidden, and the app's own are read-only`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.neighbourFiles, Owner.testable)
    func `a run cannot reach the files of another run`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.metadata, Owner.testable)
    func `a run cannot change mode, owner and times outside its folders`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Owner.testable)
    func `a run that knows a neighbour's folder name cannot change its files`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        // Without cgroups, only unguessable names protect runs from each other.
        guard scene.isolation.contains(where: { $0.contains("own cgroup") }) else { return }
        for path in ["{neighbour}/secret", "../{name}/secret"] {
            #expect(try scene.outcome(.closed, "change", path) == "EPERM", "\(path)")
        }
    }

    @Test(
        arguments: [
            // /tmp links to descriptor 4, unless the app itself is installed below /tmp.
            (AttackScene.App.closed, "/proc/self/fd/4"), (.closed, "."), (.closed, "/state"),
            (.closed, "/proc/self/cwd"), (.subprocesses, "/proc/thread-self/cwd"), (.writer, "{folder}/out"),
            (.fewest, "."),
        ],
        Owner.testable
    )
    func `a run can change mode, owner and times of its own files`(
        _ target: (app: AttackScene.App, folder: String),
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        let outcome = try scene.outcome(target.app, "change its own", target.folder)
        #expect(outcome == "done", "\(outcome)")
        let folder = scene.fill(target.folder, for: target.app)
        let run = try scene.daemon.intentctl("run", "\(target.app.rawValue)/KeepFiles", "--folder", folder)
        #expect(run.output == "604 604 750 true\n", "\(run.errors)")
    }

    @Test(arguments: Attempt.escalatingFiles, Owner.testable)
    func `a run cannot create setuid programs or devices`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.signals, Owner.testable)
    func `a run cannot signal other processes`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.siblings, Owner.testable)
    func `a run cannot limit, reschedule or trace other processes`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.programs, Owner.testable)
    func `a run cannot execute programs without a grant`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.namespaces, Owner.testable)
    func `a run cannot create or enter namespaces`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.mounts, Owner.testable)
    func `a run cannot change or inspect mounts`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.identity, Owner.testable)
    func `a run cannot change its user and privileges`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.kernel, Owner.testable)
    func `a run cannot control the host or use exposed kernel subsystems`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.calls + Attempt.options, Owner.testable)
    func `system calls and options that no run needs are refused`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.requests + Attempt.devices, Owner.testable)
    func `terminals and devices are hidden, and ioctl requests to them are refused`(_ attempt: Attempt, _ owner: Owner)
        throws
    {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.clone3, Owner.testable)
    func `clone3 is hidden from workers`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    #if arch(x86_64)
        @Test(arguments: Attempt.otherInstructionSets, Owner.testable)
        func `calls of other instruction sets do not bypass the filter`(_ attempt: Attempt, _ owner: Owner) throws {
            let processor = try File.text(at: "/proc/cpuinfo")
            if attempt.detail == "int 80", processor.contains("User Mode Linux") {
                try skipTest("in User-Mode Linux, int 0x80 is a call of the 64-bit instruction set")
            }
            try check(attempt, owner)
        }
    #endif

    @Test(arguments: Attempt.sockets, Owner.testable)
    func `a run cannot use sockets without a grant`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    // MARK: What a run has

    @Test(arguments: Owner.testable)
    func `the only account is the app's own`(_ owner: Owner) throws {
        let passwd = try scene(of: owner).outcome(.closed, "read", "/etc/passwd")
        #expect(passwd.hasPrefix("done app:x:"), "\(passwd)")
        #expect(passwd.split(separator: "\n").count == 1)
    }

    @Test(arguments: Owner.testable)
    func `a run starts with its four descriptors and those of the runtime`(_ owner: Owner) throws {
        let open = try scene(of: owner).outcome(.closed, "descriptors")
        let words = open.split(separator: " ").dropFirst().map(String.init)
        #expect(Array(words.prefix(4)) == ["0=/dev/null", "1=pipe", "2=pipe", "3=socket"], "\(open)")
        #expect(words.dropFirst(4).first?.hasPrefix("4=/runs/") == true, "\(open)")
        for word in words.dropFirst(5) { #expect(word.contains("=anon_inode:"), "\(open)") }
    }

    @Test(
        arguments: [
            "chmod", "chmod by path", "touch", "reopen", "truncate", "every change of a passed file",
            "change by a swapped path", "change by a swapped descriptor", "change by a swapped link",
        ],
        Owner.testable
    )
    func `a passed file can be read but not changed`(_ way: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let file = scene.daemon.folder.appending("passed \(way)")
        try Data("passed".utf8).write(to: file)
        chmod(file.path, 0o644)
        // The worst case: the worker's own user owns the file.
        scene.own(file)
        let run = try scene.daemon.intentctl("run", "Attacker/AttackWithFile", "--file", file.path, "--way", way)
        #expect(run.code == 0, "\(run.errors)")
        #expect(["EPERM\n", "EACCES\n", "EINVAL\n", "EROFS\n"].contains(run.output), "\(run.output)")
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(facts[.posixPermissions] as? Int == 0o644)
        #expect(try String(contentsOf: file, encoding: .utf8) == "passed")
    }

    // MARK: Resource limits

    @Test(arguments: Owner.testable)
    func `a run that stops its own process still reaches its limit`(_ owner: Owner) throws {
        let run = try scene(of: owner).daemon.intentctl(
            "run",
            "--limit",
            "500ms",
            "Attacker/Attack",
            "--attempt",
            "stop itself"
        )
        #expect(run.code == 124, "\(run.errors)")
    }

    @Test(arguments: Owner.testable)
    func `a run cannot exceed its disk limit`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        #expect(try scene.outcome(.small, "large file", "64") == "EFBIG")
        // SIGXFSZ is blocked on the threads of a pool, and kills the process on other threads.
        let killed = try scene.outcome(.small, "large file, killed", "64")
        #expect(killed == "EFBIG" || killed.contains("signal 25"), "\(killed)")
        let many = try scene.outcome(.small, "many files", "128")
        #expect(many.hasPrefix("ended with") || many == "EDQUOT" || many == "ENOSPC", "\(many)")
    }

    @Test(arguments: ["memory", "shared memory", "memory files", "stacks", "page tables"], Owner.testable)
    func `a run cannot exceed its memory limit`(_ kind: String, _ owner: Owner) throws {
        let outcome = try scene(of: owner).outcome(kind == "stacks" ? .stacked : .small, kind, "384")
        // The launcher names the limit where a memory controller has ended the run.
        let isEnded = outcome.contains("signal 9") || outcome.hasPrefix("ended with exceeded: the app used more memory")
        #expect(["ENOMEM", "EFBIG", "EPERM"].contains(outcome) || isEnded, "\(outcome)")
    }

    @Test(arguments: Attempt.growth, Owner.testable)
    func `kernel memory held for a run is bounded`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: ["raise stack", "raise addresses", "raise data", "pipe size 1048576"], Owner.testable)
    func `without a memory controller, a run cannot raise the limits that bound its memory`(
        _ attempt: String,
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        guard !scene.isolation.contains(where: { $0.contains("cgroup with") && $0.contains("memory") }) else { return }
        let words = attempt.split(separator: " ")
        let (name, detail) = (words.dropLast().joined(separator: " "), String(words[words.count - 1]))
        #expect(try scene.outcome(.small, name, detail) == "EPERM")
        // Without MemoryMax= these limits are not enforced.
        #expect(try scene.outcome(.unlimited, name, detail).hasPrefix("done"))
    }

    @Test(arguments: ["memory", "shared memory", "memory files", "stacks", "page tables"], Owner.testable)
    func `without a limit a run can allocate every kind of memory`(_ kind: String, _ owner: Owner) throws {
        #expect(try scene(of: owner).outcome(.unlimited, kind, "16") == "done")
    }

    @Test(arguments: Owner.testable)
    func `a run cannot exceed its limits on threads and descriptors`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        // Without a pids controller the limit counts all threads of a user, and 64 runs share it.
        let hasCgroup = scene.isolation.contains { $0.contains("pids") }
        for (app, attempt, detail, expected) in [
            (AttackScene.App.threaded, "threads", hasCgroup ? "10" : "400", "EAGAIN"),
            (.small, "many descriptors", "200", "EMFILE"),
            (.fewest, "many descriptors", "80", "EMFILE"),
            (.small, "raise the limit of descriptors", "4096", "EPERM"),
        ] {
            let outcome = try scene.outcome(app, attempt, detail)
            #expect(outcome == expected, "\(attempt)")
        }
    }

    @Test(arguments: Owner.testable)
    func `the threads of one app do not reduce those of another`(_ owner: Owner) throws {
        // A scene of its own, because the attempt may kill fork servers.
        let scene = try AttackScene(owner)
        // A pids controller counts the tasks of a run. Without it, the limit is that of all runs of the app.
        let count = scene.isolation.contains { $0.contains("pids") } ? 40 : 300
        let holding = try scene.daemon.start([
            "run", "Attacker/Attack", "--attempt", "hold threads", "--detail", "\(count) \(6 * Patience.factor)",
        ])
        try holding.waitFor("threads are there")
        #expect(try scene.outcome(.small, "threads", "1") == "done 1")
        #expect(holding.exitCode() == 0)
        try scene.end()
    }

    @Test(arguments: Owner.testable)
    func `descriptors in flight do not prevent other runs from passing files`(_ owner: Owner) throws {
        // A scene of its own, because the attempt may kill fork servers.
        let scene = try AttackScene(owner)
        let holding = try scene.daemon.start([
            "run", "Attacker/Attack", "--attempt", "descriptors in flight", "--detail", "6",
        ])
        try eventually("the descriptors are in flight: \(holding.errors)\(holding.output)") {
            holding.errors.contains("in flight") || !holding.isRunning
        }
        for intent in ["Probe/MakeFile", "Probe/Echo"] {
            let words = intent == "Probe/Echo" ? ["--text", "here"] : ["--place", "memory"]
            let run = try scene.daemon.start(["run", intent] + words)
            #expect(run.exitCode() == 0, "\(intent): \(run.errors)")
        }
        holding.exitCode()
        try scene.end()
    }

    @Test(arguments: Attempt.longWalks, Owner.testable)
    func `the sandbox init bounds the length of path walks`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Owner.testable)
    func `the sandbox init serves runs in turn, however many threads of one run call it`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        let crowd = try scene.daemon.start(["run", "Stateful/Attack", "--attempt", "crowd", "--detail", "40"])
        try crowd.waitFor("the crowd is calling")
        let count = 100 / Patience.factor
        #expect(try scene.outcome(.stateful, "beside a crowd", "\(count)") == "done in turns")
        #expect(crowd.exitCode() == 0, "\(crowd.errors)")
    }

    @Test(arguments: Owner.testable)
    func `processes that a run leaves behind are killed when it ends`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        #expect(try scene.outcome(.subprocesses, "leave behind", "5") == "done 5")
        try eventually("the processes left behind exit") { !scene.daemon.family.values.contains { $0.hasPrefix(")") } }
    }

    @Test(arguments: [("deep folders", "3000"), ("locked folder", ""), ("many names", "2000")], Owner.testable)
    func `a folder that is hard to remove is removed`(_ attempt: (name: String, detail: String), _ owner: Owner) throws
    {
        let outcome = try scene(of: owner).outcome(.closed, attempt.name, attempt.detail)
        // A tree too deep to measure may end the run, because it may exceed DiskMax=.
        #expect(outcome == "done" || outcome == "ENAMETOOLONG" || outcome.hasPrefix("ended with"), "\(outcome)")
    }

    @Test(arguments: ["print", "burn", "change for long"], Owner.testable)
    func `a run that prints or computes a lot does not block other runs`(_ kind: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let busy = try scene.daemon.start([
            "run", "--limit", "5min", "Attacker/Attack", "--attempt", kind, "--detail", kind == "print" ? "8" : "3",
        ])
        // No time is asserted: the limit of the run bounds it.
        #expect(try scene.daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
        #expect(busy.exitCode() == 0, "\(busy.errors.suffix(300))")
    }
}
