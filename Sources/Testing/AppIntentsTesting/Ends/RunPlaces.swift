internal import AppIntents
internal import IntentClient
internal import IntentLauncherMessages
internal import IntentLinux
import Synchronization

/// The lines of the app at which a run crashed, or at which threads were when it reached a limit.
final class RunPlaces: Sendable {
    private enum Source {
        /// The threads of this process, which are read when the text is needed: a thread that hangs is still there.
        case ownThreads
        case report(RunDetails, executable: String)
        case text(String)
    }

    /// The maximum number of threads, and of calls of each.
    private static let limits = (threads: 8, calls: 6)

    private let source: Mutex<Source>

    private init(_ source: Source) {
        self.source = Mutex(source)
    }

    /// The places of a run in this process that has reached a limit.
    static func ofOwnRun() -> RunPlaces { RunPlaces(.ownThreads) }

    /// The places that a worker has reported; nil if it has reported none.
    init?(_ details: RunDetails?, executable: String) {
        guard let details, details.crash != nil || details.stacks != nil else { return nil }
        source = Mutex(.report(details, executable: executable))
    }

    /// The places as lines, each with a line break before it.
    var text: String {
        source.withLock { source in
            let text =
                switch source {
                case .ownThreads: Self.ownThreads(nil)
                case .report(let details, let executable): Self.text(details, executable)
                case .text(let text): text
                }
            source = .text(text)
            return text
        }
    }

    /// Returns the places of the run's thread, and of threads that execute no task, each with a line break before it. The
    /// tasks on other threads can be those of other tests.
    ///
    /// - Parameter thread: The number of the run's thread; nil if it has none.
    static func ownThreads(_ thread: Int32?) -> String {
        guard let path = try? ProcessFacts.executablePath() else { return "" }
        let own = thread.flatMap { ThreadStacks.read($0) }.map { text($0, path) } ?? ""
        guard var others = ThreadStacks.read() else { return own }
        let tasks = others.images.firstIndex { $0.path.hasSuffix(utf8: "/libswift_Concurrency.so") }
        others.callStacks.removeAll { stack in tasks.map { task in stack.frames.contains { $0.image == task } } ?? false
        }
        return own + text(others, path)
    }

    private static func text(_ details: RunDetails, _ executable: String) -> String {
        if let stacks = details.stacks {
            let places = text(stacks, executable)
            return places.isEmpty ? "\n  at \(NamedCalls.waits)" : places
        }
        guard let crash = details.crash else { return "" }
        let named = names(of: crash.frames, in: crash.images, executable)
        let calls = crash.frames.indices.flatMap { named.calls[$0] ?? [] }.filter(\.isOfApp).prefix(limits.calls)
        let message = crash.message ?? named.trapCause.map { "Fatal error: \($0)" }
        return (message.map { ["\n  \($0)"] } ?? []).joined() + lines(calls.map(\.source.text), named)
    }

    private static func text(_ stacks: StackReport, _ executable: String) -> String {
        let named = names(of: stacks.callStacks.flatMap(\.frames), in: stacks.images, executable)
        // SwiftPM's runner of the tests, from which every test is called, says nothing.
        let threads = named.appCalls(of: stacks, limit: limits.calls).filter { thread in
            !thread.calls.allSatisfy { $0.function == "main" || $0.file?.hasSuffix(utf8: "/runner.swift") == true }
        }.prefix(limits.threads)
        return threads.map { thread, calls in
            lines(calls.enumerated().map { $0 == 0 ? "\($1.text), thread '\(thread)'" : $1.text }, NamedCalls())
        }.joined() + lines([], named)
    }

    private static func lines(_ calls: [String], _ named: NamedCalls) -> String {
        (calls.enumerated().map { "\n  \($0 == 0 ? "at" : "  ") \($1)" } + named.problems.map { "\n  \($0)" }).joined()
    }

    private static func names(
        of frames: [CrashReport.Frame],
        in images: [CrashReport.Image],
        _ executable: String
    ) -> NamedCalls {
        // The author tests an app of their own, so its names are demangled here.
        NamedCalls(of: frames, in: images, executable: executable) { $0.map(ConfinedTool.readableName) }
    }
}
