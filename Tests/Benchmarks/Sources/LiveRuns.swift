import IntentLauncherMessages
import IntentLinux

/// Many concurrent runs on one connection, with the timestamps of each.
///
/// Timestamps are nanoseconds of CLOCK_MONOTONIC, and 0 until they are known.
final class LiveRuns {
    struct Run {
        /// The `running` event arrived here.
        var running: Int64 = 0
        /// The app called `perform()`.
        var begun: Int64 = 0
        /// The app's cancellation handler was called.
        var handled: Int64 = 0
        /// The `finished` event arrived here, after the worker had exited.
        var ended: Int64 = 0
        fileprivate var text = ""
    }

    let client: DaemonConnection
    private(set) var runs: [Run] = []
    private(set) var identifiers: [RunID?] = []
    private(set) var runningCount = 0
    private(set) var begunCount = 0
    private(set) var endedCount = 0
    private(set) var progressCount = 0
    private var indices: [RunID: Int] = [:]
    private var open: [UInt64: Int] = [:]

    init(on client: DaemonConnection) {
        self.client = client
    }

    /// Starts a run for each request, a few at a time, and waits until all have begun.
    func start(_ requests: [PreparedPerform], atOnce window: Int = 16) throws {
        for request in requests {
            try submit(request)
            try pump(seconds: 30) { self.begunCount + window > self.runs.count }
        }
        try pump(seconds: 30) { self.begunCount == self.runs.count }
    }

    func cancel(_ index: Int) throws {
        guard let run = identifiers[index] else { throw BenchmarkError("a run was not accepted") }
        _ = try client.send(.cancel(run: run.text))
    }

    /// Cancels all runs and waits until they have ended.
    func cancelAll() throws {
        for index in runs.indices where runs[index].ended == 0 {
            try cancel(index)
            if index % 16 == 15 { try pump(seconds: 30) { self.endedCount + 16 > index } }
        }
        try pump(seconds: 30) { self.endedCount == self.runs.count }
    }

    /// Handles messages until a condition holds, and throws if it does not within the time.
    func pump(seconds: Int64, until condition: () -> Bool) throws {
        let limit = ClockReading.monotonicNanoseconds() + seconds * 1_000_000_000
        while !condition() {
            guard let message = try client.nextMessage(until: limit) else {
                throw BenchmarkError("no more messages; \(runs.count) runs, \(begunCount) begun, \(endedCount) ended")
            }
            try handle(message)
        }
    }

    /// Handles messages for a time.
    func pump(for nanoseconds: Int64) throws {
        let limit = ClockReading.monotonicNanoseconds() + nanoseconds
        while let message = try client.nextMessage(until: limit) { try handle(message) }
    }

    func submit(_ request: PreparedPerform) throws {
        var request = request
        open[request.renew()] = runs.count
        runs.append(Run())
        identifiers.append(nil)
        try client.send(request.frame)
    }

    private func handle(_ message: ClientMessage) throws {
        switch message {
        case .answer(let id, .accepted(let run)):
            guard let id, let index = open.removeValue(forKey: id) else { return }
            identifiers[index] = run
            indices[run] = index
        case .answer(_, .refused(let report)): throw BenchmarkError("intentd refuses: \(report.message)")
        case .answer: return
        case .event(let event): handle(event)
        }
    }

    private func handle(_ event: NumberedEvent) {
        guard let index = indices[event.run] else { return }
        switch event.event {
        case .state(.running, _):
            if runs[index].running == 0 { runningCount += 1 }
            runs[index].running = ClockReading.monotonicNanoseconds()
        case .state, .question, .answered: return
        case .progress: progressCount += 1
        case .output(_, let text): parse(text, of: index)
        case .finished:
            runs[index].ended = ClockReading.monotonicNanoseconds()
            endedCount += 1
            indices[event.run] = nil
        }
    }

    /// Parses the benchmark app's output: the name and timestamp of an event per line.
    private func parse(_ text: String, of index: Int) {
        runs[index].text += text
        while let end = runs[index].text.firstIndex(of: "\n") {
            let words = runs[index].text[..<end].split(separator: " ")
            runs[index].text.removeSubrange(...end)
            guard words.count == 2, let instant = Int64(words[1]) else { continue }
            switch words[0] {
            case "begun":
                runs[index].begun = instant
                begunCount += 1
            case "handled": runs[index].handled = instant
            default: continue
            }
        }
    }
}
