import AppIntents
import Glibc

/// Sends a payload of the caller's choice as its last report.
struct Raw: AppIntent {
    static var title: LocalizedStringResource = "Send bytes as a report"

    @Parameter(title: "Payload", description: "each % is replaced by the repeated pattern") var payload: String
    @Parameter(title: "Pattern", default: "") var pattern: String
    @Parameter(title: "Count", default: 0) var count: Int
    @Parameter(title: "Awaited", description: "a file in the run's directory to wait for first") var awaited: String?

    func perform() async throws -> some IntentResult {
        if let awaited { try await appearance(of: awaited) }
        let bytes = Array(payload.replacing("%", with: String(repeating: pattern, count: count)).utf8)
        let record = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        // A socket's buffer may be smaller than a record of the full size.
        var room: Int32 = 1 << 20
        setsockopt(3, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        if write(3, record, record.count) < 0 { print("cannot send the record: \(errno)") }
        try await Task.sleep(for: .seconds(60))
        return .result()
    }
}

/// Returns files, unlinks them, and keeps writing to them while it ignores all commands.
struct WritesOn: AppIntent {
    static var title: LocalizedStringResource = "Write to result files after returning them"

    @Parameter(title: "Files") var count: Int

    func perform() async throws -> some IntentResult {
        let files = (0..<count).map { open("\($0)", O_CREAT | O_WRONLY, 0o600) }
        let times = files.map(Self.changeTime)
        let values = (0..<count).map { #"{"file":{"index":\#($0),"name":"\#($0)"}}"# }.joined(separator: ",")
        let paths = (0..<count).map { #"{"path":"\#($0)"}"# }.joined(separator: ",")
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":[\#(values)]},"files":[\#(paths)]}"#
        let bytes = Array(payload.utf8)
        let record = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        // The library flushes before the process exits. This lock blocks it.
        flockfile(stdout)
        guard write(3, record, record.count) == record.count else { throw CustomFailure(message: "not sent") }
        // intentd keeps each file under a second name. The new link changes its ctime.
        while zip(files, times).contains(where: { Self.changeTime($0) == $1 }) { usleep(5000) }
        for number in 0..<count { unlink("\(number)") }
        let megabyte = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<20 {
            for file in files {
                _ = megabyte.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                usleep(10_000)
            }
        }
        sleep(600)
        return .result()
    }

    private static func changeTime(_ file: Int32) -> Int {
        var status = stat()
        return fstat(file, &status) == 0 ? status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec : 0
    }
}

struct Total: AppIntent {
    static var title: LocalizedStringResource = "Add very many numbers"

    @Parameter(title: "Numbers") var numbers: [Double]

    func perform() async throws -> some IntentResult & ReturnsValue<Double> {
        .result(value: numbers.reduce(0, +))
    }
}

/// Has a child process trace it, and ignores its cancellation.
struct TraceSelf: AppIntent {
    static var title: LocalizedStringResource = "Pretend to be attached to a debugger"

    @Parameter(title: "Escapes", description: "the tracer detaches from the worker first", default: false)
    var escapes: Bool

    func perform() async throws -> some IntentResult {
        let isTraced = try Tracer().attachToThisProcess(escapes: escapes)
        print("traced: \(isTraced)")
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end { usleep(100_000) }
        return .result()
    }
}

/// C functions with variadic arguments, called by their addresses because Swift does not import them.
private struct VariadicCalls {
    static let seize = 0x4206
    static let setPtracer: Int32 = 0x5961_6D61
    static let setName: Int32 = 15

    let ptrace: @convention(c) (Int, Int32, Int, Int) -> Int
    let prctl: @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32

    init() throws {
        guard let ptraceAddress = dlsym(nil, "ptrace"), let prctlAddress = dlsym(nil, "prctl") else {
            throw CustomFailure(message: "no ptrace(2) or prctl(2) here")
        }
        ptrace = unsafeBitCast(ptraceAddress, to: (@convention(c) (Int, Int32, Int, Int) -> Int).self)
        prctl = unsafeBitCast(prctlAddress, to: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self)
    }
}

private struct Tracer {
    func attachToThisProcess(escapes: Bool) throws -> Bool {
        let calls = try VariadicCalls()
        // Needed only where Yama restricts tracing to ancestors. Elsewhere it fails harmlessly.
        _ = calls.prctl(VariadicCalls.setPtracer, UInt.max, 0, 0, 0)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CustomFailure(message: "no pipe") }
        let worker = getpid()
        let child = fork()
        if child == 0 {
            // Ends the tracer after a while, even if it hangs.
            alarm(60)
            if escapes {
                if fork() != 0 { _exit(0) }
                setsid()
                alarm(60)
            }
            var word: UInt8 = calls.ptrace(VariadicCalls.seize, worker, 0, 0) == 0 ? 1 : 0
            write(ends[1], &word, 1)
            while true { pause() }
        }
        close(ends[1])
        var word: UInt8 = 0
        // Without a child, the read returns 0 immediately.
        let count = read(ends[0], &word, 1)
        close(ends[0])
        return count == 1 && word == 1
    }
}

/// Leaves a deep tree of folders without permissions.
struct DeepTree: AppIntent {
    static var title: LocalizedStringResource = "Leave a deep, locked tree"

