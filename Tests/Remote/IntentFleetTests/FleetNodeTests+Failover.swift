import IntentFleet
import IntentProtocol
import Testing

@testable import IntentFleetService

/// Failovers to a synchronous standby, including commits that did not wait for it and are lost.
extension FleetNodeTests {
    @Test func `with two nodes and a failover to the synchronous standby, every run starts once and has one result`()
        throws
    {
        let primary = try PostgresCluster()
        let database = try primary.makeDatabase()
        let standby = try PostgresCluster(standbyOf: primary)
        let promoted = FleetDatabase(cluster: standby, name: database.name)
        try submit(60, to: database)
        let nodes = try ["web1", "web2"].map { name in
            try node(name, database, others: [promoted], slots: 3) { $0.succeed($1) }
        }
        var failovers = 0
        try run(
            nodes,
            until: { [self] in
                if failovers == 0 {
                    guard starts.count >= 10 else { return false }
                    failovers = 1
                    try primary.kill()
                    try standby.promote()
                }
                return try promoted.sql("operator", "select count(*) from fleet.history where state = 'done'") == "60"
            }
        )
        #expect(failovers == 1)
        #expect(Set(starts).count == starts.count, "a run started twice")
        #expect(starts.count == 60)
        #expect(try promoted.sql("operator", "select count(*) from fleet.run") == "0")
        #expect(try promoted.sql("operator", "select count(distinct id) from fleet.history") == "60")
    }

    @Test func `a cancellation that the failover loses is requested again, and the run ends as cancelled`() throws {
        let primary = try PostgresCluster()
        let database = try primary.makeDatabase()
        let standby = try PostgresCluster(standbyOf: primary)
        let promoted = FleetDatabase(cluster: standby, name: database.name)
        try database.sql("web1", "select * from fleet.submit('ada@web1', 'k', 'A/B', '{}')")
        let node = try node("web1", database, others: [promoted]) { _, _ in }
        var stops: [NodeLoop.StopReason] = []
        node.stopped = { _, _, _, reason in stops.append(reason) }
        let requests = try DatabaseRequests(
            name: "web1",
            servers: [database, promoted].map { $0.connectionString("web1") },
            on: loop
        )
        requests.cancelledHere = { node.node?.cancelled($0, reason: $1) }
        var isRequested = false, isFailedOver = false, isAnswered = false
        try run(
            [node],
            until: { [self] in
                if !isRequested, starts == ["1/1"], requests.serverProcess != nil {
                    isRequested = true
                    try primary.freezeReplication()
                    requests.cancel(1, .userCancelled) { answer in
                        isAnswered = true
                        if case .failure(let error) = answer { Issue.record("refused: \(error.message)") }
                    }
                }
                guard stops == [.cancelled("userCancelled")], isAnswered else { return false }
                if !isFailedOver {
                    isFailedOver = true
                    #expect(try database.sql("operator", "select cancel from fleet.run") == "userCancelled")
                    try primary.killAll()
                    try standby.promote()
                    #expect(try promoted.sql("operator", "select state, cancel from fleet.run") == "running|")
                }
                guard try promoted.sql("operator", "select cancel from fleet.run") == "userCancelled" else {
                    return false
                }
                node.node?.runEnded(FleetRunEnd(run: 1, attempt: 1, state: .cancelled, reason: "userCancelled"))
                return true
            }
        )
        #expect(isFailedOver)
        withExtendedLifetime(requests) {}
    }

    @Test func `beats that the failover loses cost no host its runs`() throws {
        let primary = try PostgresCluster()
        let database = try primary.makeDatabase()
        let standby = try PostgresCluster(standbyOf: primary)
        let promoted = FleetDatabase(cluster: standby, name: database.name)
        try submit(1, to: database)
        // Either host may take the run, which does not end.
        let nodes = try ["web1", "web2"].map { name in
            try node(name, database, others: [promoted], policy: .retryable) { _, _ in }
        }
        let beats = "select extract(epoch from max(seen) - min(started)) > 3 from fleet.node, fleet.run"
        let sessions = """
            select count(*) from pg_stat_activity where usename in ('web1', 'web2')
            and backend_start < clock_timestamp() - interval '4 s'
            """
        var isFrozen = false, isFailedOver = false
        try run(
            nodes,
            until: { [self] in
                guard starts == ["1/1"] else { return !starts.isEmpty }
                if !isFrozen {
                    isFrozen = true
                    try primary.freezeReplication()
                }
                if !isFailedOver {
                    // The leases of 2 s are over for the standby, which has received none of these beats.
                    guard try database.sql("operator", beats) == "t" else { return false }
                    isFailedOver = true
                    try primary.killAll()
                    try standby.promote()
                    #expect(try promoted.sql("operator", beats) == "f")
                }
                // Both hosts have swept, because their sessions are older than their leases.
                return try promoted.sql("admin", sessions) == "2"
            }
        )
        #expect(isFailedOver)
        #expect(starts == ["1/1"])
        #expect(try promoted.sql("operator", "select state, attempt from fleet.run") == "running|1")
    }
}
