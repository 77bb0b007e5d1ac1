import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import Synchronization

/// A separate thread that decodes large requests and encodes large answers. Users take turns.
///
/// On the loop's thread, each of these tasks would delay all other clients by milliseconds.
final class CodingThread: Sendable {
    enum Work: Sendable {
        /// Decode a client's request.
        case decode(ClientID, [UInt8])
        /// Encode the answer to the request with this number.
        case encode(ClientID, UInt64, ClientAnswer)
    }

    enum Outcome: Sendable {
        case request(ClientID, ReadRequest)
        case answer(ClientID, UInt64, ArraySlice<UInt8>)
    }

    private struct State {
        var work = FairQueue<Account, Work>()
        var outcomes: [(outcome: Outcome, duration: Duration)] = []
    }

    private let state = Mutex(State())
    private let wakeUp: EventCounter
    /// An eventfd(2) that is signalled when outcomes are available.
    let outcomeCounter: EventCounter

    init() throws(SystemError) {
        wakeUp = try EventCounter()
        outcomeCounter = try EventCounter()
        try DetachedThread.start { [self] in run() }
    }

    func add(_ work: Work, of account: Account) {
        state.withLock { $0.work.append(work, of: account) }
        wakeUp.signal()
    }

    /// Drops the pending work for a client that has disconnected.
    func drop(workOf client: ClientID, of account: Account) {
        state.withLock { state in
            state.work.removeAll(of: account) { work in
                switch work {
                case .decode(client, _), .encode(client, _, _): true
                case .decode, .encode: false
                }
            }
        }
    }

    /// Removes and returns the available outcomes, with the time that each task took.
    func removeOutcomes() -> [(outcome: Outcome, duration: Duration)] {
        outcomeCounter.reset()
        return state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Decodes and encodes until the process exits.
    private func run() {
        var catalogs = CatalogAnswers()
        while true {
            wakeUp.wait(milliseconds: nil)
            wakeUp.reset()
            while let work = state.withLock({ $0.work.next() }) {
                let begin = ClockReading.monotonicNanoseconds()
                let outcome: Outcome =
                    switch work {
                    case .decode(let client, let payload): .request(client, ReadRequest(payload))
                    case .encode(let client, let id, let answer):
                        .answer(
                            client,
                            id,
                            catalogs.frame(of: answer, id: id) ?? ClientMessage.answer(id: id, answer).frame
                        )
                    }
                let duration = Duration.nanoseconds(ClockReading.monotonicNanoseconds() - begin)
                state.withLock { $0.outcomes.append((outcome, duration)) }
                outcomeCounter.signal()
            }
        }
    }
}
