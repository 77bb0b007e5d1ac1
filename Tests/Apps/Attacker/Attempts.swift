import AppIntents
import CAttacker
import Glibc

struct Attack: AppIntent {
    static let title: LocalizedStringResource = "Attempt an escape"

    @Parameter(title: "Attempt") var attempt: String
    @Parameter(title: "Detail", description: "a path, pid or port, as the attempt needs it", default: "")
    var detail: String

    /// Returns the errno name of the refusal, or "done" and what the attempt obtained.
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: outcome(of: attempt, detail))
    }
}

struct Outcomes: AppIntent {
    static let title: LocalizedStringResource = "Return the outcomes of attempts made outside any run"

    /// Returns one line per attempt: its name, detail and outcome, separated by tabs.
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        // Long enough for all attempts on a busy host. After that, returns the outcomes so far.
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let text = (try? String(contentsOfFile: "/state/outcomes", encoding: .utf8)) ?? ""
            if text.hasSuffix("end\n") || ContinuousClock.now > end { return .result(value: text) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

struct Attempts: AppIntent {
    static let title: LocalizedStringResource = "Make the attempts of a list, each in its own process"

    @Parameter(title: "List") var list: String

    /// Returns one line per attempt, as ``Outcomes`` does.
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: outcomes(ofList: list))
    }
}

struct AttackWithFile: AppIntent {
    static let title: LocalizedStringResource = "Change a file that was passed read-only"

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Way") var way: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let isAttempt = way.hasPrefix("every change") || way.hasPrefix("change by")
        // The descriptor stays open until the attempt is over.
        return try file.withFileDescriptor { _ in
            .result(value: isAttempt ? outcome(of: way, "") : outcome(of: "change a passed file", way))
        }
    }
}

struct KeepFiles: AppIntent {
    static let title: LocalizedStringResource = "Change mode and times of files as Foundation does"

    @Parameter(title: "Folder") var folder: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let directory = URL(filePath: folder).appending(path: UUID().uuidString)
        let manager = FileManager.default
        try manager.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o750]
        )
        let file = directory.appending(path: "file")
        try Data("text".utf8).write(to: file, options: .atomic)
        let date = Date(timeIntervalSince1970: 1_000_000)
        try manager.setAttributes([.posixPermissions: 0o640, .modificationDate: date], ofItemAtPath: file.path)
        try Data("other text".utf8).write(to: file, options: .atomic)
        let copy = directory.appending(path: "copy")
        try manager.setAttributes([.posixPermissions: 0o604, .modificationDate: date], ofItemAtPath: file.path)
        try manager.copyItem(at: file, to: copy)
        try manager.createSymbolicLink(at: directory.appending(path: "link"), withDestinationURL: file)
        try manager.copyItem(at: directory, to: directory.appending(path: "../\(directory.lastPathComponent) again"))
        let attributes = try [file, copy, directory].map { try manager.attributesOfItem(atPath: $0.path) }
        try manager.removeItem(at: directory)
        let modes = attributes.map { String(($0[.posixPermissions] as? Int) ?? 0, radix: 8) }
        return .result(value: "\(modes.joined(separator: " ")) \(attributes[0][.modificationDate] as? Date == date)")
    }
}

/// A run beside the attackers that fails when its files or its process are changed.
struct Hold: AppIntent {
    static let title: LocalizedStringResource = "Hold still beside the attackers"

    func perform() async throws -> some IntentResult {
        try Data("kept".utf8).write(to: URL(fileURLWithPath: "secret"))
        setenv("ATTACKER_SECRET", "kept", 1)
        let before = outcome(of: "state", "secret")
        print("process=\(getpid()) folder=\(FileManager.default.currentDirectoryPath)")
        // The loop lasts longer than the run's limit.
        for _ in 0..<200_000 {
            try await Task.sleep(for: .milliseconds(50))
            let now = outcome(of: "state", "secret")
            guard now == before else { throw Touched(errorDescription: "touched: \(before) became \(now)") }
        }
        return .result()
    }
}

struct Touched: LocalizedError {
    var errorDescription: String?
}

/// Returns one line per attempt of a list: its name, detail and outcome, separated by tabs.
func outcomes(ofList list: String) -> String {
    let error = attacker_try_list(list, "outcomes")
    guard error == 0 else { return "cannot make the attempts: \(error)" }
    return (try? String(contentsOfFile: "outcomes", encoding: .utf8)) ?? "cannot read the outcomes"
}

func outcome(of attempt: String, _ detail: String) -> String {
    var text = [CChar](repeating: 0, count: 8192)
    attacker_try(attempt, detail, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
