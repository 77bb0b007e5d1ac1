package import IntentLauncherMessages

/// A notification: the intent to perform, and the values for its parameters.
package struct Notification: Equatable, Sendable, Codable {
    /// The event that the notification reports.
    package enum Event: String, Equatable, Sendable, Codable {
        /// The number of consecutive failures has reached `After=`.
        case failure
        /// A run succeeded for the first time since a failure or the lack of a success was reported.
        case recovery
        /// A run succeeded.
        case success
        /// A run waits for an answer.
        case question
        /// A question that was reported expires soon.
        case reminder
        /// A schedule has had no success for `ExpectEvery=`.
        case overdue
    }

    package var target: NotifyRule.Target
    package var event: Event
    /// The run; nil if no run is concerned.
    package var run: RunID?
    package var series: Notifications.Series
    /// The name of the outcome; empty if no run has ended.
    package var outcome = ""
    /// The error of a failed run, as ``message(of:hiding:)`` returns it, or a sentence about another event.
    package var message: String
    /// The number of consecutive failures, including this run. For a recovery, the number of failures before this run.
    /// For a success, 0.
    package var count = 0
    /// The time when the run was accepted, in nanoseconds since 1970.
    package var started: Int64
    /// The time since the run was accepted.
    package var milliseconds: Int64 = 0

    /// The user whom the notification concerns.
    package var user: Caller { series.user }

    /// The identifier among all notifications: an event is reported once for a run, and once at a time for a series.
    var id: String { "\(event.rawValue) \(run.map(\.text) ?? "\(started) \(series.row)")" }

    /// Returns the values for the parameters, by name.
    ///
    /// - Parameters:
    ///   - started: The time when the run was accepted, formatted as the value of a date parameter.
    ///   - host: The host name of this machine.
    package func values(started: String, host: String) -> [String: IntentValue] {
        [
            "event": .string(event.rawValue), "app": .string(series.app.text), "intent": .string(series.intent),
            "run": .string(run?.text ?? ""), "user": .string(user.account.isEmpty ? "\(user.uid)" : user.account),
            "schedule": .string(series.schedule ?? ""), "outcome": .string(outcome), "message": .string(message),
            "started": .string(started), "duration": .double(Double(milliseconds) / 1000), "count": .int(Int64(count)),
            "host": .string(host), "link": .string(""),
        ]
    }

    /// Returns the values for the parameters that an intent declares, with numbers converted to the parameters' types.
    static func values(_ values: RunValues, declaredBy intent: IntentDeclaration) -> RunValues {
        var declared: [String: IntentValue] = [:]
        for parameter in intent.parameters {
            guard let value = values.byName[parameter.name] else { continue }
            declared[parameter.name] =
                switch (parameter.type, value) {
                case (.string, .int(let number)): .string("\(number)")
                case (.string, .double(let number)): .string("\(number)")
                case (.int, .double(let number)): .int(Int64(number.rounded()))
                case _: value
                }
        }
        return RunValues(encoding: declared)
    }

    /// Returns the reason why an intent cannot be performed as a notification; nil if the intent is suitable.
    static func problem(of target: NotifyRule.Target, in catalog: IntentCatalog) -> String? {
        do throws(ErrorReport) {
            let intent = try RunTable.intent(target.intent, of: target.app, in: catalog)
            _ = try ParameterCheck.accept(values(sample, declaredBy: intent), fileCount: 0, for: intent, of: target.app)
            return nil
        } catch {
            return "[Notify]: '\(target)': \(error.message)" + (error.hint.map { "; \($0)" } ?? "")
        }
    }

    /// Sample values of the right types. An enumeration that accepts the sample may still reject the values of a real
    /// run.
    private static let sample = RunValues(
        encoding: [
            "event": .string(Event.failure.rawValue), "app": .string("App"), "intent": .string("Intent"),
            "run": .string("run"), "user": .string("user"), "schedule": .string("schedule"),
            "outcome": .string("failed"), "message": .string("message"),
            "started": .string("2026-01-01T00:00:00Z"), "duration": .double(1), "count": .int(1),
            "host": .string("host"), "link": .string("https://host/answer"),
        ]
    )

    /// The maximum length of a message, in Unicode scalars.
    private static let messageLimit = 1000
    /// The maximum number of different secrets of a run with an error message in its notification.
    private static let secretLimit = 100

    /// Returns the error of a failed run on one line. The app chooses the message, and could otherwise inject lines
    /// into an e-mail or a log.
    ///
    /// The message of a success is empty, because the dialog may contain the run's values.
    ///
    /// - Parameter secrets: Values that the message must not reveal.
    static func message(
        of outcome: RunOutcome,
        _ denial: SandboxDenial? = nil,
        hiding secrets: some Sequence<String>
    ) -> String {
        if case .done = outcome { return "" }
        return line((outcome.message ?? outcome.phrase) + (denial.map { "; \($0.explanation)" } ?? ""), hiding: secrets)
    }

    /// Returns a message on one line.
    static func line(_ text: String, hiding secrets: some Sequence<String> = EmptyCollection()) -> String {
        var text = text
        let secrets = Set(secrets)
        // Each secret is searched in the whole message.
        guard secrets.count <= secretLimit else { return "" }
        // Replace the longest secret first, because one secret may be part of another.
        for secret in secrets.sorted(by: { ($0.utf8.count, $0) > ($1.utf8.count, $1) }) where !secret.isEmpty {
            text = text.replacing(utf8: secret, with: "…")
        }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(messageLimit) {
            switch scalar.properties.generalCategory {
            // Also replace format characters, because one can reverse the order of the characters that follow.
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                line.append(" ")
            case _: line.append(scalar)
            }
        }
        return String(line)
    }
}
