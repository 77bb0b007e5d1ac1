package import IntentLauncherMessages

extension RunTable {
    /// The properties of a run that never change after the run has been accepted.
    struct Acceptance: Sendable {
        /// The record of the accepted run.
        let record: AcceptedRun
        /// The app, which runs share that were accepted with equal settings.
        let app: Shared<InstalledApp>
        let intent: IntentDeclaration
        /// True if `intent` is the app's declaration. False for an adopted run, because only its intent's name and
        /// traits are on record.
        var isDeclared = true
        /// The values of the parameters, including secrets.
        let values: RunValues
        /// The query of a run that lists options instead of performing its intent.
        @Apart var query: OptionsQuery? = nil
        let time: Now
        /// The ticket with which a run that requires approval joins the backlog after it is approved; nil if the run
        /// requires no approval or was adopted.
        @Apart var ticket: AdmissionQueue.Ticket? = nil
        /// The files that an agent passed; nil when they are unknown.
        var files: [PassedFile]?
        /// The groups of the caller's process; nil for an adopted run.
        var groups: Set<UInt32>?
        /// True if a person has requested the run and waits for it.
        var isInteractive = false
        /// The run of the shortcut that has requested this run, as a step or as the undo of one; nil for other runs, and for
        /// an adopted run.
        var shortcut: RunID?
    }

    /// A live run and its subscribers.
    struct Run: Sendable {
        let id: RunID
        let owner: Caller
        /// The properties that never change. All copies of the run share them, because each report from the worker
        /// copies the run.
        private let acceptance: Shared<Acceptance>
        /// The answers given in advance that have not been used yet.
        var answers: AnswersInAdvance?
        /// The notice of the newest answer, which contains the question's number and the user who answered.
        @Apart var lastAnswer: AnswerNotice?
        /// The run from which a standing approval remains that covers this run; nil if none does.
        var standingApproval: RunID?
        /// The newest answer that an earlier `intentd` recorded; nil for a run that was not adopted.
        @Apart var answerOnRecord: RecordedAnswer?
        /// What the run asks and has asked about hosts.
        var hosts = HostAnswers()
        /// The serial number of the event with the newest question; 0 before the first question.
        var questionSerial: UInt64 = 0
        var machine: RunStateMachine
        var slot: SlotID?
        /// The path that has changed on the host since the run's sandbox was made; nil while the sandbox is current.
        var changedPath: String?
        /// The isolation grade of the spare that serves the run, if the spare was ready.
        var waitingWorker: IsolationGrade?
        var lastSerial: UInt64 = 0
        /// The clients that requested the run. An attached run is cancelled when the last of them disconnects.
        var owners: [ClientID] = []
        /// The clients that are watching the run. They receive the same events as the owners and do not affect the run.
        var watchers: [ClientID] = []
        /// The newest `state` event and the newest `progress` event, which late subscribers receive.
        var lastState: NumberedEvent?
        var lastProgress: NumberedEvent?
        /// The requests to cancel the run. They are answered when the run's processes have exited.
        var waiters: [RequestOrigin] = []
        var progress: ProgressReport?
        /// The instant of the newest progress report.
        var progressTime: Now.Monotonic?
        /// The end of the worker, as the kernel reported it.
        @Apart var slotEnd: SlotEnd?
        /// The instant for which the run's timer is armed.
        var timer: Now.Instant?
        /// The newest note of the run.
        @Apart var note: RunNote?
        /// The number of times that another `intentd` has adopted the run.
        var adoptionCount: UInt32 = 0
        /// The number of times that adopting the run has crashed `intentd`, as the run's note states.
        var failedAdoptions: UInt8 = 0
        /// True if the run could not be recorded. Clients never receive the run's events.
        var isOffRecord = false
        var outcome: RunOutcome?

        init(id: RunID, _ acceptance: Acceptance, answers: AnswersInAdvance?, machine: RunStateMachine) {
            self.id = id
            owner = acceptance.record.caller.caller
            self.acceptance = Shared(acceptance)
            self.answers = answers
            self.machine = machine
        }

        var accepted: AcceptedRun { acceptance.value.record }
        var request: RequestID { accepted.request }
        var caller: CallerProcess { accepted.caller }
        var app: InstalledApp { acceptance.value.app.value }
        var intent: IntentDeclaration { acceptance.value.intent }
        var isDeclared: Bool { acceptance.value.isDeclared }
        var values: RunValues { acceptance.value.values }
        var secretNames: [String] { accepted.secretNames }
        var fileCount: Int { accepted.fileCount }
        var onDisconnect: DisconnectRule { accepted.onDisconnect }
        var query: OptionsQuery? { acceptance.value.query }
        var acceptedAt: Now { acceptance.value.time }
        /// The ticket with which a run that requires approval joins the backlog after it is approved; nil if the run
        /// requires no approval or was adopted.
        var ticket: AdmissionQueue.Ticket? { acceptance.value.ticket }
        /// The files that an agent passed; nil when they are unknown.
        var files: [PassedFile]? { acceptance.value.files }
        /// The groups of the caller's process; nil for an adopted run, because they are not on record.
        var groups: Set<UInt32>? { acceptance.value.groups }
        var isInteractive: Bool { acceptance.value.isInteractive }
        var shortcut: RunID? { acceptance.value.shortcut }
        var requester: Requester { accepted.caller.requester }
        /// True for the run of a shortcut's step.
        var isOfShortcut: Bool { accepted.key?.hasPrefix(utf8: StepKey.prefix) == true }
        /// True when an agent requested the run.
        var isOfAgent: Bool { accepted.entryPoint == .mcp }

