package import IntentWire

extension RunTable {
    /// What was asked for, which never changes.
    struct Wish: Sendable {
        let request: RequestID
        let caller: CallerProcess
        let app: InstalledApp
        let intent: IntentDeclaration
        /// False for a run of an earlier `intentd`: of its intent only the name and the traits are on record.
        var isDeclared = true
        let values: [String: IntentValue]
        /// Parameters whose values are on no record.
        var secretNames: [String] = []
        let fileCount: Int
        let onDisconnect: DisconnectRule
        /// The language of the one who asked.
        let locale: String?
        /// W3C Trace Context of the one who asks.
        let traceparent: String?
        /// What was wished instead of performing.
        let query: OptionsQuery?
        let acceptedAt: Now
    }

    /// A run and those who care for it.
    struct Run: Sendable {
        let id: RunID
        let owner: Caller
        /// Copies share it: a run is looked at with every word of its worker.
        private let wish: Shared<Wish>
        /// What was said beforehand to its questions; each value is taken out when it has answered one.
        var answers: AnswersInAdvance?
        /// Who answered its newest question that is not open any more.
        var lastAnswer: AnswerNotice?
        /// Of a run that was taken up: the newest answer that an earlier `intentd` put on record.
        var answerOnRecord: RecordedAnswer?
        /// The serial of the newest question's event.
        var questionSerial: UInt64 = 0
        var machine: RunStateMachine
        var slot: SlotID?
        /// How the spare worker is isolated that it got, where that waited for its word already.
        var waitingWorker: IsolationGrade?
        var lastSerial: UInt64 = 0
        /// Clients whose request it is: their leaving may end it.
        var owners: [ClientID] = []
        /// Clients that look on: they hear what owners hear, and count for nothing else.
        var watchers: [ClientID] = []
        /// The newest of each kind, for who comes late.
        var lastState: NumberedEvent?
        var lastProgress: NumberedEvent?
        /// Requests to cancel, answered when nothing is left.
        var waiters: [Asker] = []
        var progress: ProgressReport?
        /// When that came.
        var progressTime: Now.Monotonic?
        /// What the kernel said of its worker's end.
        var slotEnd: SlotEnd?
        /// The instant for which its timer is armed.
        var timer: Now.Instant?
        /// The newest that was noted of it.
        var note: RunNote?
        /// How often another `intentd` took it up.
        var adoptionCount: UInt32 = 0
        /// How often that ended an `intentd`, as its note counts.
        var failedAdoptions: UInt8 = 0
        /// It could not be put on record, and nobody was told of it.
        var isOffRecord = false
        var outcome: RunOutcome?

        init(
            id: RunID,
            owner: Caller,
            wish: Wish,
            answers: AnswersInAdvance?,
            machine: RunStateMachine
        ) {
            self.id = id
            self.owner = owner
            self.wish = Shared(wish)
            self.answers = answers
            self.machine = machine
        }

        var request: RequestID { wish.value.request }
        var caller: CallerProcess { wish.value.caller }
        var app: InstalledApp { wish.value.app }
        var intent: IntentDeclaration { wish.value.intent }
        var isDeclared: Bool { wish.value.isDeclared }
        var values: [String: IntentValue] { wish.value.values }
        var secretNames: [String] { wish.value.secretNames }
        var fileCount: Int { wish.value.fileCount }
        var onDisconnect: DisconnectRule { wish.value.onDisconnect }
        var locale: String? { wish.value.locale }
        var traceparent: String? { wish.value.traceparent }
        var query: OptionsQuery? { wish.value.query }
        var acceptedAt: Now { wish.value.acceptedAt }

        /// Everybody who hears of it, each once.
        var followers: [ClientID] {
            watchers.isEmpty ? owners : owners + watchers.filter { !owners.contains($0) }
        }

        /// What becomes of its result's files when one who asked for it has got them. One for whom it goes on without
        /// him may be about to leave: he says himself when he has them.
        var filesForOwners: RunTable.FileHandling { onDisconnect == .cancel ? .give : .lend }

        /// What it does: the intent's sentence with its values.
        var title: String? { query == nil ? intent.title(with: values) : nil }

        /// What came of it; nil before its outcome is said.
        var end: RunEnd? {
            outcome.map { RunEnd(run: id, outcome: $0, account: machine.account, fileCount: $0.files.count) }
        }
    }

