import Foundation
import Glibc

/// A file on a FUSE file system that can stop answering one kind of request, as a hostile or dead server would.
///
/// The server implements the kernel's protocol itself (linux/fuse.h).
package final class HangingFile {
    /// A request that the kernel sends to the file system.
    package enum Operation: Int, CaseIterable, Sendable, CustomStringConvertible {
        case getattr = 3
        case open = 14
        case read = 15
        case release = 18
        case flush = 25

        package var description: String {
            switch self {
            case .getattr: "getattr"
            case .open: "open"
            case .read: "read"
            case .release: "release"
            case .flush: "flush"
            }
        }
    }

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The reason why this host cannot mount a FUSE file system; nil if it can.
    package static var obstacle: String? {
        if getuid() != 0 { return "needs root to mount a FUSE file system" }
        return access("/dev/fuse", R_OK | W_OK) == 0 ? nil : "needs /dev/fuse"
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "intentd-fuse-\(UUID().uuidString)")
    private let server = Process()
    private let orders = Pipe()
    private let words = Pipe()
    private var descriptors: [Int32] = []

    package init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        server.arguments = ["-c", Self.program, folder.path]
        server.standardInput = orders
        server.standardOutput = words
        try server.run()
        try expect("mounted")
    }

    package var path: String { folder.appending(path: "file.txt").path }

    /// Opens the file for reading. The descriptor stays open until ``end()``, because its close may hang.
    package func open() throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "open: \(String(cString: strerror(errno)))") }
        descriptors.append(descriptor)
        return descriptor
    }

    /// Closes all descriptors that ``open()`` has returned.
    ///
    /// Call this before the server hangs in `flush`: every new process closes its copies of them, and would hang.
    package func closeDescriptors() {
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }

    /// Makes the server stop answering one operation. Nil makes it answer all operations again.
    package func hang(in operation: Operation?) throws {
        try orders.fileHandleForWriting.write(contentsOf: Data("\(operation?.rawValue ?? 0)\n".utf8))
        try expect("obeyed")
    }

    /// Kills the server. The kernel then answers all requests with an error.
    package func end() {
        if server.isRunning { kill(server.processIdentifier, SIGKILL) }
        server.waitUntilExit()
        closeDescriptors()
        // MNT_DETACH.
        umount2(folder.path, 2)
        rmdir(folder.path)
    }

    deinit { end() }

    private func expect(_ word: String) throws {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let part = words.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            line += part
        }
        let text = String(decoding: line, as: UTF8.self)
        guard text == word + "\n" else { throw Failure(description: "the FUSE server said '\(text)'") }
    }

    private static let program = #"""
        import ctypes, os, struct, sys, threading
        libc = ctypes.CDLL(None, use_errno=True)
        device = os.open("/dev/fuse", os.O_RDWR)
        options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
        if libc.mount(b"hanging", sys.argv[1].encode(), b"fuse", 6, options.encode()) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
        content = b"hanging\n" * 1024
        hanging, unanswered = 0, []

        def obey():
            global hanging
            for line in sys.stdin:
                hanging = int(line)
                while hanging == 0 and unanswered: reply(unanswered.pop())
                print("obeyed", flush=True)

        def reply(request):
            operation, unique, node = struct.unpack("<IQQ", request[4:24])
            result = answer(operation, node, request[40:])
            error, data = (-result, b"") if isinstance(result, int) else (0, result)
            try:
                os.write(device, struct.pack("<IiQ", 16 + len(data), error, unique) + data)
            except FileNotFoundError:
                pass  # The request was interrupted.

        def attributes(node):
            size, mode = (0, 0o40755) if node == 1 else (len(content), 0o100666)
            return struct.pack("<QQQQQQIIIIIIIIII", node, size, 8, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

        def answer(operation, node, body):
            if operation == 26:  # INIT
                return struct.pack("<IIIIHHIIHHI28x", 7, 31, 65536, 0, 12, 9, 65536, 1, 16, 0, 0)
            if operation == 1:  # LOOKUP
                if body.rstrip(b"\0") != b"file.txt": return 2
                return struct.pack("<QQQQII", 2, 1, 0, 0, 0, 0) + attributes(2)
            if operation == 3:  # GETATTR
                return struct.pack("<QII", 0, 0, 0) + attributes(node)
            if operation in (14, 27):  # OPEN, OPENDIR, without caching
                return struct.pack("<QII", 1, 1, 0)
            if operation == 15:  # READ
                offset, size = struct.unpack("<QI", body[8:20])
                return content[offset:offset + size]
            if operation == 17:  # STATFS
                return bytes(80)
            if operation in (18, 25, 29, 34):  # RELEASE, FLUSH, RELEASEDIR, ACCESS
                return b""
            return 38

        threading.Thread(target=obey, daemon=True).start()
        print("mounted", flush=True)
        while True:
            request = os.read(device, 1 << 20)
            operation = struct.unpack("<I", request[4:8])[0]
            if operation in (2, 36, 42): continue  # FORGET, INTERRUPT, BATCH_FORGET
            if operation == hanging: unanswered.append(request)
            else: reply(request)
        """#
}
