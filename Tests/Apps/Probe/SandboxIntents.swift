import AppIntents
import Foundation
import Glibc

// Intents that use the permissions of `[Sandbox]` and `[App]` from inside the sandbox.

struct ReadText: AppIntent {
    static var title: LocalizedStringResource = "Read a file"

    @Parameter(title: "Path") var path: String
    @Parameter(title: "With Foundation", default: false) var usesFoundation: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        if usesFoundation { return .result(value: try String(contentsOfFile: path, encoding: .utf8)) }
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return .result(value: String(decoding: bytes.prefix(count), as: UTF8.self))
    }
}

struct WriteText: AppIntent {
    static var title: LocalizedStringResource = "Write a file"

    @Parameter(title: "Path") var path: String
    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return .result()
    }
}

struct Variable: AppIntent {
    static var title: LocalizedStringResource = "Return an environment variable"

    @Parameter(title: "Name") var name: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: getenv(name).map { String(cString: $0) } ?? "-")
    }
}

/// Connects, and returns the first bytes received.
struct ConnectTo: AppIntent {
    static var title: LocalizedStringResource = "Connect"

    @Parameter(title: "Socket", description: "the path of a Unix socket") var socket: String?
    @Parameter(title: "Port", description: "a port of the loopback address", default: 0) var port: Int
    @Parameter(title: "By a child that has exited", default: false) var byChild: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        if byChild, let socket { return .result(value: try Self.readByChild(socket)) }
        let connection = try socket.map(Self.connectUnix) ?? Self.connectLoopback(UInt16(port))
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(connection, &bytes, bytes.count)
        return .result(value: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }

    /// Reads from a connection made by a child that has exited and was reaped.
    private static func readByChild(_ path: String) throws -> String {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(of: path)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let child = fork()
        if child == 0 {
            let result = withUnsafeBytes(of: &address) {
                connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), size)
            }
            _exit(result == 0 ? 0 : 1)
        }
        var status: Int32 = 0
        guard child > 0, waitpid(child, &status, 0) == child, status == 0 else { throw POSIXError(.ECONNREFUSED) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private static func address(of path: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return address
    }

    private static func connectUnix(_ path: String) throws -> Int32 {
        var address = address(of: path)
        return try connected(AF_UNIX, &address, MemoryLayout<sockaddr_un>.size)
    }

    private static func connectLoopback(_ port: UInt16) throws -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return try connected(AF_INET, &address, MemoryLayout<sockaddr_in>.size)
    }

    private static func connected(_ family: Int32, _ address: UnsafeRawPointer, _ size: Int) throws -> Int32 {
        let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        guard connect(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(size)) == 0 else {
            let error = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO)
        }
        return descriptor
    }
}

struct RunProgram: AppIntent {
    static var title: LocalizedStringResource = "Run a program"

    @Parameter(title: "Path") var path: String
    @Parameter(title: "Words", default: []) var words: [String]

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = words
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return .result(value: text)
    }
}

/// Uses as much of a limited resource as possible, and returns the amount.
struct UseUp: AppIntent {
    static var title: LocalizedStringResource = "Use something up"

    @Parameter(
        title: "What",
        description: """
            memory, array, unchecked, unwrapped, new, data, shared, threads, all threads, right to descriptors, descriptors, \
            onefile or files
            """
    ) var what: String
    @Parameter(title: "Count", description: "MiB, or how many") var count: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        switch what {
        case "memory": return .result(value: useMemory())
        case "array":
            return .result(
                value: (0..<count).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 1 << 20) }.count
            )
        case "unchecked", "unwrapped", "new", "data": return .result(value: exhaustMemory(what))
        case "shared": return .result(value: useSharedMemory())
        case "threads": return .result(value: startThreads())
        case "all threads":
            let started = startThreads()
            // Long enough for the library to need another thread.
            usleep(100_000)
            return .result(value: started)
        case "right to descriptors":
            var none = rlimit()
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            // Long enough for the main thread to start another wait.
            usleep(100_000)
            return .result(value: 0)
        case "descriptors": return .result(value: (0..<count).prefix { _ in dup(0) >= 0 }.count)
        case "onefile": return .result(value: write(to: "big", mebibytes: count))
        case "files":
            let written = (0..<count).map { write(to: "file\($0)", mebibytes: 1) }.reduce(0, +)
            // Long enough for a measurement of the disk usage.
            try await Task.sleep(for: .seconds(10))
            return .result(value: written)
        default: throw POSIXError(.EINVAL)
        }
    }

    private func useMemory() -> Int {
        (0..<count).prefix { _ in
            guard let block = malloc(1 << 20) else { return false }
            memset(block, 1, 1 << 20)
            return true
        }.count
    }

    /// Shared memory, which no limit of a process covers.
    private func useSharedMemory() -> Int {
        (0..<count).prefix { _ in
            let block = mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
            guard let block, block != MAP_FAILED else { return false }
            memset(block, 1, 1 << 20)
            return true
        }.count
    }

    private func startThreads() -> Int {
        (0..<count).prefix { _ in
            var thread = pthread_t()
            return pthread_create(&thread, nil, { _ in while true { pause() } }, nil) == 0
        }.count
    }

    private func write(to name: String, mebibytes: Int) -> Int {
        let file = open(name, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 7, count: 1 << 20)
        return (0..<mebibytes).prefix { _ in Glibc.write(file, block, block.count) == block.count }.count
    }
}

/// Holds memory, and uses processor time in a child process, until it is cancelled.
struct Consume: AppIntent {
    static var title: LocalizedStringResource = "Hold memory and use processor time"

    @Parameter(title: "Mebibytes") var mebibytes: Int

    func perform() async throws -> some IntentResult {
        let block = [UInt8](repeating: 1, count: mebibytes << 20)
        let child = fork()
        if child == 0 { while true {} }
        defer { kill(child, SIGKILL) }
        while !Task.isCancelled { try await Task.sleep(for: .milliseconds(100)) }
        withExtendedLifetime(block) {}
        return .result()
    }
}

struct NeedsGPU: LongRunningIntent {
    static var title: LocalizedStringResource = "Need a graphics processor"

    func perform() async throws -> some IntentResult {
        try await performBackgroundTask(options: .requiresGPU) {}
        return .result()
    }
}
