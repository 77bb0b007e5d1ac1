import Glibc
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The runs that perform the intents in `[Notify]`. They belong to the user that `User=` names, by default the user
/// that `intentd` runs as.
///
/// Must be used only on the event loop's thread.
final class NotificationRuns {
    private let journal: Journal
    private let decisions: RunDecisions
    private let apps: AppDirectory
    private let recorder: Recorder
    /// Notifications with an unanswered request, by the request's number.
    private var requested: [UInt64: Notification] = [:]
    private var lastID: UInt64 = 0
    /// Notifications about adopted runs that were reported before ``start()``; nil after ``start()``.
    private var early: [Notification]? = []

    init(
        journal: Journal,
        decisions: RunDecisions,
        apps: AppDirectory,
        recorder: Recorder
    ) {
        self.journal = journal
        self.decisions = decisions
        self.apps = apps
        self.recorder = recorder
    }

    /// Performs the notifications that were reported before runs could be performed. Later notifications are performed
    /// immediately.
    func start() {
        let waiting = early ?? []
        early = nil
        for notification in waiting { perform(notification) }
    }

    func perform(_ notification: Notification) {
        guard early == nil else {
            early?.append(notification)
            return
        }
        guard let user = apps.notifyUser() else {
            return log(notification, refused: "User= in [Notify] names an unknown user")
        }
        lastID += 1
        requested[lastID] = notification
        let values = notification.values(
            started: Self.text(ClockReading.realtimeNanoseconds() - notification.age.milliseconds * 1_000_000),
            host: Self.host
        )
        let request = PerformRequest(
            app: notification.target.app.text,
            intent: notification.target.intent,
            values: values,
            onDisconnect: .continue,
            entryPoint: .notification
        )
        let run = RunID(randomBits: .random(in: .min ... .max))
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

    /// Handles the answer to the request of a notification.
    func answered(_ answer: ClientAnswer, id: UInt64) {
        guard let notification = requested.removeValue(forKey: id) else { return }
        if case .accepted(let run) = answer {
            write(
                notification,
                .info,
                "reported (\(notification.event.rawValue)) by run \(run) of \(notification.target)",
                .reported
            )
        } else if case .refused(let error) = answer {
            log(notification, refused: error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }

    private func log(_ notification: Notification, refused reason: String) {
        let text = "not reported (\(notification.event.rawValue)) by \(notification.target): \(reason)"
        write(notification, .warning, text, .notReported)
    }

    private func write(
        _ notification: Notification,
        _ level: Journal.Level,
        _ text: String,
        _ kind: JournalMessage
    ) {
        let fields: [Journal.Field] = [
            ("INTENT_RUN_ID", notification.run.text), ("INTENT_APP", notification.app.text),
            ("INTENT_NAME", notification.intent), ("INTENT_UID", "\(notification.user.uid)"),
        ]
        journal.write(level, "\(notification.app)/\(notification.intent) \(notification.run): \(text)", kind, fields)
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
