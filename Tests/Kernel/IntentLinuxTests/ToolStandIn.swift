import Foundation
import IntentLinux
import TestSupport
import Testing

/// A program in the place of a tool that an untrusted file has taken over: it makes each attempt once, with its own
/// files and a neighbour process.
final class ToolStandIn {
    static let python = "/usr/bin/python3"

    private let folder = TemporaryDirectory()
    private let neighbour = Process()
    private let name = "intentd-test-\(UUID().uuidString)"
    private let port: String

    init() throws {
        for file in ["kept", "old", "unneeded"] {
            try Data("kept".utf8).write(to: URL(fileURLWithPath: folder(file)))
        }
        try FileManager.default.createDirectory(atPath: folder("empty"), withIntermediateDirectories: false)
        let output = Foundation.Pipe()
        neighbour.executableURL = URL(fileURLWithPath: Self.python)
        neighbour.arguments = ["-I", "-S", "-c", Self.listening, folder.path, name]
        neighbour.standardOutput = output
        try neighbour.run()
        port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(Int(port) != nil, "the neighbour cannot listen")
    }

    deinit {
        // The neighbour can have inherited blocked signals, among them SIGTERM, from the test's thread.
        kill(neighbour.processIdentifier, SIGKILL)
        neighbour.waitUntilExit()
    }

    /// True if no attempt has changed the folder or the contents of its files.
    var hasOriginalFiles: Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return names == ["empty", "kept", "old", "socket", "unneeded"]
            && FileManager.default.contents(atPath: folder("kept")) == Data("kept".utf8)
    }

    /// Makes all attempts. Returns "done", or the reason of the refusal, for each attempt by its name.
    func results(isConfined: Bool) throws -> [String: String] {
        let arguments = ["-I", "-S", "-c", Self.attempting, folder.path, "\(neighbour.processIdentifier)", port, name]
        let output =
            isConfined
            ? try ConfinedTool.output(of: Self.python, arguments: arguments)
            : try ChildProcess.output(of: Self.python, arguments: arguments).text
        let lines = try #require(output).split(separator: "\n").map { $0.components(separatedBy: ": ") }
        return Dictionary(lines.map { ($0[0], $0.dropFirst().joined(separator: ": ")) }) { _, last in last }
    }

    private static let listening = """
        import socket, sys, time
        folder, name = sys.argv[1:]
        listeners = [socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX), socket.socket()]
        for one, address in zip(listeners, [folder + "/socket", "\\0" + name, ("127.0.0.1", 0)]):
            one.bind(address)
            one.listen()
        print(listeners[2].getsockname()[1], flush=True)
        time.sleep(600)
        """

    private static let attempting = """
        import ctypes, fcntl, os, resource, signal, socket, sys, threading
        folder, neighbour, port, name = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
        kept = folder + "/kept"
        library = ctypes.CDLL(None, use_errno=True)
        def call(number, *arguments):
            if library.syscall(number, *arguments) < 0: raise OSError(ctypes.get_errno(), "")
        def connect(family, kind, address):
            with socket.socket(family, kind) as one: one.connect(address)
        def own_signals():
            reading, _ = os.pipe()
            fcntl.fcntl(reading, fcntl.F_SETOWN, neighbour)
        def start_process():
            child = os.fork()
            if child == 0: os._exit(0)
            os.waitpid(child, 0)
        def start_thread():
            thread = threading.Thread(target=os.getpid)
            thread.start()
            thread.join()
        attempts = {
            "open to write": lambda: os.open(kept, os.O_WRONLY),
            "open to truncate": lambda: os.open(kept, os.O_RDONLY | os.O_TRUNC),
            "truncate": lambda: os.truncate(kept, 2),
            "create a file": lambda: os.open(folder + "/new", os.O_RDONLY | os.O_CREAT),
            "create a folder": lambda: os.mkdir(folder + "/folder"),
            "create a symbolic link": lambda: os.symlink("kept", folder + "/link"),
            "create a hard link": lambda: os.link(kept, folder + "/name"),
            "create a named pipe": lambda: os.mkfifo(folder + "/pipe"),
            "create a memory file": lambda: os.memfd_create("new"),
            "rename a file": lambda: os.rename(folder + "/old", folder + "/renamed"),
            "remove a file": lambda: os.unlink(folder + "/unneeded"),
            "remove a folder": lambda: os.rmdir(folder + "/empty"),
            "change a mode": lambda: os.chmod(kept, 0o640),
            "change an owner": lambda: os.chown(kept, os.getuid(), os.getgid()),
            "change times": lambda: os.utime(kept, (1, 1)),
            "lock a file": lambda: fcntl.flock(os.open(kept, os.O_RDONLY), fcntl.LOCK_SH),
            "lock a record": lambda: fcntl.lockf(os.open(kept, os.O_RDONLY), fcntl.LOCK_SH),
            "signal a process": lambda: os.kill(neighbour, signal.SIGCONT),
            "signal a process by its pidfd": lambda: call(424, os.pidfd_open(neighbour), signal.SIGCONT, None, 0),
            "signal a process by a pipe": own_signals,
            "limit a process": lambda: resource.prlimit(neighbour, resource.RLIMIT_CORE, (0, 0)),
            "slow a process": lambda: os.setpriority(os.PRIO_PROCESS, neighbour, 19),
            "bind a process": lambda: os.sched_setaffinity(neighbour, os.sched_getaffinity(neighbour)),
            "start a process": start_process,
            "start a thread": start_thread,
            "connect by Unix socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, folder + "/socket"),
            "connect by abstract socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\\0" + name),
            "connect by TCP": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
            "connect by UDP": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", port)),
            "bind a port": lambda: socket.socket(socket.AF_INET).bind(("127.0.0.1", 0)),
            "create a socket pair": socket.socketpair,
            "control a device": lambda: fcntl.ioctl(1, 0x541B, b"\\0" * 4),
        }
        for text, attempt in attempts.items():
            try: attempt()
            except OSError as error: print(f"{text}: {error.strerror}")
            else: print(f"{text}: done")
        """
}