        /// All subscribers, without duplicates.
        var followers: [ClientID] {
            watchers.isEmpty ? owners : owners + watchers.filter { !owners.contains($0) }
        }

        /// The title of the run: the intent's sentence with the run's values inserted.
        var title: String? { query == nil ? intent.title(with: values.byName) : nil }

        /// The end of the run; nil before its outcome is announced.
        var end: RunEnd? {
            outcome.map { RunEnd(of: id, $0, machine.account) }
        }
    }

    /// The origin of a request: its client, its user, and the request number that the answer repeats.
    package struct RequestOrigin: Equatable, Sendable {
        package var client: ClientID
        package var user: Caller
        package var rank: RunAccess.Rank
        package var groups: Set<UInt32>
        /// True if the user has an active session at this machine's own seat. Always false for requests that do not
        /// perform an intent, because they do not depend on the session.
        package var isPresent = false
        /// The uid that makes the request, if the operator lists it as an agent; nil for a person.
        package var agent: UInt32?
        /// Whether the client is a fleet's service, or acts for a fleet user.
        package var fleet = FleetAccess.none
        /// The files of the request, if an agent made it.
        package var files: [PassedFile] = []
        /// The run of the shortcut that makes the request; nil for a client.
        package var shortcut: RunID?
        package var id: UInt64
        package var caller: CallerProcess

        var requester: Requester { Requester(user, agent: agent) }

        /// Returns true if the requester's relation to a run's owner permits an operation on the run.
        func may(_ operation: RunAccess.Operation, withRunOf owner: Requester) -> Bool {
            RunAccess.may(operation, requester, rank, withRunOf: owner)
        }

        package init(
            client: ClientID,
            user: Caller,
            rank: RunAccess.Rank,
            groups: Set<UInt32>,
            id: UInt64,
            caller: CallerProcess
        ) {
            self.client = client
            self.user = user
            self.rank = rank
            self.groups = groups
            self.id = id
            self.caller = caller
        }
    }

    /// Recently ended runs, for repeated requests and for late requests to cancel.
    struct EndedRuns: Sendable {
        struct Entry: Sendable {
            var requester: Requester
            /// The account that pays for the requester.
            var account: Account
            var request: RequestID
            var app: String
            var intent: String
            var end: RunEnd
            /// The serial of the run's `finished` event.
            var lastSerial: UInt64
        }

        private static let countLimit = 1024
        /// The maximum total size of the entries, in bytes. Without this limit, large values could exhaust memory.
        private static let byteLimit = 8 << 20

        /// The entries of one account.
        private struct Share: Sendable {
            /// The account's runs, oldest first.
            var order: [RunID] = []
            var byteCount = 0
        }

        private var entries: [RunID: Entry] = [:]
        private var shares: [Account: Share] = [:]
        private var byteCount = 0

        subscript(run: RunID) -> Entry? { entries[run] }

        /// Removes a run.
        mutating func forget(_ run: RunID) -> Entry? {
            guard let entry = entries.removeValue(forKey: run) else { return nil }
            var share = shares[entry.account] ?? Share()
            share.order.removeAll { $0 == run }
            share.byteCount -= entry.end.byteCount
            shares[entry.account] = share.order.isEmpty ? nil : share
            byteCount -= entry.end.byteCount
            return entry
        }

        /// Adds a run. Returns the runs that were removed to make room: the oldest runs of the account with the most.
        mutating func remember(_ entry: Entry) -> [Entry] {
            entries[entry.end.run] = entry
            shares[entry.account, default: Share()].order.append(entry.end.run)
            shares[entry.account, default: Share()].byteCount += entry.end.byteCount
            byteCount += entry.end.byteCount
            var forgotten: [Entry] = []
            while let largest, let oldest = largest.order.first, let entry = forget(oldest) { forgotten.append(entry) }
            return forgotten
        }

        /// The largest share, if a limit is exceeded.
        private var largest: Share? {
            if entries.count > Self.countLimit { return shares.values.max { $0.order.count < $1.order.count } }
            guard byteCount > Self.byteLimit, entries.count > 1 else { return nil }
            return shares.values.max { $0.byteCount < $1.byteCount }
        }
    }
}

extension RunOutcome {
    /// The approximate size of the outcome's strings, in bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .done(let value, let dialog): (value?.byteCount ?? 0) + (dialog?.utf8.count ?? 0)
        case .unknown(let kind, let message): kind.utf8.count + message.utf8.count
        case .failed, .unanswered, .violated, .notStarted, .busy, .lost, .hostLost: message?.utf8.count ?? 0
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
        // Estimate the size of a report. A report may be larger, but most reports are small.
        let crash = account.details?.crash == nil && account.details?.stacks == nil ? 0 : 8 << 10
        let snippet = account.details?.snippet?.root.byteCount ?? 0
        let hosts = account.details?.hosts?.reduce(0) { $0 + $1.host.utf8.count + 64 } ?? 0
        return outcome.byteCount + hosts + crash + opened + choices + (donated ?? 0) + withdrawn + undo + snippet
            + (account.details?.supportingDialog?.utf8.count ?? 0) + (account.details?.denial?.path?.utf8.count ?? 0)
            * 2
    }
}

extension SnippetElement {
    /// The approximate size in memory, in bytes.
    fileprivate var byteCount: Int {
        let own =
            switch content {
            case .text(let text), .symbol(let text), .link(let text), .unknown(let text): text.utf8.count
            case .image(let file): file.name.utf8.count
            case .control(let control):
                control.action.values.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
            case .stack, .grid, .row, .section, .header, .footer, .divider, .spacer, .shape, .progress: 0
            }
        return children.reduce(256 + own + (style?.accessibilityLabel?.utf8.count ?? 0)) { $0 + $1.byteCount }
    }
}
