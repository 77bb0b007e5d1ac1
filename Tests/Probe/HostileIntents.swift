import AppIntents
import Glibc

/// Sends one record of the caller's making as its last report.
struct Raw: AppIntent {
    static var title: LocalizedStringResource = "Send these bytes as a report"

    @Parameter(title: "Payload", description: "each % stands for the pattern, repeated") var payload: String
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
        if write(3, record, record.count) < 0 { print("the record did not go out: \(errno)") }
        try await Task.sleep(for: .seconds(60))
        return .result()
    }
}

/// Hands files over, takes their names away, and writes on, whatever it is told.
struct WritesOn: AppIntent {
    static var title: LocalizedStringResource = "Write to a result's files when they are handed over"

    @Parameter(title: "Files") var count: Int

    func perform() async throws -> some IntentResult {
        let files = (0..<count).map { open("\($0)", O_CREAT | O_WRONLY, 0o600) }
        let times = files.map(Self.changeTime)
        let values = (0..<count).map { #"{"file":{"index":\#($0),"name":"\#($0)"}}"# }.joined(separator: ",")
        let paths = (0..<count).map { #"{"path":"\#($0)"}"# }.joined(separator: ",")
        let payload = #"{"type":"finished","ending":{"kind":"returned","value":[\#(values)]},"files":[\#(paths)]}"#
        let bytes = Array(payload.utf8)
        let record = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
        // Whoever ends this process flushes first, and waits for this lock.
        flockfile(stdout)
        guard write(3, record, record.count) == record.count else { throw CustomFailure(message: "not sent") }
        // Each gets a second name, under which it is kept, and changes by that.
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

/// Has a process of its own trace it, and outlasts every wish that it should end.
struct TraceSelf: AppIntent {
    static var title: LocalizedStringResource = "Pose as held by a debugger"

    @Parameter(title: "Escapes", description: "the tracer leaves the worker's family first", default: false)
    var escapes: Bool

    func perform() async throws -> some IntentResult {
        let isTraced = try Tracer().attachToThisProcess(escapes: escapes)
        print("traced: \(isTraced)")
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end { usleep(100_000) }
        return .result()
    }
}

/// System calls that take any number of arguments, which Swift imports no function with: by their addresses.
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
        // Where Yama lets only ancestors trace; elsewhere it fails, and need not be asked.
        _ = calls.prctl(VariadicCalls.setPtracer, UInt.max, 0, 0, 0)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CustomFailure(message: "no pipe") }
        let worker = getpid()
        let child = fork()
        if child == 0 {
            // By itself after a while, whatever happens.
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
        // No child, no word: then the pipe ends at once.
        let count = read(ends[0], &word, 1)
        close(ends[0])
        return count == 1 && word == 1
    }
}

/// Leaves a tree of many levels, of which its owner locked every folder.
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

/// Leaves so many files that their removal takes a while.
struct ManyFiles: AppIntent {
    static var title: LocalizedStringResource = "Leave many files"

    @Parameter(title: "Files", default: 50_000) var fileCount: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        for number in 0..<fileCount { close(open("file-\(number)", O_CREAT | O_WRONLY, 0o600)) }
        return .result(value: fileCount)
    }
}

/// Starts processes that start processes: at most 200 in all, and none of them for longer than five seconds.
struct ForkStorm: AppIntent {
    static var title: LocalizedStringResource = "Start processes without end, nearly"

    @Parameter(title: "Stays", description: "does not return before it is told to", default: false) var stays: Bool

    @Parameter(title: "Name", description: "what its processes are called, at most 15 characters") var name: String

    private static let processCount = 200
    private static let secondCount = 5

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        var tokens: [Int32] = [0, 0]
        guard pipe(&tokens) == 0 else { throw CustomFailure(message: "no pipe") }
        // One byte for each process there may ever be: who takes none, starts none.
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

    /// True in the one who started a process; that process never comes back.
    func start() -> Bool {
        var token: UInt8 = 0
        guard read(tokens, &token, 1) == 1 else { return false }
        let child = fork()
        if child == 0 { rage() }
        return child > 0
    }

    /// After a fork of a program with threads: plain calls only, and no memory of Swift's.
    private func rage() -> Never {
        _ = calls.prctl(VariadicCalls.setName, UInt(bitPattern: name), 0, 0, 0)
        signal(SIGTERM, SIG_IGN)
        setsid()
        // What /proc shows of the environment names the run: away with it.
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
            // The parent goes, the child goes on: nobody can follow from parents to children.
            if fork() > 0 { break }
        }
        // Every other one stays until its time is over.
        if getpid() % 2 == 0 { _exit(0) }
        while true { pause() }
    }
}