    @Parameter(title: "Levels", default: 400) var levelCount: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        var folders: [Int32] = []
        var above = open(".", O_RDONLY | O_DIRECTORY)
        for level in 0..<levelCount {
            guard mkdirat(above, "level", 0o700) == 0 else { throw CustomFailure(message: "level \(level): \(errno)") }
            let folder = openat(above, "level", O_RDONLY | O_DIRECTORY)
            guard folder >= 0 else { throw CustomFailure(message: "level \(level): \(errno)") }
            let file = openat(folder, "file", O_CREAT | O_WRONLY, 0o600)
            close(file)
            folders.append(folder)
            above = folder
        }
        for folder in folders {
            fchmod(folder, 0)
            close(folder)
        }
        return .result(value: folders.count)
    }
}

/// Leaves so many files behind that their removal is slow.
struct ManyFiles: AppIntent {
    static var title: LocalizedStringResource = "Leave many files"

    @Parameter(title: "Files", default: 50_000) var fileCount: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        for number in 0..<fileCount { close(open("file-\(number)", O_CREAT | O_WRONLY, 0o600)) }
        return .result(value: fileCount)
    }
}

/// Starts processes that start processes: at most 200 in total, each for at most five seconds.
struct ForkStorm: AppIntent {
    static var title: LocalizedStringResource = "Start a storm of processes"

    @Parameter(title: "Stays", description: "runs until it is cancelled", default: false) var stays: Bool

    @Parameter(title: "Name", description: "the name of its processes, at most 15 characters") var name: String

    private static let processCount = 200
    private static let secondCount = 5

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        var tokens: [Int32] = [0, 0]
        guard pipe(&tokens) == 0 else { throw CustomFailure(message: "no pipe") }
        // The pipe holds one token per permitted process. A process must read one before each fork.
        let bytes = [UInt8](repeating: 1, count: Self.processCount)
        guard write(tokens[1], bytes, bytes.count) == bytes.count else { throw CustomFailure(message: "no tokens") }
        close(tokens[1])
        guard let name = strdup(name) else { throw CustomFailure(message: "no memory") }
        let storm = Storm(tokens: tokens[0], end: time(nil) + Self.secondCount, name: name, calls: try VariadicCalls())
        var started = 0
        for _ in 0..<4 where storm.start() { started += 1 }
        print("storm: \(started)")
        fflush(nil)
        if stays { try await Task.sleep(for: .seconds(60)) }
        return .result(value: started)
    }
}

private struct Storm {
    let tokens: Int32
    let end: time_t
    let name: UnsafeMutablePointer<CChar>
    let calls: VariadicCalls

    /// Forks a process. Returns true in the parent, and never returns in the child.
    func start() -> Bool {
        var token: UInt8 = 0
        guard read(tokens, &token, 1) == 1 else { return false }
        let child = fork()
        if child == 0 { rage() }
        return child > 0
    }

    /// Runs after a fork in a multithreaded program, so it uses only async-signal-safe calls and no Swift allocation.
    private func rage() -> Never {
        _ = calls.prctl(VariadicCalls.setName, UInt(bitPattern: name), 0, 0, 0)
        signal(SIGTERM, SIG_IGN)
        setsid()
        // Erases the environment, because /proc shows it and it names the run.
        var word: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let text = word.pointee {
            memset(text, 0, strlen(text))
            word += 1
        }
        var token: UInt8 = 0
        while true {
            let now = time(nil)
            if now >= end { _exit(0) }
            alarm(UInt32(end - now))
            usleep(10_000)
            guard read(tokens, &token, 1) == 1 else { break }
            // The parent exits and the child continues, so that following parents to children fails.
            if fork() > 0 { break }
        }
        // Every other process stays until its alarm.
        if getpid() % 2 == 0 { _exit(0) }
        while true { pause() }
    }
}
