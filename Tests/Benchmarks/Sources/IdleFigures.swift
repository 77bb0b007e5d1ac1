import Glibc

/// The cost of idle processes: memory and wake-ups.
enum IdleFigures {
    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let options = workbench.options
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
        do {
            let client = try daemon.connect()
            var request = try PreparedPerform.trivial(app: "Plain")
            _ = try SubmitFigures.calls(20, &request, on: client)
        }
        let peers = PeerGroup([.celery, .rq], options)
        // intentd updates its status line for systemd a second after the last change.
        sleep(3)
        let family = daemon.family
        let roles: [(title: String, processes: [Int32])] = [
            ("intentd", [daemon.number]),
            ("launcher", named("intentd-launche", in: family)), ("init", named("intentd-init", in: family)),
            ("fork server", named("intentd-fork", in: family)), ("spare worker", named("intentd-spare", in: family)),
        ]
        peers.measure("memory")
        let memory = roles.map { role in
            Samples(role.processes.compactMap { ProcessTable.megabytes("Private_Dirty", in: "smaps_rollup", of: $0) })
        }
        let resident = ProcessTable.megabytes("VmRSS", in: "status", of: daemon.number)
        let wakeUps = try countWakeUps(roles.map(\.processes), seconds: options.count(10, quick: 5))
        let compared = peers.comparisons()
        return [
            Figure("idle", "private memory of a spare worker", .megabytes, memory[4], goals: [.atMost(.p50, 0.5)])
                .beside(peers: compared),
            Figure("idle", "private memory of intentd", .megabytes, memory[0], goals: [.atMost(.p50, 15)])
                .beside(peers: compared),
            Figure("idle", "RSS of intentd", .megabytes, value: resident),
            Figure("idle", "private memory of the launcher", .megabytes, memory[1]),
            Figure("idle", "private memory of a fork server", .megabytes, memory[3]),
            Figure("idle", "private memory of an init", .megabytes, memory[2]),
        ]
            + zip(roles, wakeUps).map { role, count in
                Figure("idle", "wake-ups of \(role.title)", .wakeUps, value: count, goals: [.atMost(.p50, 0)])
            }
    }

    private static func named(_ name: String, in family: [ProcessTable.Entry]) -> [Int32] {
        family.filter { $0.name == name }.map(\.number)
    }

    /// For each group of processes, the wake-ups of its busiest process per ten seconds; nil for an empty group.
    private static func countWakeUps(_ groups: [[Int32]], seconds: Int) throws -> [Double?] {
        func waits() -> [[Int?]] { groups.map { $0.map(ProcessTable.waits) } }
        let before = waits()
        sleep(UInt32(seconds))
        return zip(before, waits()).map { before, after in
            zip(before, after)
                .compactMap { pair in
                    if let first = pair.0, let last = pair.1 {
                        Double(last - first) * 10 / Double(seconds)
                    } else {
                        nil
                    }
                }
                .max()
        }
    }
}
