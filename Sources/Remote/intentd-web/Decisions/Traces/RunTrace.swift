package import IntentCommandLine
import IntentHash
package import IntentProtocol

/// The spans of a run that has ended, in the JSON of OTLP (opentelemetry.io/docs/specs/otlp), from what history has recorded.
///
/// The identifiers are digests of the run, so that spans that are sent again replace earlier ones, and a run can refer to
/// another one without its record. No value, message or question of the run is part of a span.
package enum RunTrace {
    /// The maximum number of spans of a run below its first one.
    private static let partLimit = 256
    private static let (kindInternal, kindServer, statusError): (Int64, Int64, Int64) = (1, 2, 2)

    /// Returns the spans; none for a run that has not ended, or if its caller does not sample its trace.
    ///
    /// - Parameter retried: The run that this run retries, if it is recorded.
    package static func spans(of story: RunStory, retrying retried: RunStory?) -> [JSONValue] {
        let run = story.summary
        guard let end = story.end, isSampled(story.traceparent) else { return [] }
        let (trace, root) = (traceID(of: story), spanID(of: run.run))
        let last = max(end.after, story.changes.last?.after ?? .zero, story.exit?.after ?? .zero)
        let parent = parts(of: story.traceparent).map { $0[2] } ?? run.step.map { spanID(of: $0.shortcut) }
        var attributes: [(String, JSONValue?)] = [
            ("intentd.run", .string(run.run.text)), ("intentd.app", .string(run.app)),
            ("intentd.intent", .string(run.intent)), ("intentd.outcome", run.outcome.map { .string($0) }),
            ("intentd.reason", run.reason.map { .string($0.name) }),
            ("intentd.entry_point", .string(run.entryPoint.rawValue)),
            ("enduser.id", .string(run.userName ?? "\(run.user)")),
            ("process.exit.code", run.exitCode.map { .int(Int64($0)) }),
        ]
        if let step = run.step {
            attributes += [("intentd.step", .string(step.name)), ("intentd.attempt", .int(Int64(step.attempt)))]
        }
        let link: JSONValue? = story.retryOf.map { earlier in
            let earlierTrace = retried.map(traceID) ?? self.traceID(of: earlier)
            return ["traceId": .string(earlierTrace), "spanId": .string(spanID(of: earlier))]
        }
        let first = JSONValue.members([
            "traceId": .string(trace), "spanId": .string(root), "parentSpanId": parent.map { .string($0) },
            "name": .string("\(run.app)/\(run.intent)"),
            "kind": .int(story.traceparent == nil ? kindInternal : kindServer),
            "startTimeUnixNano": time(.zero, story), "endTimeUnixNano": time(last, story),
            "attributes": .array(attributes.compactMap { name, value in value.map { attribute(name, $0) } }),
            "events": .array(events(of: story)), "links": link.map { .array([$0]) },
            "status": run.isFailure ? ["code": .int(statusError), "message": .string(run.outcome ?? "")] : nil,
        ])
        return [first] + phases(of: story, until: last, trace, root)
    }

    /// Returns the body of a request with spans.
    package static func request(_ spans: [JSONValue], host: String, version: String) -> JSONValue {
        let resource: JSONValue = [
            "attributes": [
                attribute("service.name", "intentd"), attribute("service.version", .string(version)),
                attribute("host.name", .string(host)),
            ]
        ]
        let scope: JSONValue = ["name": "intentd", "version": .string(version)]
        return ["resourceSpans": [["resource": resource, "scopeSpans": [["scope": scope, "spans": .array(spans)]]]]]
    }

    // MARK: Parts

    /// Returns a span for each state of the run.
    private static func phases(
        of story: RunStory,
        until last: Duration,
        _ trace: String,
        _ root: String
    ) -> [JSONValue] {
        var states: [(name: String, start: Duration)] = [("backlog", .zero)]
        for change in story.changes {
            guard case .state(let state, _, _) = change.event else { continue }
            let name =
                switch state {
                case .queued: "backlog"
                case .starting: "start"
                case .running: "run"
                case .asking: "question"
                case .stopping: "stop"
                case .unknown(let text): text
                }
            if states.last?.name == name { continue }
            states.append((name, max(change.after, states.last?.start ?? .zero)))
        }
        return states.indices.prefix(partLimit).map { index in
            let end = index + 1 < states.count ? states[index + 1].start : last
            return [
                "traceId": .string(trace), "spanId": .string(spanID(of: story.summary.run, part: index)),
                "parentSpanId": .string(root), "name": .string(states[index].name), "kind": .int(kindInternal),
                "startTimeUnixNano": time(states[index].start, story), "endTimeUnixNano": time(end, story),
            ]
        }
    }

    /// Returns what happened at one instant: signals, answers and cancellations.
    private static func events(of story: RunStory) -> [JSONValue] {
        Array(
            story.changes.lazy.compactMap { change -> JSONValue? in
                let name: String
                switch change.event {
                case .answer: name = "answer"
                case .cancel: name = "cancel"
                case .signal: name = "signal"
                case .state, .question, .observation, .usage, .unknown: return nil
                }
                return ["timeUnixNano": time(change.after, story), "name": .string(name)]
            }.prefix(partLimit)
        )
    }

    private static func attribute(_ name: String, _ value: JSONValue) -> JSONValue {
        if case .int(let number) = value { return ["key": .string(name), "value": ["intValue": .string("\(number)")]] }
        return ["key": .string(name), "value": ["stringValue": value]]
    }

    /// The time at which the run was accepted, and a time by the monotonic clock since then.
    private static func time(_ after: Duration, _ story: RunStory) -> JSONValue {
        let accepted = max(0, story.summary.accepted.millisecondsSince1970)
        return .string("\(accepted * 1_000_000 + max(0, after.wholeMilliseconds) * 1_000_000)")
    }

    /// Returns the four parts of a valid `traceparent`.
    private static func parts(of traceparent: String?) -> [String]? {
        guard let traceparent, TraceContext.isValid(traceparent) else { return nil }
        return Array(traceparent.split(scalar: "-").map(String.init).prefix(4))
    }

    private static func isSampled(_ traceparent: String?) -> Bool {
        parts(of: traceparent).map { UInt8($0[3], radix: 16).map { $0 & 1 == 1 } ?? false } ?? true
    }

    private static func traceID(of story: RunStory) -> String {
        parts(of: story.traceparent).map { $0[1] } ?? traceID(of: story.summary.step?.shortcut ?? story.summary.run)
    }

    private static func traceID(of run: RunID) -> String { digest("trace \(run)", count: 32) }

    private static func spanID(of run: RunID, part: Int? = nil) -> String {
        digest("span \(run)" + (part.map { " \($0)" } ?? ""), count: 16)
    }

    private static func digest(_ text: String, count: Int) -> String {
        String(SHA256.hexadecimal(of: "intentd \(text)".utf8).prefix(scalars: count))
    }
}
