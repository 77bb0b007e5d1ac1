import Glibc
import IntentLinux
import TestSupport
import Testing

@Suite struct FileTests {
    @Test func `a file below the directory can be opened`() throws {
        let directory = TemporaryDirectory()
        try syscall("mkdir") { mkdir(directory("a"), 0o700) }
        try put("inside", at: directory("a/b"))
        let folder = try File.open(directory.path, O_DIRECTORY)
        let file = try File.openBeneath(folder.rawValue, "a/b")
        #expect(try File.readAll(file.rawValue, limit: 100) == Array("inside".utf8))
    }

    @Test func `the text of a file, a name and the target of a link are stream-safe`() throws {
        let directory = TemporaryDirectory()
        let marks = String(repeating: "\u{301}", count: 100)
        try put(marks, at: directory(marks))
        try syscall("symlink") { symlink(marks, directory("link")) }
        let texts = try [
            File.text(at: directory(marks)), File.readLink(directory("link")), File.names(in: directory.path).joined(),
        ]
        for text in texts { #expect(text.utf8.count > 200 && StreamSafeText.isStreamSafe(text)) }
    }

    @Test func `the error about a path that is not stream-safe text is EILSEQ`() throws {
        let folder = TemporaryDirectory()
        for name in [Array("a".utf8) + [0xFF], Array(("a" + String(repeating: "\u{301}", count: 31)).utf8)] {
            let file = Array(folder("x").utf8.dropLast()) + name
            #expect(file.withUnsafeBytes { mkdir(Array($0.bindMemory(to: CChar.self)) + [0], 0o700) } == 0)
        }
        for link in ["b", "c"] {
            let target = link == "b" ? "a\u{FF}" : "a" + String(repeating: "\u{301}", count: 31)
            let bytes: [UInt8] = link == "b" ? Array("a".utf8) + [0xFF] : Array(target.utf8)
            #expect(symlink(bytes.map { CChar(bitPattern: $0) } + [0], folder(link)) == 0)
            errno = 0
            #expect(File.realPath(folder(link)) == nil)
            #expect(errno == EILSEQ)
        }
    }

    @Test func `no path can open a file outside the directory`() throws {
        let directory = TemporaryDirectory()
        try syscall("mkdir") { mkdir(directory("in"), 0o700) }
        try put("outside", at: directory("secret"))
        try put("inside", at: directory("in/real"))
        try syscall("symlink") { symlink(directory("secret"), directory("in/absolute")) }
        try syscall("symlink") { symlink("../secret", directory("in/relative")) }
        try syscall("symlink") { symlink("real", directory("in/harmless")) }
        try syscall("symlink") { symlink("..", directory("in/up")) }
        let folder = try File.open(directory("in"), O_DIRECTORY)
        for (path, code) in [
            ("..", EXDEV), ("../secret", EXDEV), (directory("secret"), EXDEV), ("/etc/passwd", EXDEV),
            ("real/../../secret", ENOTDIR), ("absolute", ELOOP), ("relative", ELOOP), ("harmless", ELOOP),
            ("up/secret", ELOOP), ("nothing", ENOENT), ("", ENOENT),
        ] {
            #expect(throws: SystemError("openat2", on: path, code: Errno(rawValue: code)), "\(path)") {
                try open(folder.rawValue, path)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe without a writer is opened without waiting`() throws {
        let directory = TemporaryDirectory()
        try syscall("mkfifo") { mkfifo(directory("pipe"), 0o600) }
        let folder = try File.open(directory.path, O_DIRECTORY)
        let pipe = try File.openBeneath(folder.rawValue, "pipe")
        #expect(try File.status(of: pipe.rawValue).kind == .pipe)
    }

    @Test func `a file on another file system below the directory cannot be opened`() throws {
        let root = try File.open("/", O_DIRECTORY)
        #expect(throws: SystemError("openat2", on: "proc/version", code: Errno(rawValue: EXDEV))) {
            try open(root.rawValue, "proc/version")
        }
    }

    @Test func `a status contains the kind, size, permissions and owner of a file`() throws {
        let directory = TemporaryDirectory()
        try put("12345", at: directory("file"))
        try syscall("chmod") { chmod(directory("file"), 0o640) }
        let status = try File.status(at: directory("file"))
        #expect(status.kind == .regular)
        #expect(status.byteCount == 5)
        #expect(status.permissions == 0o640)
        #expect(status.owner == geteuid())
        #expect(try File.status(at: directory.path).kind == .directory)
        #expect(try File.status(at: "/dev/null").kind == .device)
        let pair = try UnixSocket.Pair(.stream)
        #expect(try File.status(of: pair.first.rawValue).kind == .socket)
        let file = try File.open(directory("file"))
        #expect(try File.status(of: file.rawValue) == status)
    }

    @Test func `a file larger than the limit is not read`() throws {
        let directory = TemporaryDirectory()
        try put(String(repeating: "a", count: 100), at: directory("file"))
        let exact = try File.open(directory("file"))
        #expect(try File.readAll(exact.rawValue, limit: 100)?.count == 100)
        let over = try File.open(directory("file"))
        #expect(try File.readAll(over.rawValue, limit: 99) == nil)
        #expect(throws: SystemError("read", on: directory("file"), code: Errno(rawValue: EFBIG))) {
            try File.text(at: directory("file"), limit: 99)
        }
    }

    @Test func `names are sorted and do not include the directory itself`() throws {
        let directory = TemporaryDirectory()
        for name in ["b", ".hidden", "a"] { try put("", at: directory(name)) }
        #expect(try File.names(in: directory.path) == [".hidden", "a", "b"])
        #expect(throws: SystemError("opendir", on: directory("x"), code: Errno(rawValue: ENOENT))) {
            try File.names(in: directory("x"))
        }
    }

    @Test func `an error contains the call, its object and the reason`() {
        #expect(throws: SystemError("open", on: "/no/such", code: Errno(rawValue: ENOENT))) {
            try File.text(at: "/no/such")
        }
        let error = SystemError("open", on: "/no/such", code: Errno(rawValue: ENOENT))
        #expect("\(error)" == "open '/no/such' failed: No such file or directory")
        #expect("\(SystemError("fork", code: Errno(rawValue: ENOMEM)))" == "fork failed: Cannot allocate memory")
    }

    @Test func `a call that a signal interrupts is repeated`() throws {
        var calls = 0
        let result = try syscall("read") {
            calls += 1
            if calls < 3 { errno = EINTR }
            return calls < 3 ? -1 : 42
        }
        #expect(result == 42)
        #expect(calls == 3)
    }

    private func open(_ directory: Int32, _ path: String) throws(SystemError) {
        // Discard the descriptor, because only the success of the call matters.
        _ = try File.openBeneath(directory, path)
    }

    private func put(_ text: String, at path: String) throws(SystemError) {
        let file = try File.open(path, O_CREAT | O_WRONLY)
        try File.write(file.rawValue, Array(text.utf8)[...])
    }
}
