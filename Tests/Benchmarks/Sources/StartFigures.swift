/// From the start of the program to its answer to the first client.
enum StartFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let apps = (1...100).map { BenchmarkDaemon.App(name: "App\($0)") }
        var many = Samples(), none = Samples()
        for _ in 0..<workbench.options.count(10, quick: 4) {
            many.append(nanoseconds: try BenchmarkDaemon(workbench.programs, apps: apps).startNanoseconds)
            none.append(nanoseconds: try BenchmarkDaemon(workbench.programs, apps: []).startNanoseconds)
        }
        return [
            Figure("start", "start, 100 apps → first answer", .milliseconds, many, goals: [.atMost(.p50, 100)]),
            Figure("start", "start, no apps → first answer", .milliseconds, none),
        ]
    }
}
