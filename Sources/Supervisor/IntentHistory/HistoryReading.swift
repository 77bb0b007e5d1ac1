import IntentLinux

/// The thread that answers queries and copies the write-ahead log to the file. A query or a copy can take a long time,
/// and must not delay the writer's thread.
final class HistoryReading {
    private let history: History
    private var reader: RunReader?

    /// The maximum time that an answer waits until earlier records are on the disk.
    private static let waitLimitMilliseconds: Int32 = 1000

    init(_ history: History) {
        self.history = history
    }

    func runUntilClosed() {
        while true {
            history.questions.counter.reset()
            switch history.questions.next() {
            case .answer(let open):
                waitUntilSettled(open.ticket)
                let answer = self.answer(open.question)
                history.publish { $0.answers.append((open.id, answer)) }
            case .checkpoint:
                // Ignore a failed checkpoint, because the next checkpoint copies the log, and the writer reports a
                // failing disk.
                _ = try? connected { reader throws(DatabaseError) in try reader.checkpoint() }
            case .disconnect:
                reader = nil
                history.questions.disconnected()
            case .end: return
            case nil: history.questions.counter.wait(milliseconds: nil)
            }
        }
    }

    private func waitUntilSettled(_ ticket: UInt64) {
        guard history.settled < ticket else { return }
        let end = ClockReading.monotonicNanoseconds() + Int64(Self.waitLimitMilliseconds) * 1_000_000
        history.questions.waiting {
            while history.settled < ticket, ClockReading.monotonicNanoseconds() < end {
                if history.problem(atNanoseconds: 0) != nil { return }
                history.questions.counter.reset()
                if history.settled < ticket { history.questions.counter.wait(milliseconds: 100) }
            }
        }
    }

    private func answer(_ question: HistoryQuestion) -> HistoryAnswer {
        do throws(HistoryProblem) {
            return try connected { reader throws(DatabaseError) in
                switch question {
                case .page(let query, let viewer): .page(try reader.page(query, visibleTo: viewer))
                case .story(let run, let viewer): .story(try reader.story(of: run, visibleTo: viewer))
                case .logs(let run, let serial, let viewer):
                    .logs(try reader.logs(of: run, after: serial, visibleTo: viewer))
                case .known(let run, let viewer): .known(try reader.known(run, of: viewer))
                case .undoable(let run, let viewer): .known(try reader.undoable(run, of: viewer))
                case .steps(let run, let viewer): .steps(try reader.steps(of: run, for: viewer))
                }
            }
        } catch {
            return .failed(error)
        }
    }

    private func connected<Result>(
        _ body: (RunReader) throws(DatabaseError) -> Result
    ) throws(HistoryProblem) -> Result {
        let path = history.options.path
        // Do not open the file before the writer has checked it, because SQLite may write to a file when opening it.
        if reader == nil, let problem = history.problem(atNanoseconds: 0), problem.needsReopening { throw problem }
        do throws(DatabaseError) {
            if let reader { return try body(reader) }
            let connection = try RunReader(path: path)
            reader = connection
            return try body(connection)
        } catch {
            reader = nil
            throw HistoryProblem(error, path: path)
        }
    }
}
