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

struct AttackWithFile: AppIntent {
    static let title: LocalizedStringResource = "Change a file that was only lent"

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Way") var way: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        // Open until the attempt is over.
        try file.withFileDescriptor { _ in .result(value: outcome(of: "change a lent file", way)) }
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
