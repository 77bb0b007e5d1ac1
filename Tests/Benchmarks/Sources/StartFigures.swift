import IntentLauncherMessages
import IntentLinux

/// The start of the daemon, and the first requests for a small and a large app.
enum StartFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let apps = (1...100).map { BenchmarkDaemon.App(name: "App\($0)") }
        let small = BenchmarkDaemon.App(name: "Small")
        let large = BenchmarkDaemon.App(name: "Large", isLarge: true)
        var many = Samples(), none = Samples()
        var ofSmall = FirstCalls(), ofLarge = FirstCalls()
        for _ in 0..<workbench.options.count(10, quick: 4) {
            many.append(nanoseconds: try BenchmarkDaemon(workbench.programs, apps: apps).startNanoseconds)
            none.append(nanoseconds: try BenchmarkDaemon(workbench.programs, apps: []).startNanoseconds)
            let daemon = try BenchmarkDaemon(workbench.programs, apps: [small, large])
            try ofSmall.measure("Small", intent: "Answer", daemon)
            try ofLarge.measure("Large", intent: "I200", daemon)
        }
        return [
            Figure("start", "start, 100 apps → first answer", .milliseconds, many, goals: [.atMost(.p50, 100)]),
            Figure("start", "start, no apps → first answer", .milliseconds, none),
            Figure("start", "catalogue of an app, 6 intents", .milliseconds, ofSmall.catalogues),
            Figure("start", "catalogue of an app, 200 intents", .milliseconds, ofLarge.catalogues),
            Figure("start", "its first run, 6 intents", .milliseconds, ofSmall.runs),
            Figure("start", "its first run, 200 intents", .milliseconds, ofLarge.runs),
        ]
    }
}

/// The first requests for an app.
private struct FirstCalls {
    var catalogues = Samples()
    /// The first runs, including the start of the fork server.
    var runs = Samples()

    mutating func measure(_ app: String, intent: String, _ daemon: BenchmarkDaemon) throws {
        let client = try daemon.connect()
        let begin = ClockReading.monotonicNanoseconds()
        guard case .app(_) = try client.ask(.describe(app: app)) else {
            throw BenchmarkError("\(app) has no catalogue")
        }
        catalogues.append(nanoseconds: ClockReading.monotonicNanoseconds() - begin)
        var request = try PreparedPerform(app: app, intent: intent, values: ["number": .int(1)])
        runs.append(nanoseconds: try client.perform(&request))
    }
}
