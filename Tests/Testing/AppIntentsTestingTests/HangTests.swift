import AppIntents
import AppIntentsTesting
import Dispatch
import Foundation
import Testing

/// Blocks the thread that performs it until the gate opens.
struct Blocking: AppIntent {
    static let title: LocalizedStringResource = "Block a thread"
    @Dependency var gate: Gate

    func perform() async throws -> some IntentResult {
        gate.wait()
        return .result()
    }
}

/// Waits for a thread of its own, which is blocked until the gate opens.
struct BlockingElsewhere: AppIntent {
    static let title: LocalizedStringResource = "Wait for a blocked thread"
    @Dependency var gate: Gate

    func perform() async throws -> some IntentResult {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [gate] in
                gate.wait()
                continuation.resume()
            }
            // The limit is reached at once, so the thread must be there before.
            gate.awaitThread()
        }
        return .result()
    }
}

/// A gate that a test opens.
final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let entered = DispatchSemaphore(value: 0)

    @inline(never) func wait() {
        entered.signal()
        opened.wait()
    }

    /// Waits until a thread has begun to wait.
    func awaitThread() { entered.wait() }

    func open() { opened.signal() }
}

private let hasSymbolizer = ["/usr/bin/llvm-symbolizer", "/usr/bin/addr2line"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// What a test reports about a run that hangs. The names of functions need a symbolizer.
@Suite(.enabled(if: hasSymbolizer, "needs llvm-symbolizer(1) or addr2line(1)")) struct HangTests {
    @Test func `a run that blocks its thread is reported with the functions, the file and the line`() async throws {
        let gate = Gate()
        defer { gate.open() }
        try await withIntentRun(dependencies: [gate], clock: .skipping, patience: .milliseconds(100)) { run in
            let error = await #expect(throws: IntentTestError.self) { try await run.perform(Blocking()) }
            let text = error?.description ?? ""
            #expect(text.contains("its code is still running"), "\(text)")
            #expect(text.contains("Gate.wait()") && text.contains("Blocking.perform()"), "\(text)")
            #expect(text.contains("HangTests.swift:"), "\(text)")
        }
    }

    @Test func `a run at its limit is reported with the thread that blocks it`() async throws {
        let gate = Gate()
        defer { gate.open() }
        try await withIntentRun(dependencies: [gate], clock: .skipping) { run in
            let end = try await run.perform(BlockingElsewhere())
            #expect(end == .cancelled(.timeout))
            let text = end.description
            #expect(text.hasPrefix("cancelled (timeout): exceeded its limit (Runtime=)"), "\(text)")
            #expect(text.contains("Gate.wait()") && text.contains("HangTests.swift:"), "\(text)")
            #expect(end.description == text)
        }
    }

    @Test func `other threads continue while the threads of a run are read`() async throws {
        let gate = Gate()
        defer { gate.open() }
        try await withIntentRun(dependencies: [gate], clock: .skipping) { run in
            let end = try await run.perform(BlockingElsewhere())
            async let counts = withTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { (0..<100_000).reduce(0) { count, _ in count + 1 } } }
                return await group.reduce(0, +)
            }
            #expect(!end.description.isEmpty)
            #expect(await counts == 400_000)
        }
    }
}
