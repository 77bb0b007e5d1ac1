import IntentLifecycle
import IntentLinux
import IntentWire
import Synchronization

/// Decodes large requests and encodes large answers on a thread of its own, for users in turns.
///
/// Each takes milliseconds, in which the loop could serve no other client.
final class CodingThread: Sendable {
    enum Work: Sendable {
        case decode(ClientID, [UInt8])
        /// The answer to the request of that number.
        case encode(ClientID, UInt64, ClientAnswer)
    }

    enum Outcome: Sendable {
        case request(ClientID, ReadRequest)
        case answer(ClientID, UInt64, ArraySlice<UInt8>)
    }

    private struct State {
        var work = FairQueue<Caller, Work>()
        var outcomes: [(outcome: Outcome, duration: Duration)] = []
    }

    private let state = Mutex(State())
    private let wakeUp: EventCounter
    /// Signalled when there are outcomes (eventfd(2)).
    let outcomeCounter: EventCounter

    init() throws(SystemError) {
        wakeUp = try EventCounter()
        outcomeCounter = try EventCounter()
        try DetachedThread.start { [self] in run() }
    }

    func add(_ work: Work, of user: Caller) {
        state.withLock { $0.work.append(work, of: user) }
        wakeUp.signal()
    }

    /// Drops what waits for a client that has left.
    func drop(workOf client: ClientID, of user: Caller) {
        state.withLock { state in
            state.work.removeAll(of: user) { work in
                switch work {
                case .decode(client, _), .encode(client, _, _): true
                case .decode, .encode: false
                }
            }
        }
    }

    /// Removes and returns the outcomes, each with the time that it took.
    func takeOutcomes() -> [(outcome: Outcome, duration: Duration)] {
        outcomeCounter.reset()
        return state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    /// Runs until the process ends.
    private func run() {
        var lists = ListEncoding()
        while true {
            wakeUp.wait(milliseconds: nil)
            wakeUp.reset()
            while let work = state.withLock({ $0.work.next() }) {
                let begin = ClockReading.monotonicNanoseconds()
                let outcome: Outcome =
                    switch work {
                    case .decode(let client, let payload): .request(client, ReadRequest(payload))
                    case .encode(let client, let id, .apps(let apps)):
                        .answer(client, id, lists.frame(of: apps, id: id))
                    case .encode(let client, let id, let answer):
                        .answer(client, id, ClientSession.frame(of: .answer(id: id, answer)))
                    }
                let duration = Duration.nanoseconds(ClockReading.monotonicNanoseconds() - begin)
                state.withLock { $0.outcomes.append((outcome, duration)) }
                outcomeCounter.signal()
            }
        }
    }
}

/// The list of apps as it was last encoded: apps rarely change, and encoding is most of the cost of a list.
private struct ListEncoding {
    private var apps: [AppDescription] = []
    private var payload: [UInt8] = []
    /// Where the number stands in the payload.
    private var number = 0..<0

    mutating func frame(of apps: [AppDescription], id: UInt64) -> ArraySlice<UInt8> {
        if apps != self.apps || payload.isEmpty { remember(apps) }
        guard !number.isEmpty else { return ClientSession.frame(of: .answer(id: id, .apps(apps))) }
        var answer = payload
        answer.replaceSubrange(number, with: Array(String(id).utf8))
        // The longest number of a request.
        return (try? Frame.encode(answer, limit: Frame.clientPayloadLimit))?[...]
            ?? ClientSession.frame(of: .answer(id: id, .apps(apps)))
    }

    private mutating func remember(_ apps: [AppDescription]) {
        self.apps = apps
        let mark = UInt64.max
        payload = WireCoding.encode(ClientMessage.answer(id: mark, .apps(apps)))
        // Keys are sorted, and only the apps come before `id`: its last place is the message's own.
        let end = Array(#""id":\#(mark),"type":"apps"}"#.utf8)
        guard payload.suffix(end.count).elementsEqual(end) else { return number = 0..<0 }
        let begin = payload.count - end.count + #""id":"#.utf8.count
        number = begin..<begin + String(mark).utf8.count
    }
}
