import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Each pair of app and user has a sandbox of its own, with user ids of its own.
@Suite(.ownThread, .enabled(if: Daemon.canBecomeOthers, "needs root to act as several users, and for ids of sandboxes"))
struct IdentityTests {
    private static let first: UInt32 = 41_001
    private static let second: UInt32 = 41_002

    @Test func `two users and two apps have four user ids, four sandboxes and four fork servers`() throws {
        let daemon = try Daemon(sandbox: [])
        try daemon.admitEverybody()
        try daemon.install("Probe", as: "Other")
        var runs: [Command] = []
        for user in [Self.first, Self.second] {
            for app in ["Probe", "Other"] {
                runs.append(try daemon.start(as: user, ["run", "\(app)/Slow", "--seconds", "600"]))
            }
        }
        try eventually("four workers run") { Self.counts(of: daemon) == [4, 4, 4] }
        let sandboxed = Self.sandboxed(of: daemon)
        let inits = sandboxed.filter { $0.value == "intentd-init" }.map(\.key)
        let servers = sandboxed.filter { $0.value == "intentd-fork" }.map(\.key)
        let workers = Self.workers(in: sandboxed)
        #expect(inits.count == 4 && servers.count == 4 && workers.count == 4, "\(sandboxed)")
        let apps = Set(try workers.map(Self.user))
        #expect(apps.count == 4)
        #expect(try Set(servers.map(Self.user)) == apps)
        let ids = apps.union(try inits.map(Self.user))
        #expect(ids.count == 8)
        let others: Set<UInt32> = [0, 65534, Self.first, Self.second, getuid()]
        #expect(ids.isDisjoint(with: others), "\(ids)")
        #expect(Set(workers.map { Self.namespace("pid", of: $0) }).count == 4)
        #expect(Set(workers.map { Self.namespace("user", of: $0) }).count == 4)
        for run in runs { run.signal(SIGINT) }
        for run in runs { #expect(run.exitCode() == 130) }
    }

    @Test func `no process of a sandbox has a directory of an outside mount open`() throws {
        let daemon = try Daemon()
        let run = try daemon.start(["run", "Probe/Slow", "--seconds", "600"])
        try eventually("a worker runs") { Self.counts(of: daemon) == [1, 1, 1] }
        var directoryCount = 0
        for (process, name) in Self.sandboxed(of: daemon) {
            // The process may have exited meanwhile.
            guard let mounts = try? Self.mounts(of: process), let files = try? Self.openFiles(of: process) else {
                continue
            }
            let outside = try Self.mounts(of: daemon.launcher()).union(Self.mounts(of: getpid()))
            for path in files + ["cwd", "root"].map({ "/proc/\(process)/\($0)" }) {
                var status = stat()
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
                directoryCount += 1
                let mount = try Self.mount(of: path)
                // The fork server's cgroup tree is a detached mount, so its descriptor shows "/" and no mount point.
                let isDetached = name == "intentd-fork" && (try? Self.target(path)) == "/" && !outside.contains(mount)
                #expect(
                    mounts.contains(mount) && !outside.contains(mount) || isDetached,
                    "\(name): \(path) is on mount \(mount)"
                )
            }
        }
        #expect(directoryCount > 0)
        run.signal(SIGINT)
        #expect(run.exitCode() == 130)
    }

    @Test func `a hostile fork server receives no directory that leads out of its sandbox`() throws {
        let daemon = try Daemon(sandbox: [])
        let secret = daemon.folder.appending("host-secret")
        try Data("a secret of the host".utf8).write(to: secret)
        try daemon.install(
            "Attacker",
            as: "Attacker",
            app: ["Environment=ATTACKER_SERVER=directories ATTACKER_PATH=\(secret.path)"]
        )
        let run = try daemon.intentctl("run", "Attacker/Hold")
        // The exit code is 40 plus the number of directories that lead outside.
        #expect(run.errors.contains("exit code 40"), "\(run.errors)")
    }

