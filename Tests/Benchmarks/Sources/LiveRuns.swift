import IntentLinux
import IntentWire

/// Many runs at once on one connection, and what each said about its times.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC, 0 until they are known.
final class LiveRuns {
    struct Run {
        /// intentd's word that it runs was heard of here.
        var running: Int64 = 0
        /// The first line of its `perform()`.
        var begun: Int64 = 0
        /// The first line of its handler.
        var told: Int64 = 0
        /// Its end was heard of here, when nothing of it was left.
        var ended: Int64 = 0
        fileprivate var text = ""
    }

    let client: DaemonConnection
    private(set) var runs: [Run] = []
    private(set) var identifiers: [RunID?] = []
    private(set) var begunCount = 0
    private(set) var endedCount = 0
    private(set) var progressCount = 0
    private var indices: [RunID: Int] = [:]
    private var open: [UInt64: Int] = [:]

    init(on client: DaemonConnection) {
        self.client = client
    }

    /// Starts one run for each wish, so many at a time, and waits until all are at work.
    func start(_ wishes: [PreparedPerform], atOnce window: Int = 16) throws {
        for wish in wishes {
            try submit(wish)
            try pump(seconds: 30) { self.begunCount + window > self.runs.count }
        }
        try pump(seconds: 30) { self.begunCount == self.runs.count }
    }

    func cancel(_ index: Int) throws {
        guard let run = identifiers[index] else { throw BenchmarkError("a run was not accepted") }
        _ = try client.send(.cancel(run: run.text))
    }

    /// Cancels all and waits until they are gone.
    func cancelAll() throws {
        for index in runs.indices where runs[index].ended == 0 {
            try cancel(index)
            if index % 16 == 15 { try pump(seconds: 30) { self.endedCount + 16 > index } }
        }
        try pump(seconds: 30) { self.endedCount == self.runs.count }
    }

    /// Takes in messages until that is so, or fails after so long.
    func pump(seconds: Int64, until condition: () -> Bool) throws {
        let limit = ClockReading.monotonicNanoseconds() + seconds * 1_000_000_000
        while !condition() {
            guard let message = try client.nextMessage(until: limit) else {
                throw BenchmarkError("\(runs.count) runs, \(begunCount) begun, \(endedCount) ended, and then nothing")
            }
            try take(message)
        }
    }

    /// Takes in messages for so long.
    func pump(for nanoseconds: Int64) throws {
        let limit = ClockReading.monotonicNanoseconds() + nanoseconds
        while let message = try client.nextMessage(until: limit) { try take(message) }
    }

    func submit(_ wish: PreparedPerform) throws {
        var wish = wish
        open[wish.renew()] = runs.count
        runs.append(Run())
        identifiers.append(nil)
        try client.send(wish.frame)
    }

    private func take(_ message: ClientMessage) throws {
        switch message {
        case .answer(let id, .accepted(let run)):
            guard let id, let index = open.removeValue(forKey: id) else { return }
            identifiers[index] = run
            indices[run] = index
        case .answer(_, .refused(let report)): throw BenchmarkError("intentd refuses: \(report.message)")
        case .answer: return
        case .event(let event): take(event)
        }
    }

    private func take(_ event: NumberedEvent) {
        guard let index = indices[event.run] else { return }
        switch event.event {
        case .state(.running, _): runs[index].running = ClockReading.monotonicNanoseconds()
        case .state, .question, .answered: return
        case .progress: progressCount += 1
        case .output(_, let text): take(text, of: index)
        case .finished:
            runs[index].ended = ClockReading.monotonicNanoseconds()
            endedCount += 1
            indices[event.run] = nil
        }
    }

    /// Lines of the benchmark's app: what happened, and when.
    private func take(_ text: String, of index: Int) {
        runs[index].text += text
        while let end = runs[index].text.firstIndex(of: "\n") {
            let words = runs[index].text[..<end].split(separator: " ")
            runs[index].text.removeSubrange(...end)
            guard words.count == 2, let instant = Int64(words[1]) else { continue }
            switch words[0] {
            case "begun":
                runs[index].begun = instant
                begunCount += 1
            case "told": runs[index].told = instant
            default: continue
            }
        }
    }
}
