import IntentHistory
import IntentLifecycle
import IntentSystemd
import IntentWire

/// The supervisor's side of history: records on their way to it, and questions that wait for it.
struct Recording {
    var gate = RecordGate()
    /// Records of the event that is being carried out: they go to disk together.
    var outgoing: [HistoryEntry] = []
    /// The ticket of the newest record.
    var lastTicket: UInt64 = 0
    var source: EventSource?
    var problem: HistoryProblem?
    /// Records that the last `intentd` left are on their way to the disk.
    var isReplaying = false
    /// The replay is done, and new records are logged where the configuration asks for it.
    var isLogReady = false
    /// Open questions of clients, by their number at the history.
    var questions: [UInt64: Question] = [:]
    var lastQuestion: UInt64 = 0
    /// The questions that history has not received yet.
    var waiting = FairQueue<Caller, (number: UInt64, question: HistoryQuestion)>()
    /// The numbers of questions that history has received and not answered.
    var asked: Set<UInt64> = []
    /// Questions that may be open; a user may have a share of them.
    static let questionLimit = 256
    /// Questions that the history has at once: enough that it never waits for us, and few enough that a user who has
    /// only one waits for few.
    static let askedLimit = 2
    /// What runs may still print onto the record.
    var allowances: [RunID: OutputAllowance] = [:]
    /// The end, held until everybody was told what is on record.
    var heldQuit: RunTable.QuitCause?
    var quitTimer: EventSource?

    struct Question {
        var client: ClientID
        var user: Caller
        var id: UInt64
        /// As the client wrote it, where it is about one run.
        var run: String?
        /// What the client wants of a run that is over, where that is not to read of it.
        var purpose: Purpose?
    }

    enum Purpose {
        case watching
        case cancelling
        case fetching(from: Int)
        case discarding
        case undoing(PerformRequest)
    }
}

/// How much of what a run prints goes on record: a burst, and so much a second from then on.
struct OutputAllowance {
    private static let burstByteCount: Int64 = 1 << 20
    private static let bytesPerSecond: Int64 = 256 << 10

    private var byteCount = burstByteCount
    /// What did not go on record and is not told there yet.
    private(set) var leftOutByteCount: Int64 = 0
    private var since: Int64

    init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// What to tell of what was left out, if anything was: once.
    mutating func takeLeftOut() -> Int64? {
        defer { leftOutByteCount = 0 }
        return leftOutByteCount > 0 ? leftOutByteCount : nil
    }

    /// True when so much may go now.
    mutating func take(_ count: Int, at nanoseconds: Int64) -> Bool {
        // Less than an hour counts, and no number can overflow.
        let elapsed = min(max(0, nanoseconds - since), 3_600_000_000_000)
        byteCount = min(Self.burstByteCount, byteCount + elapsed / 1000 * Self.bytesPerSecond / 1_000_000)
        since = nanoseconds
        guard byteCount >= Int64(count) else {
            leftOutByteCount += Int64(count)
            return false
        }
        byteCount -= Int64(count)
        return true
    }
}
