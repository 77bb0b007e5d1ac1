import AppIntents
import CAttacker
import Glibc

struct Attack: AppIntent {
    static let title: LocalizedStringResource = "Try one way out"

    @Parameter(title: "Attempt") var attempt: String
    @Parameter(title: "Detail", description: "of the attempt: a path, a process, a port", default: "") var detail:
        String

    /// The name of the errno that it was refused with, or "done" and what was got.
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: outcome(of: attempt, detail))
    }
}

struct Outcomes: AppIntent {
    static let title: LocalizedStringResource = "Tell what came of attempts that were made outside of any run"

    /// A line for each: the attempt, its detail and what came of it, with tabs between them.
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        // Long enough for all of them on a busy machine; what is missing then is told as far as it is there.
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let text = (try? String(contentsOfFile: "/state/outcomes", encoding: .utf8)) ?? ""
            if text.hasSuffix("end\n") || ContinuousClock.now > end { return .result(value: text) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

struct AttackWithFile: AppIntent {
    static let title: LocalizedStringResource = "Change a file that was only lent"

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Way") var way: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let isAttempt = way.hasPrefix("every change") || way.hasPrefix("change by")
        // Open until the attempt is over.
        return try file.withFileDescriptor { _ in
            .result(value: isAttempt ? outcome(of: way, "") : outcome(of: "change a lent file", way))
        }
    }
}

struct KeepFiles: AppIntent {
    static let title: LocalizedStringResource = "Change mode and times of files as Foundation does"

    @Parameter(title: "Folder") var folder: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let place = URL(filePath: folder).appending(path: UUID().uuidString)
        let manager = FileManager.default
        try manager.createDirectory(
            at: place,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o750]
        )
        let file = place.appending(path: "file")
        try Data("text".utf8).write(to: file, options: .atomic)
        let date = Date(timeIntervalSince1970: 1_000_000)
        try manager.setAttributes([.posixPermissions: 0o640, .modificationDate: date], ofItemAtPath: file.path)
        try Data("other text".utf8).write(to: file, options: .atomic)
        let copy = place.appending(path: "copy")
        try manager.setAttributes([.posixPermissions: 0o604, .modificationDate: date], ofItemAtPath: file.path)
        try manager.copyItem(at: file, to: copy)
        try manager.createSymbolicLink(at: place.appending(path: "link"), withDestinationURL: file)
        try manager.copyItem(at: place, to: place.appending(path: "../\(place.lastPathComponent) again"))
        let facts = try manager.attributesOfItem(atPath: file.path)
        let ofCopy = try manager.attributesOfItem(atPath: copy.path)
        let ofPlace = try manager.attributesOfItem(atPath: place.path)
        try manager.removeItem(at: place)
        let modes = [facts, ofCopy, ofPlace].map { String(($0[.posixPermissions] as? Int) ?? 0, radix: 8) }
        return .result(value: "\(modes.joined(separator: " ")) \(facts[.modificationDate] as? Date == date)")
    }
}

/// A run beside the attackers: it says when anything of it was changed.
struct Hold: AppIntent {
    static let title: LocalizedStringResource = "Be the one next to it"

    func perform() async throws -> some IntentResult {
        try Data("kept".utf8).write(to: URL(fileURLWithPath: "secret"))
        setenv("ATTACKER_SECRET", "kept", 1)
        let before = outcome(of: "state", "secret")
        print("process=\(getpid()) folder=\(FileManager.default.currentDirectoryPath)")
        for _ in 0..<20_000 {
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

private func outcome(of attempt: String, _ detail: String) -> String {
    var text = [CChar](repeating: 0, count: 8192)
    attacker_try(attempt, detail, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
