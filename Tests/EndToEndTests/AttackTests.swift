import Foundation
import Glibc
import IntentLinux
import Testing

/// Ways out of the sandbox, each tried by a real run: of a daemon of root's, and of an ordinary user's.
@Suite(.underAttack) struct AttackTests {
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

    // MARK: Calls of the kernel

    @Test(arguments: Attempt.hostFiles, Owner.testable)
    func `the host's files are not there, and the app's own cannot be changed`(_ attempt: Attempt, _ owner: Owner)
        throws
    {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.neighbourFiles, Owner.testable)
    func `a run does not reach what belongs to another run`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.metadata, Owner.testable)
    func `mode, owner and times are changed of a run's own files alone`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Owner.testable)
    func `a neighbour's files keep mode and times, even from who knows its name`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        // Without cgroups nothing but their names keeps runs apart.
        guard scene.isolation.contains(where: { $0.contains("own cgroup") }) else { return }
        for path in ["{neighbour}/secret", "../{name}/secret"] {
            #expect(try scene.outcome(.closed, "change", path) == "EPERM", "\(path)")
        }
    }

    @Test(
        arguments: [
            // The first is what /tmp leads to, where the app itself does not lie there.
            (AttackScene.App.closed, "/proc/self/fd/4"), (.closed, "."), (.closed, "/state"),
            (.closed, "/proc/self/cwd"), (.subprocesses, "/proc/thread-self/cwd"), (.writer, "{folder}/out"),
            (.fewest, "."),
        ],
        Owner.testable
    )
    func `mode, owner and times of a run's own files are its own`(
        _ place: (app: AttackScene.App, folder: String),
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        let outcome = try scene.outcome(place.app, "change its own", place.folder)
        #expect(outcome == "done", "\(outcome)")
        let folder = scene.fill(place.folder, for: place.app)
        let run = try scene.daemon.intentctl("run", "\(place.app.rawValue)/KeepFiles", "--folder", folder)
        #expect(run.output == "604 604 750 true\n", "\(run.errors)")
    }

    @Test(arguments: Attempt.escalatingFiles, Owner.testable)
    func `a file gives nobody rights`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.signals, Owner.testable)
    func `a run signals nobody else`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.siblings, Owner.testable)
    func `a run steers, slows and traces nobody else`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.programs, Owner.testable)
    func `no program is started that was not granted`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.namespaces, Owner.testable)
    func `namespaces stay as they are`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.mounts, Owner.testable)
    func `mounts stay as they are`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.identity, Owner.testable)
    func `users and privileges stay as they are`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.kernel, Owner.testable)
    func `the machine and the kernel's larger parts are out of reach`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.calls + Attempt.options, Owner.testable)
    func `no call is made that no run needs`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    @Test(arguments: Attempt.requests + Attempt.devices, Owner.testable)
    func `terminals and devices are neither steered nor there`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Attempt.clone3, Owner.testable)
    func `a worker has no clone3`(_ attempt: Attempt, _ owner: Owner) throws { try check(attempt, owner) }

    #if arch(x86_64)
        @Test(arguments: Attempt.otherInstructionSets, Owner.testable)
        func `calls of other instruction sets are no way around`(_ attempt: Attempt, _ owner: Owner) throws {
            try check(attempt, owner)
        }
    #endif

    @Test(arguments: Attempt.sockets, Owner.testable)
    func `nobody is talked to who was not granted`(_ attempt: Attempt, _ owner: Owner) throws {
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
    func `nothing is open but what a run is given and what the runtime made`(_ owner: Owner) throws {
        let open = try scene(of: owner).outcome(.closed, "descriptors")
        let words = open.split(separator: " ").dropFirst().map(String.init)
        #expect(Array(words.prefix(4)) == ["0=/dev/null", "1=pipe", "2=pipe", "3=socket"], "\(open)")
        #expect(words.dropFirst(4).first?.hasPrefix("4=/runs/") == true, "\(open)")
        for word in words.dropFirst(5) { #expect(word.contains("=anon_inode:"), "\(open)") }
    }

    @Test(
        arguments: [
            "chmod", "chmod by path", "touch", "reopen", "truncate", "every change of a lent file",
            "change by a swapped path", "change by a swapped descriptor", "change by a swapped link",
        ],
        Owner.testable
    )
    func `a file that was lent is read and nothing else`(_ way: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let file = scene.daemon.folder.appending("lent \(way)")
        try Data("lent".utf8).write(to: file)
        chmod(file.path, 0o644)
        // The worst case: it is the worker's own user's.
        scene.own(file)
        let run = try scene.daemon.intentctl("run", "Attacker/AttackWithFile", "--file", file.path, "--way", way)
        #expect(run.code == 0, "\(run.errors)")
        #expect(["EPERM\n", "EACCES\n", "EINVAL\n", "EROFS\n"].contains(run.output), "\(run.output)")
        let facts = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(facts[.posixPermissions] as? Int == 0o644)
        #expect(try String(contentsOf: file, encoding: .utf8) == "lent")
    }

    // MARK: More than its part

    @Test(arguments: Owner.testable)
    func `a run that stops itself is ended by its clock`(_ owner: Owner) throws {
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
    func `a run writes no more than its part of the disk`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        #expect(try scene.outcome(.small, "large file", "64") == "EFBIG")
        // SIGXFSZ is blocked on the threads of a pool, and ends the run on others.
        let killed = try scene.outcome(.small, "large file, killed", "64")
        #expect(killed == "EFBIG" || killed.contains("signal 25"), "\(killed)")
        let many = try scene.outcome(.small, "many files", "128")
        #expect(many.hasPrefix("ended with") || many == "EDQUOT" || many == "ENOSPC", "\(many)")
    }

    @Test(arguments: ["memory", "shared memory", "memory files", "stacks", "page tables"], Owner.testable)
    func `a run takes no more than its part of the memory`(_ kind: String, _ owner: Owner) throws {
        let outcome = try scene(of: owner).outcome(.small, kind, "384")
        #expect(["ENOMEM", "EFBIG", "EPERM"].contains(outcome) || outcome.contains("signal 9"), "\(outcome)")
    }

    @Test(arguments: Attempt.growth, Owner.testable)
    func `what the kernel keeps for a run is bounded`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: ["raise stack", "raise addresses", "raise data", "pipe size 1048576"], Owner.testable)
    func `where no controller counts memory, what a process could have beside its own is bounded`(
        _ attempt: String,
        _ owner: Owner
    ) throws {
        let scene = try scene(of: owner)
        guard !scene.isolation.contains(where: { $0.contains("cgroup with") && $0.contains("memory") }) else { return }
        let words = attempt.split(separator: " ")
        let (name, detail) = (words.dropLast().joined(separator: " "), String(words[words.count - 1]))
        #expect(try scene.outcome(.small, name, detail) == "EPERM")
        // Without MemoryMax= nobody asked for it.
        #expect(try scene.outcome(.unlimited, name, detail).hasPrefix("done"))
    }

    @Test(arguments: ["memory", "shared memory", "memory files", "stacks", "page tables"], Owner.testable)
    func `without a limit there is memory of every kind`(_ kind: String, _ owner: Owner) throws {
        #expect(try scene(of: owner).outcome(.unlimited, kind, "16") == "done")
    }

    @Test(arguments: Owner.testable)
    func `a run makes no more threads and descriptors than its part`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        // Where no cgroup counts them, a user's are counted, and 64 runs have their part together.
        let hasCgroup = scene.isolation.contains { $0.contains("pids") }
        #expect(try scene.outcome(.small, "threads", hasCgroup ? "10" : "400") == "EAGAIN")
        #expect(try scene.outcome(.small, "many descriptors", "200") == "EMFILE")
        #expect(try scene.outcome(.fewest, "many descriptors", "80") == "EMFILE")
        #expect(try scene.outcome(.small, "raise the limit of descriptors", "4096") == "EPERM")
    }

    @Test(arguments: Owner.testable)
    func `threads of one app take none from another`(_ owner: Owner) throws {
        // Of its own: it may cost others their fork servers.
        let scene = try AttackScene(owner)
        let holding = try scene.daemon.start([
            "run", "Attacker/Attack", "--attempt", "hold threads", "--detail", "300 6",
        ])
        try holding.waitFor("threads are there")
        #expect(try scene.outcome(.small, "threads", "1") == "done 1")
        #expect(holding.exitCode() == 0)
        try scene.end()
    }

    @Test(arguments: Owner.testable)
    func `descriptors on their way to nobody keep no other run from its files`(_ owner: Owner) throws {
        // Of its own: it may cost others their fork servers.
        let scene = try AttackScene(owner)
        let holding = try scene.daemon.start([
            "run", "Attacker/Attack", "--attempt", "descriptors in flight", "--detail", "6",
        ])
        try eventually("they are in flight: \(holding.errors)\(holding.output)") {
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
    func `pid 1 walks no further than the longest path`(_ attempt: Attempt, _ owner: Owner) throws {
        try check(attempt, owner)
    }

    @Test(arguments: Owner.testable)
    func `pid 1 answers runs in turns, however many threads of one run ask`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        let crowd = try scene.daemon.start(["run", "Stateful/Attack", "--attempt", "crowd", "--detail", "40"])
        try crowd.waitFor("the crowd asks")
        #expect(try scene.outcome(.stateful, "beside a crowd", "100") == "done in turns")
        #expect(crowd.exitCode() == 0, "\(crowd.errors)")
    }

    @Test(arguments: Owner.testable)
    func `what a run leaves behind is ended with it`(_ owner: Owner) throws {
        let scene = try scene(of: owner)
        #expect(try scene.outcome(.subprocesses, "leave behind", "5") == "done 5")
        try eventually("nothing is left of it") { !scene.daemon.family.values.contains { $0.hasPrefix(")") } }
    }

    @Test(arguments: [("deep folders", "3000"), ("locked folder", ""), ("many names", "2000")], Owner.testable)
    func `a folder that is hard to remove is removed`(_ attempt: (name: String, detail: String), _ owner: Owner) throws
    {
        let outcome = try scene(of: owner).outcome(.closed, attempt.name, attempt.detail)
        // Of a tree that cannot be measured it is not known that it is within DiskMax=.
        #expect(outcome == "done" || outcome == "ENAMETOOLONG" || outcome.hasPrefix("ended with"), "\(outcome)")
    }

    @Test(arguments: ["print", "burn", "change for long"], Owner.testable)
    func `a run that prints or computes much slows nobody else`(_ kind: String, _ owner: Owner) throws {
        let scene = try scene(of: owner)
        let busy = try scene.daemon.start([
            "run", "--limit", "5min", "Attacker/Attack", "--attempt", kind, "--detail", kind == "print" ? "8" : "3",
        ])
        // Its own limit is how long it may take.
        #expect(try scene.daemon.intentctl("run", "Probe/Echo", "--text", "here").output == "here\n")
        #expect(busy.exitCode() == 0, "\(busy.errors.suffix(300))")
    }
}
