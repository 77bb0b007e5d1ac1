import IntentFleet
import Testing

/// Submissions by a host that can perform the run itself, epochs, and the time of the next sweep.
extension SchemaTests {
    @Test func `a host with the intent submits and takes a run in one transaction, once for a key`() throws {
        try beat("web1", offers: "{\"A/B\": {\"policy\": \"retryable\", \"tries\": 3}}")
        let columns = "o_run, o_attempt, o_intent, o_owner, o_args, o_policy, o_new"
        let submission = submissionHere(key: "k", "{\"a\": 1}", columns: columns)
        #expect(try database.sql("web1", submission) == "1|1|A/B|ada@web1|{\"a\": 1}|retryable|t")
        let run = "select state, node, epoch, attempt, tries, token is not null from fleet.run"
        #expect(try database.sql("operator", run) == "running|web1|e|1|3|t")
        #expect(try database.sql("web1", submission) == "1||A/B|ada@web1|||f")
        #expect(
            database.refusal("web1", submissionHere(key: "k", "{\"a\": 2}", columns: columns)).contains("the key 'k'")
        )
        // The answer to a beat contains the run, because the answer to the submission may be lost.
        #expect(try database.sql("web1", "select o_run, o_attempt from fleet.beat('e', '{}', 4, '1 min')") == "1|1")
        #expect(try finish("web1", 1, attempt: 1) == "1|committed")
        #expect(try database.sql("web1", submission) == "1||A/B|ada@web1|||f")
        #expect(try database.sql("web1", "select count(*) from fleet.run") == "0")
    }

    @Test func `a submitted run stays in the queue if its host cannot take it, or if another run is queued`() throws {
        func isTaken(_ key: String) throws -> Bool {
            try database.sql("web1", submissionHere(key: key, columns: "o_attempt")) == "1"
        }
        func endAll() throws {
            try database.sql("admin", "delete from fleet.run")
        }
        try #require(try !isTaken("before the first beat"))
        try endAll()
        try beat("web1", offers: "{\"A/Other\": {\"policy\": \"once\"}}")
        try #require(try !isTaken("not offered"))
        try endAll()
        try beat("web1")
        try #require(try isTaken("offered"))
        try beat("web2", offers: "{}")
        try submit("service", key: "first", intent: "A/Elsewhere")
        try #require(try !isTaken("another run is queued"))
        try endAll()
        try database.sql("operator", "select fleet.drain('web1', true)")
        try #require(try !isTaken("draining"))
        try database.sql("operator", "select fleet.drain('web1', false)")
        try endAll()
        try database.sql("admin", "update fleet.node set seen = clock_timestamp() - interval '1 h' where name = 'web1'")
        try #require(try !isTaken("the lease has expired"))
        try endAll()
        // Another process has taken over the host's name.
        try beat("web1", epoch: "another")
        #expect(try !isTaken("another epoch"))
        #expect(try database.sql("operator", "select state, node from fleet.run") == "queued|")
    }

    @Test func `a process takes no runs after another process has taken over its name`() throws {
        try submit("service", key: "a")
        try beat("web1", epoch: "first")
        try database.sql("admin", "update fleet.node set seen = clock_timestamp() - interval '1 h' where name = 'web1'")
        try beat("web1", epoch: "second")
        #expect(try database.sql("web1", "select * from fleet.take(4, 'first')") == "")
        #expect(try database.sql("web1", "select * from fleet.take(4, null)") == "")
        #expect(try database.sql("web1", "select o_run from fleet.take(4, 'second')") == "1")
    }

    @Test func `the next sweep is due when another host's lease ends, at once while a lost host holds runs`() throws {
        func due(_ role: String) throws -> Int? { Int(try database.sql(role, "select fleet.sweep_due()")) }
        func expire(_ host: String) throws {
            let past = "seen = clock_timestamp() - interval '1 h'"
            try database.sql("admin", "update fleet.node set \(past) where name = '\(host)'")
        }
        // No other host has beaten.
        try beat("web1", lease: "1 min")
        #expect(try due("web1") == nil)
        try beat("web2", lease: "5 min")
        let later = try #require(try due("web1"))
        #expect((240_000...300_000).contains(later))
        let sooner = try #require(try due("web2"))
        #expect((1...60_000).contains(sooner))
        // A lost host without runs needs no sweep.
        try expire("web1")
        #expect(try due("web2") == nil)
        try beat("web1", lease: "1 min")
        try submit("service", key: "a")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        try expire("web1")
        #expect(try due("web2") == 0)
        #expect(database.refusal("service", "select fleet.sweep_due()").contains("permission denied"))
    }

    @Test func `a submission by a host has the limits and the rights of every submission`() throws {
        try beat("web1")
        let columns = "o_run"
        #expect(
            database.refusal("service", submissionHere(key: "k", columns: columns)).contains("permission denied")
        )
        #expect(
            database.refusal("web1", submissionHere(key: "k", owner: "ada@web2", columns: columns)).contains(
                "may not submit runs for"
            )
        )
        #expect(database.refusal("web1", submissionHere(key: "", columns: columns)).contains("exceeds its limit"))
        try database.sql("admin", "update fleet.setting set queued_per_owner = 1")
        try submit("web1", key: "queued", owner: "ada@web1", intent: "A/Elsewhere")
        #expect(
            database.refusal("web1", submissionHere(key: "k", columns: columns)).contains("too many queued runs")
        )
        #expect(try database.sql("admin", "select count(*) from fleet.receipt") == "1")
    }

    private func submissionHere(
        key: String,
        _ arguments: String = "{}",
        owner: String = "ada@web1",
        columns: String
    ) -> String {
        "select \(columns) from fleet.submit_here('\(owner)', '\(key)', 'A/B', '\(arguments)', 'e')"
    }
}
