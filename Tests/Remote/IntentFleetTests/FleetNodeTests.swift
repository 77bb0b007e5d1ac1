import Foundation
import IntentFleet
import IntentFleetService
import IntentLinux
import IntentProtocol
import IntentSystemd
import TestSupport
import Testing

/// Nodes on a real server: which runs start, and what is recorded of them.
@Suite(
    .ownThread,
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL 15 or later is not installed"),
    .sharedCluster
)
final class FleetNodeTests {
    let loop: EventLoop
    private let limit: EventSource
    private let folder = TemporaryDirectory()
    var starts: [String] = []
    private var watch: EventSource?

    init() throws {
        let loop = try EventLoop()
        self.loop = loop
        // A test that never sees what it waits for ends with this code.
        limit = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 120_000_000_000) { loop.exit(99) }
    }

    @Test func `with two nodes and a server that is killed, every run starts once and has one result`() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.makeDatabase()
        try submit(60, to: database)
        let nodes = try ["web1", "web2"].map { try node($0, database, slots: 3) { $0.succeed($1) } }
        var kills = 0
        try run(
            nodes,
            until: { [self] in
                if kills == 0, starts.count >= 10 {
                    kills = 1
                    try cluster.kill()
                    try cluster.startAgain()
                }
                // A query fails while the server is away.
                return (try? database.sql("operator", "select count(*) from fleet.history where state = 'done'"))
                    == "60"
            }
        )
        #expect(kills == 1)
        #expect(Set(starts).count == starts.count, "a run started twice")
        #expect(starts.count == 60)
        #expect(try database.sql("operator", "select count(*) from fleet.run") == "0")
        #expect(try database.sql("operator", "select count(distinct id) from fleet.history") == "60")
    }

    @Test func `runs that a node submits for itself start once each, although the server is killed meanwhile`() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.makeDatabase()
        let node = try node("web1", database, slots: 3) { $0.succeed($1) }
        var waiting = Set(0..<40)
        var accepted: [Int: String] = [:]
        var isKilled = false
        func submitWaiting() {
            for number in waiting.sorted() {
                let isSent = node.node?.submit(Self.submission(key: "key \(number)")) { result in
                    switch result {
                    case .success(let rows): accepted[number] = rows.first?[0]
                    case .failure(.refused(_, let message)): Issue.record("refused: \(message)")
                    // The key identifies the run.
                    case .failure(.lost): waiting.insert(number)
                    }
                }
                if isSent == true { waiting.remove(number) }
            }
        }
        try run(
            [node],
            until: {
                submitWaiting()
                if !isKilled, accepted.count >= 10 {
                    isKilled = true
                    submitWaiting()
                    try cluster.kill()
                    try cluster.startAgain()
                }
                return (try? database.sql("operator", "select count(*) from fleet.history where state = 'done'"))
                    == "40"
            }
        )
        #expect(isKilled)
        #expect(Set(accepted.values).count == 40)
        #expect(starts.count == 40)
        #expect(Set(starts).count == starts.count, "a run started twice")
        #expect(try database.sql("operator", "select count(*) from fleet.run") == "0")
    }

    @Test func `an end that the database never received is committed by the next process of the node`() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.makeDatabase()
        try submit(1, to: database)
        let first = try node("web1", database) { node, run in
            // The run ends while the database is away.
            do { try cluster.killAll() } catch { Issue.record(error) }
            node.succeed(run)
        }
        // Only an end on the disk survives the process.
        let outbox = try EndOutbox(folder: folder("web1"))
        try run([first], until: { try outbox.ends().count == 1 })
        #expect(starts == ["1/1"])
        try cluster.startAgain()
        #expect(try database.sql("operator", "select count(*) from fleet.history") == "0")
        let loop = try EventLoop()
        let second = try node("web1", database, on: loop) { node, run in node.succeed(run) }
        try run(
            [second],
            on: loop,
            until: {
                try database.sql("service", "select state, attempt from fleet.history") == "done|1"
                    && outbox.ends() == []
            }
        )
        #expect(starts == ["1/1"])
    }

    @Test func `a retryable run of a node that fell silent is performed by another, and the late end is stale`() throws
    {
        let database = try SharedCluster.current.makeDatabase()
        try submit(1, to: database)
        let silent = try node("web1", database, policy: .retryable) { node, _ in node.node?.close() }
        var second: TestNode?
        try run(
            [silent],
            until: { [self] in
                if second == nil, starts == ["1/1"] {
                    second = try node("web2", database, policy: .retryable) { $0.succeed($1) }
                    try second?.node?.open()
                }
                return try database.sql("service", "select state, node, attempt from fleet.history") == "done|web2|2"
            }
        )
        second?.node?.close()
        #expect(starts == ["1/1", "1/2"])
        let late = "select o_verdict from fleet.finish('[{\"run\": 1, \"attempt\": 1, \"state\": \"done\"}]')"
        #expect(try database.sql("web1", late) == "stale")
    }

    @Test func `a cancellation reaches the node by the hint or the next beat, and a forged hint stops nothing`() throws
    {
        let database = try SharedCluster.current.makeDatabase()
        try submit(2, to: database)
        var stops: [Int64] = []
        let node = try node("web1", database, slots: 2) { _, _ in }
        node.stopped = { node, run, attempt, reason in
            #expect(reason == .cancelled("userCancelled"))
            stops.append(run)
            node.node?.runEnded(FleetRunEnd(run: run, attempt: attempt, state: .cancelled, reason: "userCancelled"))
        }
        var isCancelled = false
        try run(
            [node],
            until: { [self] in
                if !isCancelled, starts.count == 2 {
                    isCancelled = true
                    try database.sql("other", "select pg_notify('fleet_hint', 'web1')")
                    #expect(try database.sql("other", "select * from fleet.cancel(2, 'x')") == "unknown|")
                    #expect(
                        try database.sql("service", "select * from fleet.cancel(1, 'userCancelled')")
                            == "requested|web1"
                    )
                }
                return try database.sql("service", "select id, state, reason from fleet.history")
                    == "1|cancelled|userCancelled"
            }
        )
        #expect(stops == [1])
    }

    /// The transaction takes longer than a lease, after which the other node would perform the run again.
    @Test func `an open transaction over a run that ends costs the node no lease, and the run has one end`() throws {
        let database = try SharedCluster.current.makeDatabase()
        try submit(2, to: database)
        var held: FleetRun?
        let node = try node("web1", database, policy: .retryable, slots: 2, lease: .seconds(5)) { node, run in
            if run.id == 1 { held = run } else { node.succeed(run) }
        }
        var other: TestNode?
        let transaction = Process()
        transaction.executableURL = URL(filePath: "/bin/sh")
        let statement = "select * from fleet.cancel(1, $$userCancelled$$); select pg_sleep(8); select 1/0"
        transaction.arguments = ["-c", database.command("service", statement)]
        transaction.standardOutput = FileHandle.nullDevice
        transaction.standardError = FileHandle.nullDevice
        let sleepers = """
            select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()
            """
        var (isOpened, hasEnded) = (false, false)
        try run(
            [node],
            until: { [self] in
                guard let run = held, starts.count == 2 else { return false }
                if !isOpened {
                    other = try self.node("web2", database, policy: .retryable) { $0.succeed($1) }
                    try other?.node?.open()
                    try transaction.run()
                    isOpened = true
                }
                if !hasEnded, try !transaction.isRunning || database.sql("operator", sleepers) == "1" {
                    node.succeed(run)
                    hasEnded = true
                }
                return try database.sql("operator", "select count(*) from fleet.history") == "2"
            }
        )
        other?.node?.close()
        transaction.waitUntilExit()
        #expect(starts.sorted() == ["1/1", "2/1"])
        let ends = try database.sql("operator", "select id, state, attempt from fleet.history order by id")
        #expect(ends == "1|done|1\n2|done|1")
    }

    @Test func `a draining node finishes what it has, leaves, and its name is free at once`() throws {
        let database = try SharedCluster.current.makeDatabase()
        try submit(3, to: database)
        let node = try node("web1", database, slots: 1) { node, run in
            node.node?.drain()
            node.succeed(run)
        }
        try run([node], until: { node.hasLeft })
        #expect(starts.count == 1)
        #expect(try database.sql("operator", "select count(*) from fleet.run") == "2")
        try database.sql("web1", "select * from fleet.beat('another', '{}', 1, '30 s')")
    }

    @Test func `a file of the outbox that is damaged is ignored`() throws {
        var outbox = try EndOutbox(folder: folder("outbox"))
        let end = FleetRunEnd(run: 3, attempt: 2, state: .failed, result: "\"\\u0000\"", reason: "x\n\"é")
        try outbox.keep(end)
        try outbox.keep(end)
        try "{".write(toFile: folder("outbox/4.end"), atomically: false, encoding: .utf8)
        #expect(try EndOutbox(folder: folder("outbox")).ends() == [end])
        try outbox.sync()
        try outbox.forget(3)
        try outbox.sync()
        #expect(try outbox.ends() == [])
    }

    // MARK: Nodes

    final class TestNode {
        var node: FleetNode?
        var hasLeft = false
        var stopped: (TestNode, Int64, Int, NodeLoop.StopReason) -> Void = { _, _, _, _ in }

        func succeed(_ run: FleetRun) {
            node?.runEnded(FleetRunEnd(run: run.id, attempt: run.attempt, state: .done, result: "{\"ok\":true}"))
        }
    }

    func node(
        _ name: String,
        _ database: FleetDatabase,
        others: [FleetDatabase] = [],
        policy: RunPolicy = .once,
        slots: Int = 1,
        epoch: String = "e",
        lease: Duration = .seconds(2),
        on loop: EventLoop? = nil,
        _ perform: @escaping (TestNode, FleetRun) -> Void
    ) throws -> TestNode {
        let made = TestNode()
        made.node = try FleetNode(
            NodeSettings(
                offers: ["A/B": .init(policy, tries: 3)],
                slots: slots,
                epoch: epoch,
                lease: lease,
                poll: .milliseconds(100)
            ),
            name: name,
            servers: ([database] + others).map { $0.connectionString(name) },
            outbox: try EndOutbox(folder: folder(name)),
            on: loop ?? self.loop
        ) { [weak self, weak made] request in
            guard let self, let made else { return }
            switch request {
            case .start(let run):
                starts.append("\(run.id)/\(run.attempt)")
                perform(made, run)
            case .stop(let run, let attempt, let reason): made.stopped(made, run, attempt, reason)
            case .left: made.hasLeft = true
            case .decided, .warn, .answer, .connected, .misnamed: break
            }
        }
        return made
    }

    /// Runs the nodes, and asks after each 50 ms whether the test has seen what it waits for.
    func run(_ nodes: [TestNode], on other: EventLoop? = nil, until isDone: @escaping () throws -> Bool) throws {
        let loop = other ?? self.loop
        for node in nodes { try node.node?.open() }
        let pause: Int64 = 50_000_000
        watch = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + pause) { [weak self] in
            do {
                if try isDone() { return loop.exit(0) }
                try self?.watch?.rearm(atNanoseconds: ClockReading.monotonicNanoseconds() + pause)
            } catch {
                Issue.record(error)
                loop.exit(98)
            }
        }
        #expect(try loop.run() == 0)
        watch = nil
        for node in nodes {
            node.node?.close()
            node.node = nil
        }
    }

    /// A submission by the host web1.
    private static func submission(key: String) -> ClientStatement {
        let arguments = FleetArguments(PerformRequest(app: "A", intent: "B"))
        return .submit(owner: "ada@web1", key: key, intent: "A/B", arguments, spool: nil)
    }

    func submit(_ count: Int, to database: FleetDatabase) throws {
        try database.sql(
            "service",
            "select count(*) from generate_series(1, \(count)) n, fleet.submit(null, 'key ' || n, 'A/B', '{}')"
        )
    }
}
