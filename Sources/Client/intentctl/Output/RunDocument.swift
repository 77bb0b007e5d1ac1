/// Formats runs as JSON: the protocol's types, flattened to one level.
package enum RunDocument {
    /// Returns the end of a run as JSON.
    ///
    /// - Parameter value: The value, with a path or a name for each file; nil if the run has no value.
    package static func of(_ result: RunResult, value: JSONValue?) -> JSONValue {
        .object(members(of: result.end)).adding(["value": value])
    }

    /// Returns the summary of a recorded run as JSON.
    package static func of(_ run: RecordedRun) -> JSONValue {
        var members = JSONValue(run).members
        // Encode the exit status in the same form as in the end of a run.
        members["processEnd"] = run.processEnd.map { JSONValue($0) }
        members["exitCode"] = nil
        members["exitSignal"] = nil
        members["state"] = .string(run.state?.rawValue ?? "ended")
        members["sandbox"] = members.removeValue(forKey: "denial")
        members["peakMemoryBytes"] = (run.usage?.peakMemoryByteCount).map(JSONValue.int)
        return .object(members)
    }

    /// Returns the whole record of a run as one flat JSON object, with the members of the run's summary and end.
    package static func of(_ story: RunStory) -> JSONValue {
        var members = JSONValue(story).members
        for key in ["summary", "end", "exit", "values", "secretNames", "software", "printedByteCount"] {
            members[key] = nil
        }
        members.merge(of(story.summary).members) { $1 }
        if let end = story.runEnd { members.merge(Self.members(of: end)) { $1 } }
        if let end = story.end {
            if case .done(let value?, _) = end.outcome { members["value"] = JSONValue(plain: value) }
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
        members["exitedMilliseconds"] = (story.exit?.after.milliseconds).map(JSONValue.int)
        members["parameters"] = .object(story.values.mapValues { JSONValue(plain: $0) })
        members["printedBytes"] = .int(story.printedByteCount)
        members["secretParameters"] = .array(story.secretNames.map(JSONValue.string))
        return .object(members)
    }

    /// Returns the outcome, the account and the details of a run, without the value.
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

    private static func change(_ change: Recorded<RunChange>) -> JSONValue {
        var members = JSONValue(change.event).members
        members["kind"] = members.removeValue(forKey: "type")
        members["client"] = members.removeValue(forKey: "software")
        switch change.event {
        case .question(let question): members.merge(JSONValue(question).members) { $1 }
        case .observation(let seen): members.merge(JSONValue(seen).members) { $1 }
        case .state, .answer, .cancel, .signal, .usage, .unknown: break
        }
        members["observation"] = nil
        if case .question = change.event { members["kind"] = .string("question") }
        members["atMilliseconds"] = .int(change.time.millisecondsSince1970)
        members["afterMilliseconds"] = .int(change.after.milliseconds)
        return .object(members)
    }
}
