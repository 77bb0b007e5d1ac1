package import IntentClient

/// Runs as JSON: the protocol's own types, on one level where the protocol has several.
package enum RunDocument {
    /// The end of a run.
    ///
    /// - Parameter value: The result as it was printed or written; nil when there is none.
    package static func of(_ result: RunResult, value: JSONValue?) -> JSONValue {
        .object(members(of: result.end)).adding(["value": value])
    }

    /// A run on record, on one line.
    package static func of(_ run: RecordedRun) -> JSONValue {
        var members = JSONValue(run).members
        // The exit status of the run's process, in the words of a run's end.
        members["processEnd"] = run.processEnd.map { JSONValue($0) }
        members["exitCode"] = nil
        members["exitSignal"] = nil
        members["state"] = .string(run.state?.rawValue ?? "ended")
        members["peakMemoryBytes"] = (run.usage?.peakMemoryByteCount).map(JSONValue.int)
        return .object(members)
    }

    /// A run with all that is on record of it.
    package static func of(_ story: RunStory) -> JSONValue {
        var members = JSONValue(story).members
        for key in ["summary", "end", "departure", "values", "secretNames", "software", "printedByteCount"] {
            members[key] = nil
        }
        members.merge(of(story.summary).members) { $1 }
        if let end = story.runEnd { members.merge(Self.members(of: end)) { $1 } }
        if let end = story.end {
            if case .done(let value?, _) = end.outcome { members["value"] = ValueText.document(value) }
            members["clock"] = end.clock.map { .string($0.rawValue) }
            members["progress"] = end.progress.map { progress in
                JSONValue(progress).adding([
                    "ageMilliseconds": (end.progressAge?.milliseconds).map(JSONValue.int),
                    "advanceAgeMilliseconds": (end.advanceAge?.milliseconds).map(JSONValue.int),
                ])
            }
        }
        members["changes"] = .array(story.changes.map(change))
        members["client"] = .string(story.software)
        members["goneMilliseconds"] = (story.departure?.after.milliseconds).map(JSONValue.int)
        members["parameters"] = .object(story.values.mapValues(ValueText.document))
        members["printedBytes"] = .int(story.printedByteCount)
        members["secretParameters"] = .array(story.secretNames.map(JSONValue.string))
        return .object(members)
    }

    /// The outcome, what it took and what came beside it, without the value.
    private static func members(of end: RunEnd) -> [String: JSONValue] {
        var members = JSONValue(end.account).members
        members["details"] = nil
        if let details = end.account.details {
            members.merge(JSONValue(details).members) { $1 }
            members["sandbox"] = members.removeValue(forKey: "denial")
        }
        members.merge(JSONValue(end.outcome).members) { $1 }
        members["outcome"] = members.removeValue(forKey: "kind")
        members["value"] = nil
        if case .crashed(let exit) = end.outcome {
            members["end"] = nil
            members["processEnd"] = JSONValue(exit)
        }
        members["run"] = .string(end.run.text)
        members["exitCode"] = .int(Int64(ExitCode(end.outcome).rawValue))
        return members
    }

    private static func change(_ change: RecordedChange) -> JSONValue {
        var members = JSONValue(change.event).members
        members["kind"] = members.removeValue(forKey: "type")
        members["client"] = members.removeValue(forKey: "software")
        switch change.event {
        case .question(let question): members.merge(JSONValue(question).members) { $1 }
        case .observation(let seen): members.merge(JSONValue(seen).members) { $1 }
        case .state, .answer, .cancel, .signal: break
        }
        members["observation"] = nil
        if case .question = change.event { members["kind"] = .string("question") }
        members["atMilliseconds"] = .int(change.time.millisecondsSince1970)
        members["afterMilliseconds"] = .int(change.after.milliseconds)
        return .object(members)
    }
}
