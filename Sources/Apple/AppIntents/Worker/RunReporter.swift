import CIntentWorker
import IntentLinux
import IntentSharedTypes
import IntentWorker
import IntentWorkerMessages
import Synchronization

/// Sends a run's reports to `intentd`, in order. Any thread may use it.
final class RunReporter: Sendable {
    /// The event to wait for before calling ``sendChanges(_:)`` again.
    enum Wait: Equatable {
        /// The next change or command, which wakes the waiting thread.
        case forInput
        /// The end of the minimum interval between progress reports, after the given number of nanoseconds.
        case forTime(Int64)
        /// Free space in the socket's send buffer.
        case forRoom
    }

    private struct State {
        var pacer = ProgressPacer()
        /// True if `performBackgroundTask` is executing according to the last background phase that was reported.
        var isInBackground = false
        var isOver = false
    }

    /// A function that sends a report with its descriptors. It returns false if the socket is full and the call does
    /// not block.
    typealias Send = @Sendable (WorkerReport, [SharedFileDescriptor], UnixSocket.Waiting) throws(FrameError) -> Bool

    private let send: Send
    private let state = Mutex(State())

    init(_ send: @escaping Send) {
        self.send = send
    }

    /// Sends any report except the result. Blocks while the socket is full.
    func report(_ report: WorkerReport) {
        deliver(report, waiting: .untilSent)
    }

    /// Sends all unreported changes until the socket is full. Returns the event to wait for.
    func sendChanges(_ session: RunSession) -> Wait {
        state.withLock { state in
            // Nothing may be sent after the result.
            guard !state.isOver else { return .forInput }
            let now = ClockReading.monotonicNanoseconds()
            state.pacer.update(
                isChanged: session.clearProgressChange(),
                hasUnfinishedChildren: session.progress.hasUnfinishedChildren,
                at: now
            )
            while let phase = session.nextPhase {
                guard deliver(.background(phase), waiting: .never) else { return .forRoom }
                state.isInBackground = phase == .entered
                session.removePhase()
            }
            while let number = session.questions.nextWithdrawn {
                guard deliver(.withdrawn(question: number), waiting: .never) else { return .forRoom }
                session.questions.removeWithdrawn()
            }
            if let question = session.questions.next {
                // Send the progress first, because it extends the deadline, which the question then suspends.
                let progress = session.progress.report
                if state.pacer.lastReport != nil || session.progress.completedUnitCount > 0,
                    progress != state.pacer.lastReport
                {
                    guard deliver(.progress(progress), waiting: .never) else { return .forRoom }
                    state.pacer.sent(progress)
                }
                guard deliver(.question(question), waiting: .never) else { return .forRoom }
                session.questions.sent(question.number)
            }
            if state.pacer.isDue(at: now), let progress = state.pacer.reportToSend(session.progress.report, at: now) {
                guard deliver(.progress(progress), waiting: .never) else {
                    state.pacer.notSent()
                    return .forRoom
                }
                state.pacer.sent(progress)
            }
            return state.pacer.nextDelay(at: now).map { .forTime($0) } ?? .forInput
        }
    }

    /// Sends the result after all other reports.
    func finish(_ session: RunSession, with ending: RunEnding) {
        state.withLock { state in
            state.isOver = true
            while let phase = session.nextPhase {
                report(.background(phase))
                session.removePhase()
            }
            let progress = session.progress.report
            if session.clearProgressChange() || state.pacer.lastReport != nil, progress != state.pacer.lastReport {
                report(.progress(progress))
            }
            // Flush the output before sending the result so that clients receive all output before the result.
            intentd_flush_output()
            deliver(ending)
        }
    }

    /// Sends the current state of the run to a new supervisor.
    func resume(_ session: RunSession, number: UInt64) {
        state.withLock { state in
            report(.resumed(WorkerState(number: number, hasBegun: true, isInBackground: state.isInBackground)))
            if let progress = state.pacer.lastReport { report(.progress(progress)) }
            // The second thread, which calls this method, then sends the open question.
            session.questions.resendOpenQuestion()
            if state.isOver, let ending = session.ending { deliver(ending) }
        }
    }

    private func deliver(_ ending: RunEnding) {
        do {
            _ = try send(.finished(ending.result), ending.descriptors, .untilSent)
        } catch {
            guard case .tooLarge(let byteCount, let limit) = error else {
                preconditionFailure("cannot encode a result: \(error)")
            }
            let message = """
                the result of \(byteCount) bytes exceeds the limit of \(limit) bytes. \
                Return large values as an IntentFile.
                """
            report(.finished(WorkerResult(ending: .threw(message: message))))
        }
    }

    @discardableResult
    private func deliver(_ report: WorkerReport, waiting: UnixSocket.Waiting) -> Bool {
        do {
            return try send(report, [], waiting)
        } catch {
            preconditionFailure("cannot encode a report: \(error)")
        }
    }
}
