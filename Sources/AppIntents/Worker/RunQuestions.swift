import IntentWire
import Synchronization

/// The questions of this process's run. One at a time is sent to `intentd`; the others wait.
final class RunQuestions: Sendable {
    /// What receives the questions.
    enum Audience: Sendable {
        case intentd
        /// Each question stays unanswered.
        case none
    }

    typealias Parameters = @Sendable () throws -> [(name: String, parameter: any AnyIntentParameter)]

    private struct Waiting {
        let ticket: UInt64
        /// The question. Its number is set when it is first sent.
        var question: Question
        let continuation: CheckedContinuation<GivenAnswer?, any Error>
    }

    private struct State {
        /// The first element is the open question, or the next to send.
        var waiting: [Waiting] = []
        var isFirstSent = false
        var lastNumber: UInt64 = 0
        var lastTicket: UInt64 = 0
        /// Numbers of sent questions for which no task waits any longer.
        var withdrawn: [UInt64] = []
        /// Tickets that were cancelled before they began to wait.
        var givenUp: Set<UInt64> = []
        /// No further questions are asked, because the run is being cancelled.
        var isClosed = false
        /// Finds the run's own parameters.
        var parameters: Parameters?
    }

    private let audience: Audience
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    init(for audience: Audience, wake: @escaping @Sendable () -> Void) {
        self.audience = audience
        self.wake = wake
    }

    // MARK: The run

    /// Sets the function that finds the run's own parameters. It is called when a question is asked, which is rare.
    func setParameters(_ parameters: @escaping Parameters) {
        state.withLock { $0.parameters = parameters }
    }

    func name(of parameter: any AnyIntentParameter) -> String? {
        // An intent that cannot be inspected has no catalogue, and was refused before.
        (try? state.withLock(\.parameters)?())?.first { $0.parameter === parameter }?.name
    }

    /// Asks a question and waits for the answer.
    ///
    /// - Parameter question: Its number is assigned here.
    /// - Returns: The answer; nil when nothing will answer.
    /// - Throws: `CancellationError` when the task or the run is cancelled.
    func ask(_ question: Question) async throws -> GivenAnswer? {
        switch audience {
        case .none: return nil
        case .intentd: break
        }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.givenUp.remove(ticket) != nil || state.isClosed { return true }
                    state.waiting.append(Waiting(ticket: ticket, question: question, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { wake() }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                if !state.isClosed { state.givenUp.insert(ticket) }
                return nil
            }
            if index == 0, state.isFirstSent {
                state.withdrawn.append(state.waiting[0].question.number)
                state.isFirstSent = false
            }
            return state.waiting.remove(at: index)
        }
        waiting?.continuation.resume(throwing: CancellationError())
        if waiting != nil { wake() }
    }

    // MARK: The thread that communicates with intentd

    /// The question to send now.
    var next: Question? {
        state.withLock { state in
            // One question is open at a time, and withdrawals are sent first.
            guard !state.isFirstSent, state.withdrawn.isEmpty, !state.waiting.isEmpty else { return nil }
            // A repeated question keeps its number.
            if state.waiting[0].question.number == 0 {
                state.lastNumber += 1
                state.waiting[0].question.number = state.lastNumber
            }
            return state.waiting[0].question
        }
    }

    /// Notes that a question was sent.
    func sent(_ number: UInt64) {
        state.withLock { state in
            if state.waiting.first?.question.number == number {
                state.isFirstSent = true
            } else {
                // The question was withdrawn while it was being sent.
                state.withdrawn.append(number)
            }
        }
    }

    var nextWithdrawn: UInt64? { state.withLock { $0.withdrawn.first } }

    func removeWithdrawn() {
        state.withLock { _ = $0.withdrawn.removeFirst() }
    }

    /// Sends the open question again: a new supervisor does not know it.
    func resendOpenQuestion() {
        state.withLock { $0.isFirstSent = false }
        wake()
    }

    /// - Parameter answer: Nil when nothing will answer.
    func answer(_ number: UInt64, _ answer: GivenAnswer?) {
        let answered = state.withLock { state -> Waiting? in
            // The answer was sent before the withdrawal of its question arrived.
            guard state.isFirstSent, state.waiting.first?.question.number == number else { return nil }
            state.isFirstSent = false
            return state.waiting.removeFirst()
        }
        answered?.continuation.resume(returning: answer)
        if answered != nil { wake() }
    }

    /// Ends all questions.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.withdrawn = []
            state.isFirstSent = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for asker in waiting { asker.continuation.resume(throwing: CancellationError()) }
    }
}

/// An answer, with its files.
struct GivenAnswer: Sendable {
    var value: IntentWire.IntentValue
    var files = IncomingFiles()
}
