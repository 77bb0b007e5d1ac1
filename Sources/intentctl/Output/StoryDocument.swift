package import IntentClient

/// One run on record as JSON. The keys are a promise: they are listed in `intentctl help show`.
package enum StoryDocument {
    package static func of(_ story: RunStory) -> JSONValue {
        guard case .object(var members) = HistoryText.document(story.summary) else {
            preconditionFailure("a run's document is an object")
        }
        let more: KeyValuePairs<String, JSONValue?> = [
            "process": .int(Int64(story.process)),
            "client": .string(story.software),
            "key": story.key.map(JSONValue.string),
            "retryOf": story.retryOf.map(JSONValue.string),
            "traceparent": story.traceparent.map(JSONValue.string),
            "parameters": .object(story.values.mapValues(value)),
            "secretParameters": .array(story.secretNames.map(JSONValue.string)),
            "limits": limits(story.limits),
            "changes": .array(story.changes.map(change)),
            "value": story.end?.value.map(value),
            "dialog": dialog(story.end?.result.ending).map(JSONValue.string),
            "clock": (story.end?.clock).map(JSONValue.string),
            "progress": story.end.flatMap(progress),
            "signals": .array((story.end?.result.signals ?? []).map(JSONValue.string)),
            "leftoverProcessCount": story.end.map { .int(Int64($0.result.leftoverProcessCount)) },
            "hadLateResult": story.end.map { .bool($0.result.hadLateResult) },
            "sandbox": (story.end?.result.obstacle).map(RunDocument.document),
            "goneMilliseconds": story.departure.map { .milliseconds($0.after) },
            "printedBytes": .int(story.printedByteCount),
            "exitCode": story.end.map { .int(Int64(ExitCode($0.result.ending).rawValue)) },
        ]
        for case (let key, let value?) in more { members[key] = value }
        return .object(members)
    }

    static func value(_ value: RecordedValue) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(Self.value))
        case .object(let members): .object(members.mapValues(Self.value))
        case .file(let name): .object(["file": .string(name)])
        }
    }

    private static func dialog(_ ending: RunEnding?) -> String? {
        if case .done(_, let dialog)? = ending { return dialog }
        return nil
    }

    private static func limits(_ limits: RunStory.Limits) -> JSONValue {
        .members([
            "runtimeMilliseconds": .milliseconds(limits.runtime),
            "ceilingMilliseconds": .milliseconds(limits.ceiling),
            "longCeilingMilliseconds": .milliseconds(limits.longCeiling),
            "graceMilliseconds": .milliseconds(limits.grace),
            "graceCancellableMilliseconds": .milliseconds(limits.graceCancellable),
            "killDelayMilliseconds": .milliseconds(limits.killDelay),
            "questionMilliseconds": .milliseconds(limits.question),
            "queueMilliseconds": .milliseconds(limits.queue),
        ])
    }

    private static func progress(_ end: RunStory.End) -> JSONValue? {
        end.progress.map { progress in
            .members([
                "completedUnitCount": .int(progress.completedUnitCount),
                "totalUnitCount": .int(progress.totalUnitCount),
                "fraction": .double(progress.fraction),
                "title": progress.title.map(JSONValue.string),
                "detail": progress.detail.map(JSONValue.string),
                "ageMilliseconds": end.progressAge.map(JSONValue.milliseconds),
                "advanceAgeMilliseconds": end.advanceAge.map(JSONValue.milliseconds),
            ])
        }
    }

    private static func change(_ change: RunStory.Change) -> JSONValue {
        let time: KeyValuePairs<String, JSONValue?> = [
            "atMilliseconds": .int(change.wallMilliseconds),
            "afterMilliseconds": .milliseconds(change.after),
        ]
        let event: KeyValuePairs<String, JSONValue?> =
            switch change.event {
            case .phase(let phase, let reason):
                [
                    "kind": .string("state"), "state": .string(phase.rawValue),
                    "reason": reason.map { .string($0.name) },
                ]
            case .question(let text, let parameter):
                ["kind": .string("question"), "text": .string(text), "parameter": parameter.map(JSONValue.string)]
            case .answer(let answer):
                [
                    "kind": .string("answer"), "question": .int(Int64(answer.question)),
                    "user": answer.user.map { .int(Int64($0)) }, "process": answer.process.map { .int(Int64($0)) },
                    "client": .string(answer.software), "isInAdvance": answer.isInAdvance ? .bool(true) : nil,
                    "value": answer.value.map(value),
                ]
            case .cancel(let user, let process, let software):
                [
                    "kind": .string("cancel"), "user": .int(Int64(user)), "process": .int(Int64(process)),
                    "client": .string(software),
                ]
            case .signal(let name): ["kind": .string("signal"), "signal": .string(name)]
            case .observation(let threads, let omitted):
                [
                    "kind": .string("observation"), "threads": .array(threads.map(thread)),
                    "omittedThreadCount": .int(Int64(omitted)),
                ]
            }
        var members: [String: JSONValue] = [:]
        for case (let key, let value?) in Array(time) + Array(event) { members[key] = value }
        return .object(members)
    }

    private static func thread(_ thread: RunStory.ObservedThread) -> JSONValue {
        .members([
            "name": .string(thread.name),
            "state": .string(thread.state),
            "waitChannel": thread.waitChannel.map(JSONValue.string),
            "processorMilliseconds": .milliseconds(thread.processorTime),
        ])
    }
}
