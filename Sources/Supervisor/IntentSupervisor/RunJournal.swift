import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// An object that writes lines about runs, and the runs' output, to the journal.
///
/// Must be used only on the event loop's thread.
final class RunJournal {
    private let journal: Journal
    /// The closure that returns the app, the intent and the account of a live run, or nil once the run has ended.
    private let names: (RunID) -> RunNames?
    /// Each run's remaining journal quota.
    private var quotas: [RunID: JournalQuota] = [:]
    /// The lines that each account's runs may write together.
    private var allowances: [Account: LineAllowance] = [:]

    init(_ journal: Journal, names: @escaping (RunID) -> RunNames?) {
        self.journal = journal
        self.names = names
    }

    func log(_ line: RunLine) {
        // Without a journal, intentd was started in a terminal, where a client shows the run's events to the user.
        guard journal.isConnected else { return }
        var fields: [Journal.Field] = [
            ("INTENT_RUN_ID", line.run.text), ("INTENT_APP", line.app.text), ("INTENT_NAME", line.intent),
            ("INTENT_UID", "\(line.user.uid)"),
        ]
        if let reason = line.reason { fields.append(("INTENT_REASON", reason.name)) }
        if case .answered(let notice, let kind) = line.event {
            fields += [("INTENT_ANSWERED_BY", "\(notice.user)"), ("INTENT_ANSWER", kind.rawValue)]
        }
        if case .revoked(let user) = line.event {
            fields += [("INTENT_ANSWERED_BY", "\(user)"), ("INTENT_ANSWER", "revoked")]
        }
        if case .ended(let outcome) = line.event {
            fields.append(("INTENT_OUTCOME", outcome.kindName))
            if let key = line.denial?.key, !key.isEmpty { fields.append(("INTENT_SETTING", key)) }
            close(line.run)
        }
        let message = "\(line.app)/\(line.intent) \(line.run): \(line.text)"
        journal.write(line.level, message, fields, kind: line.message)
    }

    /// Writes a run's output line by line. Each entry has the app's name as SYSLOG_IDENTIFIER, and the run's fields.
    func print(_ text: String, of run: RunID, to stream: OutputStream) {
        guard journal.isConnected, let names = self.names(run) else { return }
        let now = ClockReading.monotonicNanoseconds()
        if allowances[names.account] == nil { allowances = allowances.filter { !$0.value.isFull(at: now) } }
        let (dropped, lines) = quotas[run, default: JournalQuota(at: now)].admit(
            text,
            within: &allowances[names.account, default: JournalQuota.allowanceOfAccount(at: now)],
            at: now
        )
        if dropped > 0 { noteDropped(dropped, of: run, names) }
        let fields = Self.fields(of: run, names) + [("INTENT_STREAM", stream.rawValue)]
        for line in lines { journal.write(.info, line, fields, speaker: names.app.text) }
    }

    /// Ends a run's output. Logs the number of lines that were dropped since the last admitted line.
    func close(_ run: RunID) {
        guard let quota = quotas.removeValue(forKey: run), quota.droppedCount > 0 else { return }
        noteDropped(quota.droppedCount, of: run, names(run))
    }

    func reportBroken(_ app: AppName, _ problem: String) {
        journal.write(.error, "\(app) cannot be used: \(problem)", .appUnusable, [("INTENT_APP", app.text)])
    }

    private func noteDropped(_ count: Int, of run: RunID, _ names: RunNames?) {
        let lines = count == 1 ? "dropped 1 line" : "dropped \(count) lines"
        journal.write(
            .notice,
            "\(lines) of the output of run \(run), which exceeded its journal quota",
            .outputDropped,
            names.map { Self.fields(of: run, $0) } ?? [("INTENT_RUN_ID", run.text)]
        )
    }

    private static func fields(of run: RunID, _ names: RunNames) -> [Journal.Field] {
        [("INTENT_RUN_ID", run.text), ("INTENT_APP", names.app.text), ("INTENT_NAME", names.intent)]
    }
}

extension Journal {
    /// Writes an entry with a message identifier that the message catalogue explains.
    func write(
        _ level: Level,
        _ text: String,
        _ kind: JournalMessage,
        _ fields: [Field] = [],
        file: StaticString = #fileID,
        line: UInt = #line,
        function: StaticString = #function
    ) {
        write(level, text, fields, kind: kind.rawValue, file: file, line: line, function: function)
    }
}

extension RunLine {
    fileprivate var level: Journal.Level {
        switch event {
        case .accepted, .started, .adopted, .answered: .info
        case .asking, .revoked, .repeats: .notice
        case .gaveUp, .notRepeated: .warning
        case .stopping, .ended(.cancelled): reason?.row.cause == .intent ? .warning : .notice
        case .ended(let outcome):
            switch outcome.row.concern {
            case .none: .info
            case .notice: .notice
            case .warning: .warning
            }
        }
    }

    /// The identifier of the entry.
    fileprivate var message: String {
        switch event {
        case .accepted: JournalMessage.runAccepted.rawValue
        case .started: JournalMessage.runStarted.rawValue
        case .adopted: JournalMessage.runAdopted.rawValue
        case .asking: JournalMessage.runAsking.rawValue
        case .answered, .revoked: JournalMessage.runAnswered.rawValue
        case .stopping: JournalMessage.runStopping.rawValue
        case .repeats: JournalMessage.runRepeats.rawValue
        case .gaveUp, .notRepeated: JournalMessage.runGaveUp.rawValue
        case .ended(let outcome): outcome.row.journalMessage
        }
    }
}
