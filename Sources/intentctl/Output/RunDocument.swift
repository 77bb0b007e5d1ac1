package import IntentClient

/// The end of a run as JSON. The keys are a promise; see the manual of `intentctl run`.
package enum RunDocument {
    /// - Parameter value: The result as it was printed or written; nil when there is none.
    package static func of(_ result: RunResult, value: JSONValue?) -> JSONValue {
        var dialog: String?
        var message: String?
        var reason: String?
        var parameter: String?
        var limit: String?
        var exit = result.processEnd
        let outcome: String
        switch result.ending {
        case .done(_, let text):
            outcome = "done"
            dialog = text
        case .failed(let text):
            outcome = "failed"
            message = text
        case .unanswered(let name, let question):
            outcome = "unanswered"
            parameter = name
            message = question
        case .cancelled(let why):
            outcome = "cancelled"
            reason = why.name
        case .crashed(let end):
            outcome = "crashed"
            exit = end
        case .exceeded(let what):
            outcome = "exceeded"
            limit = what.rawValue
            message = what.message
        case .violated(let text):
            outcome = "violated"
            message = text
        case .notStarted(let text):
            outcome = "notStarted"
            message = text
        case .busy(let text):
            outcome = "busy"
            message = text
        case .lost(let text):
            outcome = "lost"
            message = text
        }
        return .members([
            "run": .string(result.run),
            "outcome": .string(outcome),
            "value": value,
            "dialog": dialog.map(JSONValue.string),
            "message": message.map(JSONValue.string),
            "parameter": parameter.map(JSONValue.string),
            "reason": reason.map(JSONValue.string),
            "limit": limit.map(JSONValue.string),
            "processEnd": exit.map(document),
            "runtimeMilliseconds": .milliseconds(result.runtime),
            "signals": .array(result.signals.map(JSONValue.string)),
            "leftoverProcessCount": .int(Int64(result.leftoverProcessCount)),
            "hadLateResult": .bool(result.hadLateResult),
            "isolation": (result.isolation?.rawValue).map(JSONValue.string),
            "code": result.code.map(JSONValue.string),
            "sandbox": result.obstacle.map(document),
            "supportingDialog": result.supportingDialog.map(JSONValue.string),
            "choices": result.choices.isEmpty ? nil : .array(result.choices.map(JSONValue.string)),
            "opens": result.opens.map(document),
            "donations": result.donations.isEmpty ? nil : .array(result.donations.map(document)),
            "undo": result.undo.map { offer in
                .members([
                    "name": offer.name.map(JSONValue.string), "intent": offer.intent.map(document),
                ])
            },
            "exitCode": .int(Int64(ExitCode(result.ending).rawValue)),
        ])
    }

    /// What the sandbox had to do with an error.
    static func document(_ obstacle: SandboxObstacle) -> JSONValue {
        .members([
            "wish": .string(obstacle.wish.rawValue),
            "path": obstacle.path.map(JSONValue.string),
            "errorNumber": obstacle.errorNumber.map { .int(Int64($0)) },
            "key": .string(obstacle.key),
        ])
    }

    private static func document(_ intent: RunResult.FollowUp) -> JSONValue {
        .object(["intent": .string(intent.intent), "values": .object(intent.values.mapValues(ValueText.document))])
    }

    static func document(_ exit: WorkerExit) -> JSONValue {
        switch exit {
        case .exited(let code): .object(["exited": .int(Int64(code))])
        case .signaled(let signal): .object(["signaled": .int(Int64(signal))])
        }
    }
}
