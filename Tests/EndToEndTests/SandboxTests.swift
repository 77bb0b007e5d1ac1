import Foundation
import Glibc
import IntentLinux
import Testing

/// What `[Sandbox]` and `[App]` give an app, and that it has nothing else.
@Suite struct SandboxTests {
    @Test func `an app sees its own files and nothing of the host's`() throws {
        let daemon = try Daemon(sandbox: [])
        for path in [
            "/etc/shadow", "/etc/hostname", "/home", "/var/lib", "/sys/kernel", daemon.folder.url.path + "/etc",
        ] {
            let run = try daemon.intentctl("run", "Probe/ReadText", "--path", path)
            #expect(run.code == 1, "\(path): \(run.output)")
        }
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "/x", "--text", "x").code == 1)
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "mine", "--text", "x").code == 0)
        #expect(try daemon.intentctl("run", "Probe/RunProgram", "--path", "/bin/true").code == 1)
    }

    @Test func `what the operator grants is there, for reading or for writing`() throws {
        let grants = try TemporaryFolder()
        chmod(grants.url.path, 0o755)
        for name in ["readable", "writable"] {
            let folder = grants.appending(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(name.utf8).write(to: folder.appending(path: "file"))
            chmod(folder.path, 0o777)
        }
        let readable = grants.appending("readable").path
        let writable = grants.appending("writable").path
        let daemon = try Daemon(sandbox: ["ReadPaths=\(readable)", "WritePaths=\(writable)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "\(readable)/file").output == "readable\n")
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "\(writable)/file").output == "writable\n")
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "\(readable)/new", "--text", "x").code == 1)
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "\(writable)/new", "--text", "x").code == 0)
        #expect(FileManager.default.fileExists(atPath: "\(writable)/new"))
    }

    @Test func `a path that is granted and not there keeps the app from running, and is named`() throws {
        let daemon = try Daemon(sandbox: ["ReadPaths=/not/there"])
        let run = try daemon.intentctl("run", "Probe/Echo", "--text", "x")
        #expect(run.code == 78)
        #expect(run.errors.contains("/not/there"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "python3 is not installed"))
    func `where nobody can be asked whose files a call is about, runs work and their grade says so`() throws {
        let daemon = try Daemon(sandbox: [], hasListener: true)
        let status = try daemon.json("status")
        #expect(status["isolationGrade"] as? String == "reduced")
        let missing = try #require(status["isolationMissing"] as? [String])
        #expect(missing.contains { $0.hasPrefix("mode and times of files") }, "\(missing)")
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "mine", "--text", "x").code == 0)
        let asked = try Daemon(sandbox: [])
        let others = try #require(asked.json("status")["isolationMissing"] as? [String])
        #expect(!others.contains { $0.hasPrefix("mode and times of files") }, "\(others)")
    }

    @Test func `an app keeps its state from run to run, and has no other's`() throws {
        let daemon = try Daemon(sandbox: [])
        #expect(try daemon.intentctl("run", "Probe/Variable", "--name", "STATE_DIRECTORY").output == "/state\n")
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "/state/kept", "--text", "kept").code == 0)
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "/state/kept").output == "kept\n")
        let without = try Daemon(sandbox: [], app: ["State=no"])
        #expect(try without.intentctl("run", "Probe/Variable", "--name", "STATE_DIRECTORY").output == "-\n")
        #expect(try without.intentctl("run", "Probe/ReadText", "--path", "/state/kept").code == 1)
    }

    @Test func `a credential is a file that only the app can read`() throws {
        let folder = try TemporaryFolder()
        let secret = folder.appending("secret")
        try Data("s3cret".utf8).write(to: secret)
        chmod(secret.path, 0o600)
        let daemon = try Daemon(sandbox: [], app: ["LoadCredential=token:\(secret.path)"])
        let place = try daemon.intentctl("run", "Probe/Variable", "--name", "CREDENTIALS_DIRECTORY").output
        let path = place.trimmingCharacters(in: .whitespacesAndNewlines) + "/token"
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", path).output == "s3cret\n")
        #expect(!daemon.errors.contains("s3cret"))
    }

    @Test(.enabled(if: getuid() == 0, "only root can be another user"))
    func `a check of the files says which credential and which grant the daemon could not read`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let secret = folder.appending("secret")
        try Data("s3cret".utf8).write(to: secret)
        chmod(secret.path, 0o600)
        let daemon = try Daemon(sandbox: [], app: ["LoadCredential=token:\(secret.path)"], hasOwnPrograms: true)
        let unit = daemon.folder.appending("units/Probe.conf")
        chmod(daemon.folder.url.path, 0o755)
        func check(as user: Int) throws -> (code: Int32, output: String) {
            let words = [
                "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", daemon.program("intentd").path, "--check",
                "--units", daemon.folder.appending("units").path, "--apps", daemon.folder.appending("apps").path,
            ]
            let command = try Command(URL(fileURLWithPath: "/usr/bin/setpriv"), words)
            return (command.exitCode(), command.output)
        }
        #expect(try check(as: 0) == (0, ""))
        let other = try check(as: 42_424)
        #expect(other.code == 78)
        #expect(other.output.contains("'token' cannot be read by user 42424"), "\(other.output)")
        try Data("[Sandbox]\nReadPaths=/not/there\n".utf8).write(to: unit)
        #expect(try check(as: 0).output.contains("ReadPaths=: '/not/there' cannot be reached"))
    }

    @Test func `without a network not even the loopback address is there`() throws {
        let server = try Server()
        let closed = try Daemon(sandbox: [])
        #expect(try closed.intentctl("run", "Probe/ConnectTo", "--port", "\(server.port)").code == 1)
        let open = try Daemon(sandbox: ["Network=yes"])
        #expect(try open.intentctl("run", "Probe/ConnectTo", "--port", "\(server.port)").output == "welcome\n")
    }

    @Test func `connections go to the ports that were named`() throws {
        guard try Self.landlockVersion() >= 4 else { try skipTest("Landlock 4 is missing, which knows ports") }
        let named = try Server()
        let other = try Server()
        let daemon = try Daemon(sandbox: ["ConnectPorts=\(named.port)"])
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--port", "\(named.port)").output == "welcome\n")
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--port", "\(other.port)").code == 1)
    }

    @Test func `a named socket is the only one within reach`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let named = try Server(path: folder.appending("named").path)
        let other = try Server(path: folder.appending("other").path)
        let daemon = try Daemon(sandbox: ["Sockets=\(named.path)"])
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", named.path).output == "welcome\n")
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", other.path).code == 1)
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", daemon.socket).code == 1)
    }

    @Test func `an app is no client of the intentd that runs it, however it came to the socket`() throws {
        let daemon = try Daemon()
        // Everybody of the machine may connect; the app has the socket by a grant.
        chmod(daemon.socket, 0o666)
        let units = daemon.folder.appending("units/Probe.conf")
        try Data("[Sandbox]\nSubprocesses=yes\nSockets=\(daemon.socket)\n".utf8).write(to: units)
        #expect(try daemon.intentctl("reload").code == 0)
        for words in [[], ["--by-child"]] {
            let run = try daemon.start(
                ["run", "--limit", "20s", "Probe/ConnectTo", "--socket", daemon.socket] + words
            )
            #expect(run.exitCode() == 0, "\(words): \(run.errors)")
            #expect(run.output.contains("notPermitted"), "\(words): \(run.output)")
        }
        #expect(try daemon.intentctl("status").code == 0)
    }

    @Test func `an app that may start programs can, with the files that they need`() throws {
        let daemon = try Daemon(sandbox: ["Subprocesses=yes", "ReadPaths=/usr/bin /usr/lib /lib /lib64 /bin"])
        let run = try daemon.intentctl("run", "Probe/RunProgram", "--path", "/usr/bin/id", "--words=-u")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output != "0\n")
        // Foundation's Process hung now and then where it could not make what wakes it.
        #expect(run.errors == "")
    }

    @Test func `a device that was named is there`() throws {
        let without = try Daemon(sandbox: [])
        #expect(try without.intentctl("run", "Probe/ReadText", "--path", "/dev/zero").code == 1)
        let daemon = try Daemon(sandbox: ["Devices=/dev/zero"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "/dev/zero").code == 0)
    }

    @Test func `a run that needs a graphics processor is told why it has none`() throws {
        let without = try Daemon(sandbox: []).intentctl("run", "Probe/NeedsGPU")
        #expect(without.code == 1)
        #expect(without.errors.contains("GPU=yes"), "\(without.errors)")
        let with = try Daemon(sandbox: ["GPU=yes"]).intentctl("run", "Probe/NeedsGPU")
        #expect(with.code == 0 || with.errors.contains("this host has none"), "\(with.errors)")
    }

    @Test func `an app that has threads before its run is executed for each run, and describe says so`() throws {
        let daemon = try Daemon(sandbox: [])
        try daemon.install("Threaded")
        #expect(try daemon.intentctl("run", "Threaded/CountThreads").output != "")
        #expect(try daemon.intentctl("run", "Threaded/CountThreads").code == 0)
        let description = try daemon.intentctl("describe", "Threaded").output
        #expect(description.contains("each run starts the program"), "\(description)")
    }

    @Test(arguments: ["all threads", "right to descriptors"])
    func `a run that left itself no threads or no descriptors goes at once when it is done`(_ what: String) throws {
        let daemon = try Daemon(limits: ["Grace=30s"], sandbox: ["TasksMax=20"])
        let run = try daemon.intentctl("run", "Probe/UseUp", "--what", what, "--count", "10000")
        #expect((Int(run.output.trimmed) ?? 10_000) < 10_000, "\(run)")
        // It hears that it may, without a thread more for that.
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `memory, threads, descriptors and files end at their limits`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=300M", "TasksMax=20", "OpenFiles=50", "DiskMax=20M"])
        func used(_ what: String, _ count: String) throws -> (code: Int32, output: String, errors: String) {
            try daemon.intentctl("run", "Probe/UseUp", "--what", what, "--count", count)
        }
        let memory = try used("memory", "1000")
        #expect(memory.code != 0 || (Int(memory.output.trimmed) ?? 1000) < 300, "\(memory)")
        #expect((Int(try used("descriptors", "1000").output.trimmed) ?? 1000) < 50)
        // A single file ends at the limit; a write beyond it is a signal (setrlimit(2), RLIMIT_FSIZE).
        #expect((Int(try used("onefile", "100").output.trimmed) ?? 100) <= 20)
        let files = try used("files", "100")
        #expect(files.code == 71, "\(files)")
        #expect(files.errors.contains("DiskMax"), "\(files.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still here").output == "still here\n")
    }

    @Test(arguments: [true, false])
    func `less isolation than is required keeps an app from running, and the message says what is missing`(
        _ isService: Bool
    ) throws {
        // Nothing can take more than the host gives: asked for all of it, it runs where all is there.
        let daemon =
            try isService
            ? Daemon(sandbox: [], sharesLauncher: true, required: nil) : Daemon(sandbox: ["Require=full"])
        let hasController = try daemon.json("status")["isolation"].map { "\($0)".contains("memory, ") } ?? false
        let run = try daemon.intentctl("run", "Probe/Echo", "--text", "x")
        if run.code != 0 {
            #expect(run.code == 78)
            #expect(run.errors.contains("'full' isolation"), "\(run.errors)")
            #expect(run.errors.contains("Require=reduced"), "\(run.errors)")
        }
        // MemoryMax= is a promise about a whole run, which only a controller can keep.
        #expect(hasController || run.errors.contains("no memory controller"), "\(run.errors)")
    }

    @Test func `without a memory limit nobody misses the controller`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=infinity"])
        let described = try daemon.intentctl("describe", "Probe")
        #expect(described.code == 0 && !described.output.contains("memory controller"), "\(described.output)")
    }

    @Test func `an app whose file is replaced runs anew, and its runs in flight finish`() throws {
        let daemon = try Daemon(sandbox: [])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        let installed = daemon.folder.appending("apps/Probe")
        let fresh = daemon.folder.appending("apps/.new")
        try FileManager.default.copyItem(at: installed, to: fresh)
        #expect(rename(fresh.path, installed.path) == 0)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "new").output == "new\n")
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
    }

    @Test func `a fork server that is killed takes no run along, and the next run has a new one`() throws {
        let daemon = try Daemon(sandbox: [])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        let server = try daemon.forkServer()
        kill(server, SIGKILL)
        try eventually("it is gone") { daemon.family[server] == nil }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "new").output == "new\n")
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
    }

    @Test func `an app that nobody asks for has no process`() throws {
        let daemon = try Daemon(sandbox: [], app: ["IdleStop=1s"])
        // By then every app has told what it can do, and the sandbox was tried.
        #expect(try daemon.intentctl("list").code == 0)
        var names: Set<String> = []
        try eventually("the launcher alone is left") {
            names = Set(daemon.family.values)
            return names == [Daemon.launcherName] || names.contains("intentd-fork")
        }
        #expect(names == [Daemon.launcherName])
        // While somebody asks there is, however long that takes.
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        #expect(daemon.family.values.contains("intentd-fork"))
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
        try eventually("all of it has gone") { daemon.family.values.allSatisfy { $0 == Daemon.launcherName } }
    }

    private static func landlockVersion() throws -> Int {
        let daemon = try Daemon(sandbox: [])
        let parts = try daemon.json("status")["isolation"] as? [String] ?? []
        return parts.compactMap { $0.hasPrefix("Landlock ") ? Int($0.dropFirst(9)) : nil }.first ?? 0
    }
}

/// Says "welcome" to everybody who connects, until it is let go.
private final class Server: Sendable {
    let port: UInt16
    let path: String
    private let listener: Int32

    init(path: String? = nil) throws {
        self.path = path ?? ""
        if let path {
            port = 0
            listener = try UnixSocket.listen(.stream, at: path, permissions: 0o777).release()
        } else {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let number = listener
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, size) == 0 && listen(number, 16) == 0 && getsockname(number, $0, &size) == 0
                }
            }
            try #require(isBound)
            port = UInt16(bigEndian: address.sin_port)
        }
        Thread.detachNewThread { [listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                _ = send(client, "welcome", 7, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    deinit {
        // Wakes the thread that accepts, which then ends.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
