import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The runs that intentd itself requests: the intents in `[Notify]`, and repetitions (`Retry=`). Notifications belong to the user that `User=` names, by default the user
/// that `intentd` runs as.
///
/// Must be used only on the event loop's thread.
final class NotificationRuns {
    private let journal: Journal
    private let decisions: RunDecisions
    private let apps: AppDirectory
    private let recorder: Recorder
    private let files: PassedFiles
    private let launcher: LauncherConnection
    /// Returns the link for the open question of a run and its owner; nil without one.
    private let link: (RunID, Caller) -> String?
    /// Deliveries with an unanswered request, by the request's number.
    private var requested: [UInt64: NotificationOutbox.Delivery] = [:]
    /// Repetitions with an unanswered request, by the request's number.
    private var repeated: [UInt64: Retries.Retry] = [:]
    /// Repetitions that wait for the current values of their schedule's credentials, by the failed run.
    private var awaitingSecrets: [RunID: Retries.Retry] = [:]
    private var lastID: UInt64 = 0
    /// Steps that were decided before ``start()``; nil after ``start()``.
    private var early: [NotificationOutbox.Step]? = []

    init(
        journal: Journal,
        decisions: RunDecisions,
        apps: AppDirectory,
        recorder: Recorder,
        files: PassedFiles,
        launcher: LauncherConnection,
        link: @escaping (RunID, Caller) -> String?
    ) {
        self.journal = journal
        self.decisions = decisions
        self.apps = apps
        self.recorder = recorder
        self.files = files
        self.launcher = launcher
        self.link = link
    }

    /// Performs the steps that were decided before runs could be performed. Later steps are performed immediately.
    func start() {
        let waiting = early ?? []
        early = nil
        for step in waiting { perform(step) }
    }

    func perform(_ step: NotificationOutbox.Step) {
        guard early == nil else {
            early?.append(step)
            return
        }
        switch step {
        case .perform(let delivery): deliver(delivery)
        case .repeated(let delivery, let reason, let pause):
            log(delivery.notification, "not reported yet", "\(reason); next attempt in \(TimeSpan.format(pause))")
        case .retry(let retry): perform(retry)
        case .gaveUp(let delivery, let reason):
            log(delivery.notification, "not reported", "\(reason); attempts: \(delivery.attempt), giving up")
        case .limited(let series, let perHour):
            let text =
                "not reported: \(perHour) ends of the app's runs for this user were already reported within an hour "
                + "(PerHour=); notifications resume when the hour is over"
            write(series, nil, .warning, text, .notReported)
        }
    }

    private func deliver(_ delivery: NotificationOutbox.Delivery) {
        let notification = delivery.notification
        guard let user = apps.notifyUser() else {
            return decisions.handle(.undelivered(delivery.request, "User= in [Notify] names an unknown user"))
        }
        lastID += 1
        requested[lastID] = delivery
        var values = notification.values(started: Self.text(notification.started), host: Self.host)
        if [.question, .reminder].contains(notification.event), let run = notification.run,
            let link = link(run, notification.user)
        {
            values["link"] = .string(link)
        }
        let request = PerformRequest(
            request: delivery.request,
            app: notification.target.app.text,
            intent: notification.target.intent,
            values: values,
            onDisconnect: .continue,
            entryPoint: .notification
        )
        self.request(request, as: user)
    }

    /// Performs a failed run again. A secret value that a schedule has passed as a credential is the current one.
    private func perform(_ retry: Retries.Retry) {
        guard retry.secrets != nil, let run = retry.request.retryOf, let app = AppName(retry.request.app),
            let schedule = ScheduleKey.name(in: retry.request.key)
        else { return performWithSecrets(retry) }
        awaitingSecrets[run] = retry
        let scheduled = ScheduledRun(run: run, schedule: schedule, app: app, account: retry.account)
        launcher.send(.openCredentials(scheduled))
    }

    /// Receives the credentials of the schedule that has started a run.
    func received(_ report: LaunchReport, _ descriptors: [SharedFileDescriptor]) {
        guard case .credentials(let run, let names, let problem) = report,
            var retry = awaitingSecrets.removeValue(forKey: run)
        else { return }
        for (name, file) in zip(names, descriptors) {
            guard
                let parameter = retry.secrets?.first(where: { Self.letters(of: $0) == Self.letters(of: name) }),
                let bytes = try? File.readAll(file.rawValue, limit: CredentialSource.byteLimit)
            else { continue }
            let secret = CredentialSource.secret(in: bytes)
            retry.request.values[parameter] = Self.value(secret, like: retry.request.values[parameter])
        }
        if let problem {
            journal.write(.warning, "run \(run): \(problem); its repetition uses the secret value of the failed run")
        }
        performWithSecrets(retry)
    }

