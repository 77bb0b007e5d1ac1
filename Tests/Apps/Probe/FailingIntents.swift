import AppIntents
import Glibc

struct Throws: AppIntent {
    static var title: LocalizedStringResource = "Throw an error"

    @Parameter(title: "Message", default: "it failed") var message: String
    @Parameter(title: "Kind", description: "custom, localized, plain, long or cancellation", default: "custom")
    var kind: String

    func perform() async throws -> some IntentResult {
        if let failure { throw failure }
        return .result()
    }

    private var failure: (any Error)? {
        switch kind {
        case "localized": LocalizedFailure(errorDescription: message)
        case "plain": PlainFailure.broken(message)
        case "long": CustomFailure(message: String(repeating: "ü", count: 100_000))
        case "cancellation": CancellationError()
        default: CustomFailure(message: message)
        }
    }
}

struct CustomFailure: LocalizedError, CustomLocalizedStringResourceConvertible {
    var message: String
    var errorDescription: String? { "not this one" }
    var localizedStringResource: LocalizedStringResource { "\(message)" }
}

struct LocalizedFailure: LocalizedError {
    var errorDescription: String?
}

enum PlainFailure: Error {
    case broken(String)
}

struct Crash: AppIntent {
    static var title: LocalizedStringResource = "Crash"

    func perform() async throws -> some IntentResult {
        let nothing = [Int]().first
        print(nothing!)
        return .result()
    }
}

struct ExitWith: AppIntent {
    static var title: LocalizedStringResource = "Exit"

    @Parameter(title: "Code", default: 3) var code: Int

    func perform() async throws -> some IntentResult {
        if code >= 0 { exit(Int32(truncatingIfNeeded: code)) }
        return .result()
    }
}

struct Grandchild: AppIntent {
    static var title: LocalizedStringResource = "Leave a process behind"

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        let child = fork()
        if child == 0 {
            signal(SIGTERM, SIG_IGN)
            setsid()
            while true { pause() }
        }
        guard child > 0 else { throw POSIXError(.EPERM) }
        return .result(value: Int(child))
    }
}

struct Where: AppIntent {
    static var title: LocalizedStringResource = "Describe the process"

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let environment = ProcessInfo.processInfo.environment
        let descriptors = (0..<1024).filter { fcntl(Int32($0), F_GETFD) >= 0 }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let privileges = status.split(separator: "\n").first { $0.hasPrefix("NoNewPrivs") } ?? "NoNewPrivs:\t?"
        let cgroup = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "?"
        let lines = [
            "cwd: \(FileManager.default.currentDirectoryPath)",
            "TMPDIR: \(environment["TMPDIR"] ?? "-")",
            "HOME: \(environment["HOME"] ?? "-")",
            "INTENTD_MODE: \(environment["INTENTD_MODE"] ?? "-")",
            "uid: \(getuid())",
            "pid: \(getpid())",
            "descriptors: \(descriptors.map(String.init).joined(separator: " "))",
            privileges.replacing("\t", with: " "),
            "cgroup: \(cgroup.trimmingCharacters(in: .whitespacesAndNewlines))",
        ]
        return .result(value: lines.joined(separator: "\n"))
    }
}

/// Breaks the worker protocol by writing to its socket.
struct Liar: AppIntent {
    static var title: LocalizedStringResource = "Lie"

    @Parameter(title: "Lie", description: "notjson, halfframe, hugeframe, unknown or twice") var lie: String

    func perform() async throws -> some IntentResult {
        switch lie {
        case "halfframe": send([0, 0])
        case "hugeframe": send([0x7f, 0xff, 0xff, 0xff] + Array("{}".utf8))
        case "unknown": send(frame(#"{"type":"confess"}"#))
        case "twice":
            let report = #"{"type":"finished","ending":{"kind":"threw","message":"a lie"},"files":[]}"#
            send(frame(report))
            send(frame(report))
        default: send(frame("not JSON"))
        }
        try await Task.sleep(for: .seconds(60))
        return .result()
    }

    private func frame(_ payload: String) -> [UInt8] { [0, 0, 0, UInt8(payload.utf8.count)] + Array(payload.utf8) }

    private func send(_ bytes: [UInt8]) {
        if write(3, bytes, bytes.count) < 0 { print("cannot send the lie: \(errno)") }
    }
}
