import AppIntents
import Foundation

/// Holds the lock of the state folder until the test creates a file.
struct HoldLock: AppIntent {
    static let title: LocalizedStringResource = "Hold the lock of the state folder"

    @Parameter(title: "File", default: "go") var file: String

    func perform() async throws -> some IntentResult {
        try await IntentState.withLock { try await appearance(of: file) }
        return .result()
    }
}

/// Increments a number in the state folder. Increments are lost unless only one task at a time changes the number.
struct CountUp: AppIntent {
    static let title: LocalizedStringResource = "Add to a number in the state folder"

    @Parameter(title: "Times", default: 1) var times: Int

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        guard let directory = IntentState.directory else { throw IntentStateError.noDirectory }
        let file = URL(fileURLWithPath: directory).appending(path: "number")
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<times {
                group.addTask {
                    try await IntentState.withLock {
                        let number = (try? String(contentsOf: file, encoding: .utf8)).flatMap { Int($0) } ?? 0
                        await Task.yield()
                        try String(number + 1).write(to: file, atomically: false, encoding: .utf8)
                        return number + 1
                    }
                }
            }
            return try await group.reduce(0) { max($0, $1) }
        }
        return .result(value: sum)
    }
}

/// Requests the lock while it already holds the lock.
struct LockTwice: AppIntent {
    static let title: LocalizedStringResource = "Lock the state folder twice"

    func perform() async throws -> some IntentResult {
        try await IntentState.withLock { try await IntentState.withLock {} }
        return .result()
    }
}