    @Test func `each user of an app has a state folder of their own, even after a restart`() throws {
        let daemon = try Daemon(sandbox: [])
        try daemon.admitEverybody()
        #expect(try Self.write("mine", as: Self.first, daemon).code == 0)
        #expect(try Self.read(as: Self.first, daemon) == "mine\n")
        #expect(try daemon.intentctl(as: Self.second, "run", "Probe/ReadText", "--path", "/state/kept").code == 1)
        #expect(try Self.write("theirs", as: Self.second, daemon).code == 0)
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let next = try Daemon(after: daemon)
        try next.admitEverybody()
        #expect(try Self.read(as: Self.second, next) == "theirs\n")
        #expect(try Self.read(as: Self.first, next) == "mine\n")
    }

    @Test func `State=shared gives all users of an app one state folder`() throws {
        let daemon = try Daemon(sandbox: [], app: ["State=shared"])
        try daemon.admitEverybody()
        #expect(try Self.write("ours", as: Self.first, daemon).code == 0)
        #expect(try Self.read(as: Self.second, daemon) == "ours\n")
        #expect(try Self.write("changed", as: Self.second, daemon).code == 0)
        #expect(try Self.read(as: Self.first, daemon) == "changed\n")
    }

    @Test func `a shared state folder keeps its owner where no sandbox can be created`() throws {
        let daemon = try Daemon(sandbox: ["Require=none"], app: ["State=shared"], hasSandboxes: false)
        try daemon.admitEverybody()
        #expect(try daemon.grade() == "none")
        // Other users cannot search the parent folder, which belongs to intentd.
        #expect(
            try daemon.intentctl(as: Self.first, "run", "Probe/Variable", "--name", "STATE_DIRECTORY").output == "-\n"
        )
        let closed = daemon.folder.appending("state").path
        #expect(daemon.errors.contains("chmod o+x \(closed)'"), "\(daemon.errors)")
        chmod(closed, 0o711)
        let folder = daemon.folder.appending("state/apps/Probe").path
        #expect(
            try daemon.intentctl(as: Self.first, "run", "Probe/Variable", "--name", "STATE_DIRECTORY").output
                == folder + "\n"
        )
        func write(as user: UInt32) throws -> UInt32 {
            let file = "\(folder)/of-\(user)"
            let run = try daemon.intentctl(as: user, "run", "Probe/WriteText", "--path", file, "--text", "x")
            #expect(run.code == 0, "\(run.errors)")
            var status = stat()
            try #require(stat(folder, &status) == 0)
            let owner = status.st_uid
            try #require(stat(file, &status) == 0)
            #expect(status.st_uid == owner)
            return owner
        }
        let owner = try write(as: Self.first)
        #expect(owner != 0 && owner != 65534)
        #expect(try write(as: Self.second) == owner)
        #expect(try write(as: Self.first) == owner)
    }

    @Test func `with no ids left a new user is refused, and users with ids are still served`() throws {
        // The launcher uses one pair of ids for its trial sandbox, each app one to describe its intents, the first user
        // one.
        let daemon = try Daemon(sandbox: [])
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        let unit = daemon.folder.appending("etc/intentd.conf")
        try Data("[Sandbox]\nIdRange=2080600000:8\n".utf8).write(to: unit)
        let next = try Daemon(after: daemon)
        try next.admitEverybody()
        func first() throws {
            let run = try next.intentctl(as: Self.first, "run", "Probe/Echo", "--text", "x")
            #expect(run.code == 0, "\(run.errors)")
        }
        try first()
        let refused = try next.intentctl(as: Self.second, "run", "Probe/Echo", "--text", "x")
        #expect(refused.code != 0 && refused.errors.contains("IdRange="), "\(refused.errors)")
        try first()
    }

    @Test func `a range with ids of host accounts is refused`() throws {
        let daemon = try Daemon(sandbox: [])
        daemon.signal(SIGTERM)
        #expect(daemon.exitCode() == 0)
        // plain-english: nobody (the account)
        // The account nobody is in this range on every system.
        let unit = daemon.folder.appending("etc/intentd.conf")
        try Data("[Sandbox]\nIdRange=65000:1000\n".utf8).write(to: unit)
        let next = try Daemon(after: daemon)
        let run = try next.intentctl("run", "Probe/Echo", "--text", "x")
        #expect(run.code != 0 && run.errors.contains("'nobody' in /etc/passwd"), "\(run.errors)")
    }

    @Test func `beyond the limit, the fork server that has been idle longest is stopped`() throws {
        let daemon = try Daemon(configuration: ["ForkServers=1", "Spare=0"])
        try daemon.admitEverybody()
        for user in [Self.first, Self.second, Self.first] {
            #expect(try daemon.intentctl(as: user, "run", "Probe/Echo", "--text", "x").code == 0)
            try eventually("one fork server is left") {
                Self.sandboxed(of: daemon).values.count { $0 == "intentd-fork" } == 1
            }
        }
    }

    @Test func `a fork server that was busy when the limit was exceeded is stopped after its run`() throws {
        let daemon = try Daemon(configuration: ["ForkServers=1", "Spare=0"])
        try daemon.admitEverybody()
        func servers() -> Int { Self.sandboxed(of: daemon).values.count { $0 == "intentd-fork" } }
        let runs = try [(Self.first, "one"), (Self.second, "two")].map { user, name in
            let run = try daemon.start(as: user, ["run", "Probe/AwaitFile", "--file", name])
            return (run, name, try daemon.runFolder(holding: "\(name).awaited"))
        }
        #expect(servers() == 2)
        for (run, name, folder) in runs {
            try Data().write(to: folder.appending(path: name))
            #expect(run.exitCode() == 0, "\(run.errors)")
        }
        try eventually("one fork server is left") { servers() == 1 }
    }

    // MARK: Private

    private static func write(_ text: String, as user: UInt32, _ daemon: Daemon) throws -> (
        code: Int32, output: String, errors: String
    ) {
        try daemon.intentctl(as: user, "run", "Probe/WriteText", "--path", "/state/kept", "--text", text)
    }

    private static func read(as user: UInt32, _ daemon: Daemon) throws -> String {
        try daemon.intentctl(as: user, "run", "Probe/ReadText", "--path", "/state/kept").output
    }

    /// The daemon's descendants that are in a sandbox.
    private static func sandboxed(of daemon: Daemon) -> [Int32: String] {
        let own = namespace("user", of: getpid())
        let launcher = (try? daemon.launcher()).map { namespace("user", of: $0) }
        return daemon.family.filter { process, _ in
            let space = namespace("user", of: process)
            return space != nil && space != own && space != launcher
        }
    }

    /// The numbers of sandbox inits, fork servers and workers with a run.
    private static func counts(of daemon: Daemon) -> [Int] {
        let all = sandboxed(of: daemon)
        let own = ["intentd-init", "intentd-fork"].map { name in all.values.count { $0 == name } }
        return own + [workers(in: all).count]
    }

    /// Workers with a run, which have their app's name.
    private static func workers(in sandboxed: [Int32: String]) -> [Int32] {
        sandboxed.filter { ["Probe", "Other"].contains($0.value) }.map(\.key)
    }

    private static func user(_ process: Int32) throws -> UInt32 {
        var status = stat()
        try #require(stat("/proc/\(process)", &status) == 0)
        return status.st_uid
    }

    private static func namespace(_ kind: String, of process: Int32) -> String? {
        try? target("/proc/\(process)/ns/\(kind)")
    }

    private static func target(_ link: String) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: link)
    }

    private static func openFiles(of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").map { "/proc/\(process)/fd/\($0)" }
    }

    /// The ids of all mounts in a process's mount namespace.
    private static func mounts(of process: Int32) throws -> Set<String> {
        // Foundation would read only one page of this file.
        let text = try File.text(at: "/proc/\(process)/mountinfo")
        return Set(text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    /// The id of the mount that holds a directory (`mnt_id` of proc_pid_fdinfo(5)).
    private static func mount(of path: String) throws -> String {
        let file = SharedFileDescriptor(try File.openPath(path))
        let text = try String(contentsOfFile: "/proc/self/fdinfo/\(file.rawValue)", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("mnt_id:") })
        return line.dropFirst("mnt_id:".count).trimmingCharacters(in: .whitespaces)
    }
}
