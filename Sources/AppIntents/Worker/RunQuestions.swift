import IntentWire
import Synchronization

/// What the one run of this process asks: one question at a time goes to `intentd`, the others wait for their turn.
final class RunQuestions: Sendable {
    /// Who hears the questions.
    enum Audience: Sendable {
        case intentd
        /// Each goes unanswered at once.
        case nobody
    }

    typealias Parameters = @Sendable () throws -> [(name: String, parameter: any AnyIntentParameter)]

    private struct Waiting {
        let ticket: UInt64
        /// With its number, once it was sent.
        var question: Question
        let continuation: CheckedContinuation<GivenAnswer?, any Error>
    }

    private struct State {
        /// The first one is the one that is open, or to be sent.
        var waiting: [Waiting] = []
        var isFirstSent = false
        var lastNumber: UInt64 = 0
        var lastTicket: UInt64 = 0
        /// Numbers of those that were sent, and are asked by nobody any more.
        var withdrawn: [UInt64] = []
        /// Given up before they came to wait.
        var givenUp: Set<UInt64> = []
        /// Nothing is asked any more: the run is to stop.
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

    /// Whose parameters have a name outside this process; looked for when something is asked, which is rare.
    func own(_ parameters: @escaping Parameters) {
        state.withLock { $0.parameters = parameters }
    }

    func name(of parameter: any AnyIntentParameter) -> String? {
        // An intent that cannot be looked into has no catalogue, and did not come this far.
        (try? state.withLock(\.parameters)?())?.first { $0.parameter === parameter }?.name
    }

    /// Asks, and waits.
    ///
    /// - Parameter question: Its number is chosen here.
    /// - Returns: The answer; nil when nobody will give one.
    /// - Throws: `CancellationError` when the task or the run is cancelled.
    func ask(_ question: Question) async throws -> GivenAnswer? {
        switch audience {
        case .nobody: return nil
        case .intentd: break
        }
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isGone = state.withLock { state in
                    if state.givenUp.remove(ticket) != nil || state.isClosed { return true }
                    state.waiting.append(Waiting(ticket: ticket, question: question, continuation: continuation))
                    return false
                }
                if isGone { continuation.resume(throwing: CancellationError()) } else { wake() }
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

    // MARK: The thread that speaks with intentd

    /// The question that is to be sent now.
    var next: Question? {
        state.withLock { state in
            // One at a time is open: what was taken back is told first.
            guard !state.isFirstSent, state.withdrawn.isEmpty, !state.waiting.isEmpty else { return nil }
            // One that is repeated keeps its number.
            if state.waiting[0].question.number == 0 {
                state.lastNumber += 1
                state.waiting[0].question.number = state.lastNumber
            }
            return state.waiting[0].question
        }
    }

    /// It was sent.
    func sent(_ number: UInt64) {
        state.withLock { state in
            if state.waiting.first?.question.number == number {
                state.isFirstSent = true
            } else {
                // Given up while it was on its way.
                state.withdrawn.append(number)
            }
        }
    }

    var nextWithdrawn: UInt64? { state.withLock { $0.withdrawn.first } }

    func removeWithdrawn() {
        state.withLock { _ = $0.withdrawn.removeFirst() }
    }

    /// The open question is said again: a supervisor that starts anew does not know it.
    func repeatOpen() {
        state.withLock { $0.isFirstSent = false }
        wake()
    }

    /// - Parameter value: Nil when nobody will answer.
    func answer(_ number: UInt64, _ answer: GivenAnswer?) {
        let answered = state.withLock { state -> Waiting? in
            // The answer to one that was taken back was on its way.
            guard state.isFirstSent, state.waiting.first?.question.number == number else { return nil }
            state.isFirstSent = false
            return state.waiting.removeFirst()
        }
        answered?.continuation.resume(returning: answer)
        if answered != nil { wake() }
    }

    /// Nothing is asked any more.
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

/// What somebody answered, with the files that came with it.
struct GivenAnswer: Sendable {
    var value: IntentWire.IntentValue
    var files = IncomingFiles()
}