    /// A value in one place, for all copies of what has it.
    private final class Shared<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    /// The client and user that made a request, and the number that the answer repeats.
    package struct Asker: Equatable, Sendable {
        package var client: ClientID
        package var user: Caller
        package var rank: RunAccess.Rank
        package var groups: Set<UInt32>
        /// The user has an active session at this machine's own seat. Looked up for requests that perform an intent;
        /// false for all others, which no rule makes depend on it.
        package var isPresent: Bool
        package var id: UInt64
        package var caller: CallerProcess

        package init(
            client: ClientID,
            user: Caller,
            rank: RunAccess.Rank,
            groups: Set<UInt32>,
            isPresent: Bool = false,
            id: UInt64,
            caller: CallerProcess
        ) {
            self.client = client
            self.user = user
            self.rank = rank
            self.groups = groups
            self.isPresent = isPresent
            self.id = id
            self.caller = caller
        }
    }

    /// Runs that ended a short while ago, so that a repeated request and a late cancel find their answer.
    struct EndedRuns: Sendable {
        struct Entry: Sendable {
            var owner: Caller
            var request: RequestID
            var app: String
            var intent: String
            var end: RunEnd
            /// The serial of its `finished`.
            var lastSerial: UInt64
        }

        private static let countLimit = 1024
        /// Values can be large: this many bytes of them are kept together.
        private static let byteLimit = 8 << 20
        private var entries: [RunID: Entry] = [:]
        private var order: [RunID] = []
        private var byteCount = 0

        subscript(run: RunID) -> Entry? { entries[run] }

        /// Forgets a run as if it had never been; its place in the order goes with its turn.
        mutating func forget(_ run: RunID) -> Entry? {
            guard let entry = entries.removeValue(forKey: run) else { return nil }
            byteCount -= entry.end.byteCount
            return entry
        }

        /// Remembers a run, and returns those that are forgotten for it, oldest first.
        mutating func remember(_ entry: Entry) -> [Entry] {
            entries[entry.end.run] = entry
            order.append(entry.end.run)
            byteCount += entry.end.byteCount
            var forgotten: [Entry] = []
            while order.count > Self.countLimit || (byteCount > Self.byteLimit && order.count > 1) {
                guard let oldest = entries.removeValue(forKey: order.removeFirst()) else { continue }
                byteCount -= oldest.end.byteCount
                forgotten.append(oldest)
            }
            return forgotten
        }
    }
}

extension RunOutcome {
    /// About how much memory its texts take.
    fileprivate var byteCount: Int {
        switch self {
        case .done(let value, let dialog): (value?.byteCount ?? 0) + (dialog?.utf8.count ?? 0)
        case .failed(let message), .unanswered(_, let message), .violated(let message), .notStarted(let message),
            .busy(let message),
            .lost(let message):
            message.utf8.count
        case .cancelled, .crashed, .exceeded: 0
        }
    }
}

extension RunEnd {
    fileprivate var byteCount: Int {
        let opened = account.details?.opens?.values.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount } ?? 0
        let donated = account.details?.donations?.reduce(0) { sum, donation in
            sum + (donation.identifier?.utf8.count ?? 0)
                + donation.values.reduce(32) { $0 + $1.key.utf8.count + $1.value.byteCount }
        }
        let withdrawals = account.details?.withdrawals
        let entities = withdrawals?.entities?.flatMap { withdrawal in
            withdrawal.identifiers + withdrawal.parameters.flatMap { [$0.key] + $0.value }
        }
        let withdrawn = ((withdrawals?.intents ?? []) + (withdrawals?.identifiers ?? []) + (entities ?? [])).reduce(0) {
            $0 + $1.utf8.count
        }
        let choices = account.details?.choices?.reduce(0) { $0 + $1.utf8.count } ?? 0
        let undo = account.details?.undo?.intent?.values.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount } ?? 0
        return outcome.byteCount + opened + choices + (donated ?? 0) + withdrawn + undo
            + (account.details?.supportingDialog?.utf8.count ?? 0) + (account.details?.denial?.path?.utf8.count ?? 0)
            * 2
    }
}

extension IntentValue {
    fileprivate var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.byteCount + 8 }
        case .file(let file): file.name.utf8.count
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount + 16 }
        case .null, .bool, .int, .double: 8
        }
    }
}