    /// The letters and digits of a parameter's name, which are the same in its option: `apiKey` and `api-key`.
    private static func letters(of name: String) -> [UInt8] {
        name.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }.map {
            $0.isASCIILetter ? $0 | 0x20 : $0
        }
    }

    /// Returns a text as a value of the same type as an earlier value.
    private static func value(_ text: String, like earlier: IntentValue?) -> IntentValue {
        if case .int? = earlier, let number = Int64(text) { return .int(number) }
        if case .double? = earlier, let number = Double(text) { return .double(number) }
        return .string(text)
    }

    /// Performs a failed run again, with the groups that its owner has now.
    private func performWithSecrets(_ retry: Retries.Retry) {
        guard let user = apps.owner(uid: retry.uid, account: retry.account) else {
            return refuse(retry, "the account has changed")
        }
        let run = RunID(randomBits: .random(in: .min ... .max))
        let hasFiles =
            retry.request.fileCount == 0 || retry.request.retryOf.map { files.pass(from: $0, to: run) } == true
        let hasSecrets = (retry.secrets ?? []).allSatisfy { retry.request.values[$0] != nil }
        guard hasFiles, hasSecrets, retry.isIncomplete == nil else {
            return refuse(retry, "intentd has restarted, and files and secret values are not recorded")
        }
        lastID += 1
        repeated[lastID] = retry
        request(retry.request, as: user, run)
    }

    private func refuse(_ retry: Retries.Retry, _ reason: String) {
        let run = retry.request.retryOf.map(\.text) ?? ""
        journal.write(.warning, "run \(run) is not repeated: \(reason)", .runGaveUp, [("INTENT_RUN_ID", run)])
        decisions.handle(.undelivered(retry.request.request, reason))
    }

    /// Requests a run, with the last number.
    private func request(
        _ request: PerformRequest,
        as user: (caller: Caller, groups: Set<UInt32>),
        _ run: RunID = RunID(randomBits: .random(in: .min ... .max))
    ) {
        let origin = RunTable.RequestOrigin(
            client: .intentd,
            user: user.caller,
            rank: .user,
            groups: user.groups,
            id: lastID,
            caller: CallerProcess(user.caller, process: getpid(), software: "intentd \(Hello.softwareVersion)")
        )
        decisions.handle(
            .requested(
                origin,
                .perform(request, newRun: run, apps.lookUp(request.app), refusal: recorder.refusal(of: user.caller))
            )
        )
    }

    /// Handles the answer to the request of a delivery or of a repetition.
    func answered(_ answer: ClientAnswer, id: UInt64) {
        if let retry = repeated.removeValue(forKey: id) {
            guard case .refused(let error) = answer else { return }
            return refuse(retry, error.message)
        }
        guard let delivery = requested.removeValue(forKey: id) else { return }
        let notification = delivery.notification
        if case .accepted(let run) = answer {
            let text = "reported (\(notification.event.rawValue)) by run \(run) of \(notification.target)"
            write(notification.series, notification.run, .info, text, .reported)
        } else if case .refused(let error) = answer {
            let reason = error.message + (error.hint.map { "; \($0)" } ?? "")
            decisions.handle(.undelivered(delivery.request, reason))
        }
    }

    private func log(_ notification: Notification, _ what: String, _ reason: String) {
        let text = "\(what) (\(notification.event.rawValue)) by \(notification.target): \(reason)"
        write(notification.series, notification.run, .warning, text, .notReported)
    }

    private func write(
        _ series: Notifications.Series,
        _ run: RunID?,
        _ level: Journal.Level,
        _ text: String,
        _ kind: JournalMessage
    ) {
        let fields: [Journal.Field] = [
            ("INTENT_APP", series.app.text), ("INTENT_NAME", series.intent), ("INTENT_UID", "\(series.uid)"),
        ]
        let name = "\(series.app)/\(series.intent)" + (run.map { " \($0)" } ?? "")
        journal.write(level, "\(name): \(text)", kind, fields + (run.map { [("INTENT_RUN_ID", $0.text)] } ?? []))
    }

    // MARK: Values

    /// Formats a time, in nanoseconds since 1970, as the value of a date parameter.
    private static func text(_ nanoseconds: Int64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// The host name of this machine; empty if gethostname(2) fails.
    private static var host: String {
        // POSIX permits names of 255 bytes. Keep the last byte zero, because gethostname(2) does not terminate a name
        // that it truncates.
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(foreign: name)
    }
}
