import Glibc
import IntentLauncherMessages
import IntentLinux

/// Shortcuts: a chain of steps, many items, and many that wait.
enum ShortcutFigures {
    private static let waitingCount = 10_000

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        try chain(workbench) + waiting(workbench)
    }

    private static let files: [String: [String]] = [
        "Ten": ["[Shortcut Ten]", "Result=%{s10}"]
            + (1...10).flatMap { number in
                [
                    "[Step s\(number)]", "Intent=Plain/Answer",
                    "Values=number=\(number == 1 ? "1" : "%{s\(number - 1)}")",
                ]
            },
        "Many": [
            "[Shortcut Many]", "[Shortcut Many.Parameter items]", "Type=integer", "List=yes", "[Step each]",
            "ForEach=%{items}", "Parallel=16", "Intent=Plain/Answer", "Values=number=%{item}",
        ],
        "Waiting": ["[Shortcut Waiting]", "[Step pause]", "Wait=1h"],
    ]

    private static func chain(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain], shortcuts: files)
        let client = try daemon.connect()
        var single = try PreparedPerform.trivial(app: "Plain")
        var ten = try PreparedPerform(app: "Ten", intent: "Ten")
        var many = try PreparedPerform(
            app: "Many",
            intent: "Many",
            values: ["items": .array((1...1000).map { .int(Int64($0)) })]
        )
        _ = try SubmitFigures.calls(20, &single, on: client)
        _ = try SubmitFigures.calls(3, &ten, on: client)
        let peers = PeerGroup([.dbos, .celery], options)
        // As much time for each run as between two calls of `submit`.
        let pause = 10 * Pause.betweenCalls
        var singles = Samples(), rows = Samples(), chains = Samples(), items = Samples()
        for _ in 0..<options.count(20, quick: 6) {
            singles += try SubmitFigures.calls(20, &single, on: client)
            for _ in 0..<10 {
                usleep(pause)
                let begin = ClockReading.monotonicNanoseconds()
                for _ in 0..<10 { _ = try client.perform(&single) }
                rows.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
                chains += try SubmitFigures.calls(1, &ten, on: client, pauseMicroseconds: pause)
            }
            peers.measure("chain 5")
        }
        for _ in 0..<options.count(5, quick: 2) { items.append(nanoseconds: try client.perform(&many)) }
        let goals = singles.summary.map { [Goal.atMost(.p50, 10 * $0.p50 + 1)] } ?? []
        // Runs in a row take longer than runs with pauses, also for a client: their processes are made meanwhile.
        let more = rows.summary.flatMap { rows in chains.summary.map { $0.p50 - rows.p50 } }
        return [
            Figure("shortcut", "a chain of ten trivial steps", .milliseconds, chains, goals: goals)
                .beside([Comparison("submit", singles), Comparison("ten in a row", rows)], peers: peers.comparisons()),
            Figure(
                "shortcut",
                "a chain, beyond ten calls of a client in a row",
                .milliseconds,
                value: more,
                goals: [.atMost(.p50, 1)]
            ),
            Figure("shortcut", "1,000 items, 16 at a time", .milliseconds, items),
        ]
    }

    /// Requests shortcuts that wait.
    private static func begin(_ count: Int, on client: DaemonConnection) throws {
        var request = try PreparedPerform(app: "Waiting", intent: "Waiting")
        for number in 0..<count {
            let id = request.renew()
            try client.send(request.frame)
            // Let only some requests wait at a time, like a client that reads its answers.
            guard number % 16 == 15 else { continue }
            while true {
                guard case .answer(id, let answer) = try client.nextMessage() else { continue }
                if case .refused(let report) = answer { throw BenchmarkError("intentd refuses: \(report.message)") }
                break
            }
        }
    }

    /// The cost of shortcuts that wait for a time.
    private static func waiting(_ workbench: Workbench) throws -> [Figure] {
        // Without apps, so that no timer of a fork server is armed.
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [], shortcuts: files)
        let client = try daemon.connect()
        try begin(16, on: client)
        sleep(3)
        let before = ProcessTable.megabytes("VmRSS", in: "status", of: daemon.number)
        try begin(waitingCount, on: client)
        // intentd writes the last records, updates its status line a second after the last change, and moves the timer of the
        // client's connection ten seconds after the client has connected.
        sleep(8)
        let after = ProcessTable.megabytes("VmRSS", in: "status", of: daemon.number)
        let waits = ProcessTable.waits(of: daemon.number)
        let seconds = workbench.options.count(10, quick: 5)
        sleep(UInt32(seconds))
        let wakeUps = waits.flatMap { first in
            ProcessTable.waits(of: daemon.number).map { Double($0 - first) * 10 / Double(seconds) }
        }
        let growth = after.flatMap { after in before.map { after - $0 } }
        return [
            Figure(
                "shortcut",
                "memory of 10,000 waiting shortcuts",
                .megabytes,
                value: growth,
                goals: [.atMost(.p50, 40)]
            ),
            Figure(
                "shortcut",
                "wake-ups with 10,000 waiting shortcuts",
                .wakeUps,
                value: wakeUps,
                goals: [.atMost(.p50, 0)]
            ),
        ]
    }
}
