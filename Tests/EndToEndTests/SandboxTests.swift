import Foundation
import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests that an app has exactly the permissions that `[Sandbox]` and `[App]` specify.
@Suite(.ownThread) struct SandboxTests {
    @Test func `an app sees its own files, and no host files`() throws {
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

    @Test func `granted paths can be read or written as granted`() throws {
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

    @Test func `an app with a grant for a missing path does not run, and the error names the path`() throws {
        let daemon = try Daemon(sandbox: ["ReadPaths=/not/there"])
        let run = try daemon.intentctl("run", "Probe/Echo", "--text", "x")
        #expect(run.code == 78)
        #expect(run.errors.contains("/not/there"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "python3 is not installed"))
    func `without a seccomp listener runs work with a reduced isolation grade`() throws {
        let daemon = try Daemon(sandbox: [], hasListener: true)
        let status = try daemon.json("status")
        #expect(status["isolationGrade"] as? String == "reduced")
        let missing = try #require(status["isolationMissing"] as? [String])
        #expect(missing.contains { $0.hasPrefix("protection of files outside the run") }, "\(missing)")
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "mine", "--text", "x").code == 0)
        let other = try Daemon(sandbox: [])
        let otherMissing = try #require(other.json("status")["isolationMissing"] as? [String])
        #expect(!otherMissing.contains { $0.hasPrefix("protection of files outside the run") }, "\(otherMissing)")
    }

    @Test func `State=yes keeps an app's files from run to run, and State=no keeps none`() throws {
        let daemon = try Daemon(sandbox: [])
        #expect(try daemon.intentctl("run", "Probe/Variable", "--name", "STATE_DIRECTORY").output == "/state\n")
        #expect(try daemon.intentctl("run", "Probe/WriteText", "--path", "/state/kept", "--text", "kept").code == 0)
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", "/state/kept").output == "kept\n")
        let without = try Daemon(sandbox: [], app: ["State=no"])
        #expect(try without.intentctl("run", "Probe/Variable", "--name", "STATE_DIRECTORY").output == "-\n")
        #expect(try without.intentctl("run", "Probe/ReadText", "--path", "/state/kept").code == 1)
    }

    @Test func `a credential is a file that the app can read`() throws {
        let folder = try TemporaryFolder()
        let secret = folder.appending("secret")
        try Data("s3cret".utf8).write(to: secret)
        chmod(secret.path, 0o600)
        let daemon = try Daemon(sandbox: [], app: ["LoadCredential=token:\(secret.path)"])
        let directory = try daemon.intentctl("run", "Probe/Variable", "--name", "CREDENTIALS_DIRECTORY").output
        let path = directory.trimmed + "/token"
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", path).output == "s3cret\n")
        #expect(!daemon.errors.contains("s3cret"))
    }

    @Test(.enabled(if: getuid() == 0, "needs root to act as another user"))
    func `intentd --check names the credential and the grant that it cannot read`() throws {
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
        #expect(try check(as: 0).output.contains("ReadPaths=: '/not/there' cannot be opened"))
    }

    @Test func `without Network= not even the loopback address is reachable`() throws {
        let server = try Server()
        let closed = try Daemon(sandbox: [])
        #expect(try closed.intentctl("run", "Probe/ConnectTo", "--port", "\(server.port)").code == 1)
        let open = try Daemon(sandbox: ["Network=yes"])
        #expect(try open.intentctl("run", "Probe/ConnectTo", "--port", "\(server.port)").output == "welcome\n")
    }

    @Test func `AllowHosts= permits connections to the listed addresses and ports only`() throws {
        let named = try Server()
        let other = try Server()
        let daemon = try Daemon(sandbox: ["AllowHosts=127.0.0.1:\(named.port)"])
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--port", "\(named.port)").output == "welcome\n")
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--port", "\(other.port)").code == 1)
    }

    @Test func `Sockets= permits connections to the listed sockets only`() throws {
        let folder = try TemporaryFolder()
        chmod(folder.url.path, 0o755)
        let named = try Server(path: folder.appending("named").path)
        let other = try Server(path: folder.appending("other").path)
        let daemon = try Daemon(sandbox: ["Sockets=\(named.path)"])
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", named.path).output == "welcome\n")
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", other.path).code == 1)
        #expect(try daemon.intentctl("run", "Probe/ConnectTo", "--socket", daemon.socket).code == 1)
    }

    @Test func `an app cannot be a client of the intentd that runs it, even with a grant for the socket`() throws {
        let daemon = try Daemon()
        // Every user of the host may connect, and the app has a grant for the socket.
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

    @Test func `Subprocesses=yes lets an app start programs if their files are granted`() throws {
        let daemon = try Daemon(sandbox: ["Subprocesses=yes", "ReadPaths=/usr/bin /usr/lib /lib /lib64 /bin"])
        let run = try daemon.intentctl("run", "Probe/RunProgram", "--path", "/usr/bin/id", "--words=-u")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output != "0\n")
        // Foundation's Process sometimes hung where the sandbox did not permit the descriptor that wakes it.
        #expect(run.errors == "")
    }

    @Test func `Programs= grants the files with which a program of the host starts`() throws {
        let names = """
            ls cat cp mv rm mkdir rmdir ln chmod chown date df du echo env expr head id install join mktemp nl nproc od paste \
            pr printf pwd readlink realpath seq sha256sum shred shuf sleep sort split stat stty tac tail tee timeout touch tr \
            truncate tsort tty uname uniq wc who xargs find grep sed tar gzip diff cmp dd openssl git
            """
        // A link to another folder, and scripts.
        let paths = ["/bin/ls", "/bin/cat", "/usr/bin/ldd"] + names.split(separator: " ").map { "/usr/bin/\($0)" }
        let programs = paths.filter { access($0, X_OK) == 0 }
        #expect(programs.count > 50)
        let daemon = try Daemon(sandbox: ["Programs=" + programs.joined(separator: " ")])
        for program in programs {
            let words = program.hasSuffix("openssl") ? "version" : "--version"
            let run = try daemon.intentctl("run", "Probe/RunProgram", "--path", program, "--words=\(words)")
            #expect(run.code == 0 && !run.output.isEmpty, "\(program): \(run.errors)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "needs root, to make a device"))
    func `Devices= makes a device accessible`() throws {
        let device = "/dev/intentd-\(getpid())"
        // The numbers of /dev/zero.
        #expect(mknod(device, S_IFCHR | 0o666, 1 << 8 | 5) == 0, "\(errno)")
        defer { unlink(device) }
        chmod(device, 0o666)
        let without = try Daemon(sandbox: [])
        #expect(try without.intentctl("run", "Probe/ReadText", "--path", device).code == 1)
        let daemon = try Daemon(sandbox: ["Devices=\(device)"])
        #expect(try daemon.intentctl("run", "Probe/ReadText", "--path", device).code == 0)
    }

    @Test func `the error of a run that needs a GPU names GPU= or the missing device`() throws {
        let without = try Daemon(sandbox: []).intentctl("run", "Probe/NeedsGPU")
        #expect(without.code == 1)
        #expect(without.errors.contains("GPU=yes"), "\(without.errors)")
        let with = try Daemon(sandbox: ["GPU=yes"]).intentctl("run", "Probe/NeedsGPU")
        #expect(with.code == 0 || with.errors.contains("this host has none"), "\(with.errors)")
    }

    @Test func `an app with threads before its run is executed for each run, and describe reports it`() throws {
        let daemon = try Daemon(sandbox: [])
        try daemon.install("Threaded")
        #expect(try daemon.intentctl("run", "Threaded/CountThreads").output != "")
        #expect(try daemon.intentctl("run", "Threaded/CountThreads").code == 0)
        let description = try daemon.intentctl("describe", "Threaded").output
        #expect(description.contains("each run starts the program"), "\(description)")
    }

    @Test(arguments: ["all threads", "right to descriptors"])
    func `a worker without free threads or descriptors exits immediately when it is done`(_ what: String) throws {
        let daemon = try Daemon(limits: ["Grace=30s"], sandbox: ["TasksMax=20"])
        let run = try daemon.intentctl("run", "Probe/UseUp", "--what", what, "--count", "10000")
        #expect((Int(run.output.trimmed) ?? 10_000) < 10_000, "\(run)")
        // The worker must receive the permission to exit without creating a thread for it.
        try eventually("no worker is left") { daemon.workers.isEmpty }
    }

    @Test func `memory, descriptors and files cannot exceed their limits`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=300M", "TasksMax=20", "OpenFiles=50", "DiskMax=20M"])
        func used(_ what: String, _ count: String) throws -> (code: Int32, output: String, errors: String) {
            try daemon.intentctl("run", "Probe/UseUp", "--what", what, "--count", count)
        }
        let memory = try used("memory", "1000")
        #expect(memory.code != 0 || (Int(memory.output.trimmed) ?? 1000) < 300, "\(memory)")
        // The runtime aborts the process, or a memory controller kills it.
        let array = try used("array", "1000")
        #expect(array.code == 71 && array.errors.contains("MemoryMax="), "\(array)")
        #expect((Int(try used("descriptors", "1000").output.trimmed) ?? 1000) < 50)
        // A single file cannot grow beyond the limit: the write raises SIGXFSZ (setrlimit(2), RLIMIT_FSIZE).
        #expect((Int(try used("onefile", "100").output.trimmed) ?? 100) <= 20)
        let files = try used("files", "100")
        #expect(files.code == 71, "\(files)")
        #expect(files.errors.contains("DiskMax"), "\(files.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "still here").output == "still here\n")
    }

    @Test(arguments: [true, false])
    func `an app does not run with less isolation than required, and the error names what is missing`(
        _ isService: Bool
    ) throws {
        // On a host that provides full isolation the app runs, so the test accepts both outcomes.
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
        // MemoryMax= limits a whole run, which only a memory controller can enforce.
        #expect(hasController || run.errors.contains("needs a memory controller"), "\(run.errors)")
    }

    @Test func `describe does not mention a missing memory controller without a memory limit`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=infinity"])
        let described = try daemon.intentctl("describe", "Probe")
        #expect(described.code == 0 && !described.output.contains("memory controller"), "\(described.output)")
    }

    @Test func `after an app's file is replaced, new runs use the new file and live runs finish`() throws {
        let daemon = try Daemon(sandbox: [])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        let installed = daemon.folder.appending("apps/Probe")
        let fresh = daemon.folder.appending("apps/.new")
        try Programs.install(installed, as: fresh)
        #expect(rename(fresh.path, installed.path) == 0)
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "new").output == "new\n")
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
    }

    @Test func `runs survive a kill of their fork server, and the next run starts a new one`() throws {
        let daemon = try Daemon(sandbox: [])
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        let server = try daemon.forkServer()
        kill(server, SIGKILL)
        try eventually("the fork server has exited") { daemon.family[server] == nil }
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "new").output == "new\n")
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
    }

    @Test func `an idle app has no process after IdleStop=`() throws {
        let daemon = try Daemon(sandbox: [], app: ["IdleStop=1s"])
        // The list is answered after all apps are described and the trial sandbox is removed.
        #expect(try daemon.intentctl("list").code == 0)
        var names: Set<String> = []
        try eventually("only the launcher is left") {
            names = Set(daemon.family.values)
            return names == [Daemon.launcherName] || names.contains("intentd-fork")
        }
        #expect(names == [Daemon.launcherName])
        // The fork server stays for as long as a run lives.
        let running = try daemon.start(["run", "Probe/AwaitFile"])
        _ = try daemon.run()
        #expect(daemon.family.values.contains("intentd-fork"))
        try daemon.bring()
        #expect(running.exitCode() == 0, "\(running.errors)")
        try eventually("the app's processes have exited") {
            daemon.family.values.allSatisfy { $0 == Daemon.launcherName }
        }
    }
}

/// Sends "welcome" to every client that connects, until it is released.
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
        // Ends the thread that accepts connections.
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
