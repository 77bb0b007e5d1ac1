import Glibc
import IntentLauncherMessages
import IntentLinux

/// The cost of each further user of an app, with a sandbox and a fork server per user.
enum UserFigures {
    /// The first of a range of uids that no distribution assigns.
    private static let firstUser: UInt32 = 42_500

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard getuid() == 0 else { throw BenchmarkError("needs root to act as two users") }
        var first = Samples(), second = Samples(), memory = Samples()
        for _ in 0..<workbench.options.count(10, quick: 4) {
            let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
            try daemon.admitEverybody()
            // Describes the app before its first run.
            _ = try daemon.connect().ask(.describe(app: "Plain"))
            first.append(nanoseconds: try run(of: firstUser, on: daemon))
            let before = Set(daemon.family.map(\.number))
            second.append(nanoseconds: try run(of: firstUser + 1, on: daemon))
            memory.append(try privateMegabytes(of: daemon.family.filter { !before.contains($0.number) }))
        }
        let (processCount, all) = try manyUsers(200, workbench)
        return [
            Figure("users", "an app's first run, first user", .milliseconds, first),
            Figure("users", "an app's first run, second user", .milliseconds, second),
            Figure(
                "users",
                "second user over first, p50",
                .ratio,
                value: ratio(second, first),
                goals: [.atMost(.p50, 2)]
            ),
            Figure("users", "private memory of a second user of an app", .megabytes, memory, goals: [.atMost(.p50, 4)]),
            Figure(
                "users",
                "private memory, 200 users of one app (\(processCount) processes)",
                .megabytes,
                value: all,
                goals: [.atMost(.p50, 1024)]
            ),
        ]
    }

    /// Performs a run for each of many users, and returns the number and private memory of all processes that remain.
    private static func manyUsers(_ count: UInt32, _ workbench: Workbench) throws -> (processCount: Int, Double) {
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
        try daemon.admitEverybody()
        for number in 0..<count { _ = try run(of: firstUser + number, on: daemon) }
        let family = daemon.family
        let own = ProcessTable.Entry(number: daemon.number, parent: getpid(), name: "intentd")
        return (family.count + 1, try privateMegabytes(of: family + [own]))
    }

    /// Measures one run of a user on a connection of their own.
    private static func run(of user: UInt32, on daemon: BenchmarkDaemon) throws -> Int64 {
        // The kernel reports the effective ids at the time of the connect(2) to the peer (unix(7)).
        try syscall("seteuid") { seteuid(user) }
        let connected = Result { try daemon.connect() }
        try syscall("seteuid") { seteuid(0) }
        let client = try connected.get()
        var request = try PreparedPerform.trivial(app: "Plain")
        return try client.perform(&request)
    }

    private static func privateMegabytes(of family: [ProcessTable.Entry]) throws -> Double {
        // A process that has exited meanwhile is skipped.
        family.compactMap { ProcessTable.megabytes("Private_Dirty", in: "smaps_rollup", of: $0.number) }.reduce(0, +)
    }

    private static func ratio(_ above: Samples, _ below: Samples) -> Double? {
        guard let above = above.summary, let below = below.summary else { return nil }
        return above.p50 / below.p50
    }
}
