import IntentHistory
import IntentLauncherMessages
import IntentLifecycle

/// Counts and durations of the runs since intentd started, computed from the runs' records. A value type that performs
/// no I/O.
struct RunMetrics {
    private struct Name: Hashable, Comparable {
        var app: String
        var intent: String

        static func < (left: Self, right: Self) -> Bool { (left.app, left.intent) < (right.app, right.intent) }
    }

    private struct Live {
        var name: Name
        var accepted: Int64
        var started: Int64?
        var cancelRequested: Int64?
        var stoppingSince: Int64?
        var hasBeenSignalled = false
    }

    private struct Outcome: Hashable, Comparable {
        var name: Name
        var kind: String

        static func < (left: Self, right: Self) -> Bool { (left.name, left.kind) < (right.name, right.kind) }
    }

    private var live: [RunID: Live] = [:]
    private var outcomes: [Outcome: Int64] = [:]
    private var runTimes: [Name: Histogram] = [:]
    private var queueTimes = Histogram(upperBounds: [0.001, 0.01, 0.1, 1, 10, 60])
    private var cancelTimes = Histogram(upperBounds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30])
    private var graceTimes = Histogram(upperBounds: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30])
    private var overshoots = Histogram(upperBounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.1, 1])
    private var signals: [StopSignal: Int64] = [:]
    /// The number of launches, by purpose: `run`, `spare` or `describe`.
    private var launches: [String: Int64] = [:]
    /// The use of all hosts, by app.
    private var hosts: [String: HostUse] = [:]
    private var refusedCount: Int64 = 0
    private var adoptedCount: Int64 = 0
    var unrecordedOutputByteCount: Int64 = 0

    mutating func count(_ record: RunRecord, at nanoseconds: Int64) {
        let run = record.run
        switch record.fact {
        case .accepted(let accepted):
            live[run] = Live(name: Name(app: accepted.app.text, intent: accepted.intent), accepted: nanoseconds)
        case .state(.starting, _, _):
            guard let accepted = live[run]?.accepted else { return }
            live[run]?.started = nanoseconds
            queueTimes.observe(nanoseconds - accepted)
        case .state(.stopping, _, _): live[run]?.stoppingSince = nanoseconds
        case .cancelRequested: if live[run]?.cancelRequested == nil { live[run]?.cancelRequested = nanoseconds }
        case .signalled(let signal):
            signals[signal, default: 0] += 1
            if let stoppingSince = live[run]?.stoppingSince, live[run]?.hasBeenSignalled == false {
                graceTimes.observe(nanoseconds - stoppingSince)
            }
            live[run]?.hasBeenSignalled = true
        case .ended(let end):
            guard let entry = live[run] else { return }
            outcomes[Outcome(name: entry.name, kind: end.outcome.kindName), default: 0] += 1
            for use in end.account.details?.hosts ?? [] {
                hosts[entry.name.app, default: HostUse(host: "")].add(use)
            }
            if let started = entry.started {
                runTimes[entry.name, default: Self.runTime].observe(nanoseconds - started)
            }
            if let stoppingSince = entry.stoppingSince, !entry.hasBeenSignalled {
                graceTimes.observe(nanoseconds - stoppingSince)
            }
        case .exited:
            guard let entry = live.removeValue(forKey: run) else { return }
            if let asked = entry.cancelRequested { cancelTimes.observe(nanoseconds - asked) }
        case .state, .asked, .answered, .observed, .sampled, .printed, .leftOut, .stored: break
        }
    }

    /// Counts an adopted run. A run with a recorded end is not counted as adopted, because only its exit status is
    /// missing.
    mutating func adopt(_ run: UnfinishedRun, at nanoseconds: Int64) {
        count(RunRecord(run.run, .accepted(run.accepted)), at: nanoseconds)
        if run.end == nil { adoptedCount += 1 }
    }

    /// Counts a refused run: intentd accepted the run, but could not record it.
    mutating func withdraw(_ run: RunID) {
        live[run] = nil
        refusedCount += 1
    }

    mutating func launched(_ request: LaunchRequest) {
        let kind =
            switch (request.mode, request.run) {
            case (.once, nil): "spare"
            case (.once, _): "run"
            case (.describe, _), (.serve, _): "describe"
            }
        launches[kind, default: 0] += 1
    }

    /// Records how long after its deadline a limit was enforced.
    mutating func overshot(nanoseconds: Int64) { overshoots.observe(max(0, nanoseconds)) }

    private static let runTime = Histogram(upperBounds: [0.01, 0.1, 1, 10, 60, 600, 3600, 86_400])

    // MARK: Text

    /// Current values that other parts of the supervisor provide.
    struct Gauges {
        var load: RunTable.Load
        var spareCount: Int
        var clientCount: Int
        /// True if the history can record runs; nil without a history.
        var canRecord: Bool?
        var schedules: [Notifications.Row] = []
        var undeliveredCount = 0
    }

    /// Returns the metrics as OpenMetrics 1.0 text (prometheus.io/docs/specs/om).
    func text(_ gauges: Gauges) -> String {
        var text = OpenMetricsText()
        text.begin("intentd_runs", .counter, "Runs that ended, by outcome.")
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
            let labels = [("app", outcome.name.app), ("intent", outcome.name.intent), ("outcome", outcome.kind)]
            text.sample("_total", labels, count)
        }
        text.begin("intentd_runs_live", .gauge, "Runs that have not ended, by state.")
        text.sample("", [("state", "running")], Int64(gauges.load.runningCount))
        text.sample("", [("state", "queued")], Int64(gauges.load.queuedCount))
        text.sample("", [("state", "asking")], Int64(gauges.load.waitingCount))
        text.begin("intentd_queue_seconds", .histogram, "Time from a run's acceptance until it gets a slot.")
        text.histogram(queueTimes)
        text.begin("intentd_run_seconds", .histogram, "Time from the assignment of a slot to the run's outcome.")
        for (name, times) in runTimes.sorted(by: { $0.key < $1.key }) {
            text.histogram(times, [("app", name.app), ("intent", name.intent)])
        }
        text.begin("intentd_cancel_seconds", .histogram, "Time from a cancel request to the exit of all processes.")
        text.histogram(cancelTimes)
        text.begin(
            "intentd_grace_seconds",
            .histogram,
            "Time from the stop command to the end of the run or the first signal."
        )
        text.histogram(graceTimes)
        text.begin("intentd_overshoot_seconds", .histogram, "Time between a limit and its enforcement.")
        text.histogram(overshoots)
        text.begin("intentd_signals", .counter, "Signals sent to end runs.")
        for (signal, count) in signals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.sample("_total", [("signal", signal.rawValue)], count)
        }
        text.begin("intentd_launches", .counter, "Worker processes requested, by purpose.")
        for (kind, count) in launches.sorted(by: { $0.key < $1.key }) {
            text.sample("_total", [("purpose", kind)], count)
        }
        for (name, help, value) in [
            ("intentd_connections", "Connections to hosts of AllowHosts=.", { Int64($0.connectionCount) }),
            ("intentd_sent_bytes", "Bytes sent to hosts of AllowHosts=.", { $0.sentByteCount }),
            ("intentd_received_bytes", "Bytes received from hosts of AllowHosts=.", { $0.receivedByteCount }),
            ("intentd_refused_connections", "Refused connections and look-ups.", { Int64($0.refusedCount) }),
        ] as [(String, String, (HostUse) -> Int64)] {
            text.begin(name, .counter, help)
            for (app, use) in hosts.sorted(by: { $0.key < $1.key }) {
                text.sample("_total", [("app", app)], value(use))
            }
        }
        text.begin("intentd_spare_workers", .gauge, "Workers waiting for a run.")
        text.sample("", [], Int64(gauges.spareCount))
        text.begin("intentd_undelivered_notifications", .gauge, "Notifications that are repeated until they succeed.")
        text.sample("", [], Int64(gauges.undeliveredCount))
        for (name, help, value) in [
            (
                "intentd_schedule_last_success_timestamp_seconds", "Time of a schedule's last success, since 1970.",
                { $0.lastSuccess.map { $0 / 1_000_000_000 } }
            ),
            (
                "intentd_schedule_last_duration_milliseconds", "Time from acceptance to end of a schedule's last run.",
                { $0.lastMilliseconds }
            ),
            (
                "intentd_schedule_failures", "Failures of a schedule since its last success.",
                { Int64($0.failures) }
            ),
        ] as [(String, String, (Notifications.Row) -> Int64?)] {
            text.begin(name, .gauge, help)
            for row in gauges.schedules {
                guard let value = value(row), let schedule = row.series.schedule else { continue }
                let user = row.series.account.isEmpty ? "\(row.series.uid)" : row.series.account
                let intent = [("app", row.series.app.text), ("intent", row.series.intent)]
                text.sample("", [("schedule", schedule), ("user", user)] + intent, value)
            }
        }
        text.begin("intentd_clients", .gauge, "Connected clients.")
        text.sample("", [], Int64(gauges.clientCount))
        text.begin("intentd_adopted_runs", .counter, "Runs that were adopted from an earlier intentd.")
        text.sample("_total", [], adoptedCount)
        text.begin("intentd_unrecorded_runs", .counter, "Runs that were refused because they could not be recorded.")
        text.sample("_total", [], refusedCount)
        text.begin("intentd_unrecorded_output_bytes", .counter, "Bytes of run output that were not recorded.")
        text.sample("_total", [], unrecordedOutputByteCount)
        if let canRecord = gauges.canRecord {
            text.begin("intentd_history_up", .gauge, "1 if runs can be recorded, otherwise 0.")
            text.sample("", [], canRecord ? 1 : 0)
        }
        return text.finish()
    }
}

/// A histogram of durations. Each bucket has an upper bound, in seconds.
struct Histogram {
    let upperBounds: [Double]
    /// The number of durations in each bucket. The last element counts the durations above all bounds.
    private(set) var counts: [Int64]
    private(set) var sumNanoseconds: Int64 = 0

    init(upperBounds: [Double]) {
        self.upperBounds = upperBounds
        counts = Array(repeating: 0, count: upperBounds.count + 1)
    }

    var count: Int64 { counts.reduce(0, +) }

    mutating func observe(_ nanoseconds: Int64) {
        let seconds = Double(nanoseconds) / 1e9
        counts[upperBounds.firstIndex { seconds <= $0 } ?? upperBounds.count] += 1
        let (sum, overflow) = sumNanoseconds.addingReportingOverflow(nanoseconds)
        sumNanoseconds = overflow ? .max : sum
    }
}
