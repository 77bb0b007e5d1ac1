import IntentSharedTypes
import IntentWorkerMessages
import Synchronization

/// The questions of a run. They are sent to `intentd` one at a time.
final class RunQuestions: Sendable {
    /// The recipient of questions.
    enum Audience: Sendable {
        case intentd
        /// No recipient exists, so every question remains unanswered.
        case none
    }

    typealias Parameters = @Sendable () throws -> [(name: String, parameter: any AnyIntentParameter)]

    private struct Waiting {
        /// The number of the call that asks the question.
        let ticket: UInt64
        /// The question. The number of the question is assigned when it is first sent.
        var question: Question
        let continuation: CheckedContinuation<GivenAnswer?, any Error>
    }

    private struct State {
        /// The questions without an answer. The first question is open or will be sent next.
        var waiting: [Waiting] = []
        var isFirstSent = false
        var lastNumber: UInt64 = 0
        var lastTicket: UInt64 = 0
        /// The numbers of questions that were sent, but for which no task is waiting any longer.
        var withdrawn: [UInt64] = []
        /// The tickets of calls that were cancelled before they began to wait.
        var abandoned: Set<UInt64> = []
        /// True if new questions are rejected because the run is being cancelled.
        var isClosed = false
        /// The function that returns the parameters of the run's own intent; nil until the run begins.
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

    /// Sets the function that returns the parameters of the run's own intent. It is called only when a question is
    /// asked, which is rare.
    func setParameters(_ parameters: @escaping Parameters) {
        state.withLock { $0.parameters = parameters }
    }

    func name(of parameter: any AnyIntentParameter) -> String? {
        // Ignore an error, because intentd does not start a run of an app with intents that cannot be inspected.
        (try? state.withLock(\.parameters)?())?.first { $0.parameter === parameter }?.name
    }

    /// Asks a question and waits for the answer.
    ///
    /// - Parameter question: The question to ask. The number of the question is assigned when it is sent.
    /// - Returns: The answer; nil if no client will answer.
    /// - Throws: `CancellationError` when the task or the run is cancelled; `RunError` when the question is larger than
    ///   `Question.byteLimit`.
    func ask(_ question: Question) async throws -> GivenAnswer? {
        switch audience {
        case .none: return nil
        case .intentd: break
        }
        // `intentd` ends a run that asks a larger question. It omits a snippet that does not fit.
        var plain = question
        plain.snippet = nil
        let byteCount = WireCoding.encode(plain).count
        guard byteCount <= Question.byteLimit else {
            throw RunError(
                """
                the question has \(byteCount) bytes, more than the limit of \(Question.byteLimit): shorten its text or \
                its choices
                """,
                code: "questionTooLarge"
            )
        }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.abandoned.remove(ticket) != nil || state.isClosed { return true }
                    state.waiting.append(Waiting(ticket: ticket, question: question, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { wake() }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    private func abandon(_ ticket: UInt64) {
        let waiting = state.withLock { state -> Waiting? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                if !state.isClosed { state.abandoned.insert(ticket) }
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

    /// The question to send next; nil if no question is ready to be sent.
    var next: Question? {
        state.withLock { state in
            // Only one question is open at a time. Withdrawals are sent before the next question.
            guard !state.isFirstSent, state.withdrawn.isEmpty, !state.waiting.isEmpty else { return nil }
            // A question that is sent again, to a new supervisor, keeps its number.
            if state.waiting[0].question.number == 0 {
                state.lastNumber += 1
                state.waiting[0].question.number = state.lastNumber
            }
            return state.waiting[0].question
        }
    }

    /// Records that a question was sent.
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

    /// Makes ``next`` return the open question again so that the question is sent to a new supervisor.
    func resendOpenQuestion() {
        state.withLock { $0.isFirstSent = false }
        wake()
    }

    /// Passes the answer to the task that asked the question.
    ///
    /// - Parameter answer: The answer; nil if no client will answer.
    func answer(_ number: UInt64, _ answer: GivenAnswer?) {
        let answered = state.withLock { state -> Waiting? in
            // If intentd sent the answer before it received the withdrawal of the question, the answer is ignored.
            guard state.isFirstSent, state.waiting.first?.question.number == number else { return nil }
            state.isFirstSent = false
            return state.waiting.removeFirst()
        }
        answered?.continuation.resume(returning: answer)
        if answered != nil { wake() }
    }

    /// Cancels all questions, and rejects new questions from now on.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.withdrawn = []
            state.isFirstSent = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for question in waiting { question.continuation.resume(throwing: CancellationError()) }
    }
}

/// An answer together with its files.
struct GivenAnswer: Sendable {
    var value: IntentValue
    var files = IncomingFiles()
}
