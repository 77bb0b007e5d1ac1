import Foundation
import TestSupport
import Testing

// Sessions that keep a transaction open, and what the roles of a fleet may not use.
extension SchemaTests {
    @Test func `a user's open transaction delays no statement of a host, and its run has one end`() throws {
        try beat("web1")
        for key in ["a", "b"] { try submit("service", key: key) }
        #expect(try database.sql("web1", "select count(*) from fleet.take(2, $$e$$)") == "2")
        let ends = #"[{"run": 1, "attempt": 1, "state": "done"}, {"run": 2, "attempt": 1, "state": "done"}]"#
        // Two seconds are the limit of each statement, because a beat follows it on the same connection.
        let answers = try during(
            "select * from fleet.cancel(1, $$userCancelled$$)",
            by: "service",
            [
                "set statement_timeout = $$2s$$; select * from fleet.finish($$\(ends)$$)",
                #"set statement_timeout = $$2s$$; select fleet.ask(1, 1, $${"number": 1}$$) is null"#,
                "set statement_timeout = $$2s$$; select count(*) from fleet.beat($$e$$, $${}$$, 1, $$30 s$$)",
            ]
        )
        #expect(answers == "2|committed\nt\n1\n")
        // The host commits the end again, and the run is not attempted again.
        #expect(try database.sql("web1", "select * from fleet.finish($$\(ends)$$)") == "1|committed\n2|committed")
        #expect(try database.sql("operator", "select count(*), max(attempt) from fleet.history") == "2|1")
        #expect(try database.sql("operator", "select count(*) from fleet.run") == "0")
    }

    @Test func `no statement of a host waits longer than a second for a lock`() throws {
        let unlimited = """
            select count(*) from pg_proc p where pronamespace = 'fleet'::regnamespace and provolatile = 'v'
            and has_function_privilege('web1', p.oid, 'execute') and not coalesce(proconfig, '{}') @> '{lock_timeout=1s}'
            """
        #expect(try database.sql("admin", unlimited) == "0")
    }

    @Test func `a transaction that stays open is ended, except an operator's`() throws {
        try database.sql("admin", "update fleet.setting set transaction_seconds = 1")
        let sweep = ["select pg_sleep(1.1) is null; select count(*) from fleet.sweep()"]
        for statement in ["select fleet.maintain()", "select * from fleet.history", "select 1"] {
            for role in ["web2", "service"] where role == "web2" || !statement.contains("maintain") {
                #expect(throws: PostgresCluster.Failure.self, "\(role) \(statement)") {
                    try during(statement, by: role, sweep)
                }
            }
        }
        #expect(try during("select 1", by: "operator", sweep) == "f\n0\n")
    }

    @Test func `without a partition for their day, runs end in the default partition and move later`() throws {
        let days = "select o_value from fleet.health() where o_name = $$partitionDays$$"
        #expect(try database.sql("operator", days) == "3")
        try beat("web1")
        try database.sql("admin", "drop table \(try partitions())")
        #expect(try database.sql("operator", days) == "0")
        try submit("service", key: "a")
        try database.sql("web1", "select count(*) from fleet.take(1, $$e$$)")
        let end = #"[{"run": 1, "attempt": 1, "state": "done"}]"#
        let answers = try during(
            "select * from fleet.history",
            by: "service",
            ["select fleet.maintain()", "select * from fleet.finish($$\(end)$$)"]
        )
        #expect(answers == "\n1|committed\n")
        #expect(try database.sql("admin", "select count(*) from fleet.history_default") == "1")
        try database.sql("web1", "select fleet.maintain()")
        #expect(try database.sql("admin", "select count(*) from fleet.history_default") == "0")
        #expect(try database.sql("service", "select id, state from fleet.history") == "1|done")
        #expect(try database.sql("operator", days) == "3")
    }

    @Test func `the roles of a fleet use no temporary tables, large objects or advisory locks`() throws {
        // A copy of the database has other privileges.
        let original = FleetDatabase(cluster: database.cluster, name: "fleet")
        for statement in [
            "create temporary table a (b int)", "select 1 into temporary a", "select lo_creat(-1)",
            "select lo_create(0)", "select lo_from_bytea(0, '')", "select lo_open(1, 131072)",
            "select lo_put(1, 0, '')", "select lowrite(0, '')", "select lo_truncate64(0, 1)",
            "select pg_advisory_lock(1)", "select pg_try_advisory_xact_lock_shared(1, 2)",
        ] {
            for role in ["web1", "service", "operator"] {
                let answer = original.refusal(role, statement)
                #expect(answer.contains("permission denied"), "\(role) \(statement): \(answer)")
            }
        }
    }

    @Test func `a login locks neither tables nor rows of the fleet`() throws {
        let tables = try database.sql(
            "admin",
            "select relname from pg_class where relnamespace = 'fleet'::regnamespace and relkind in ('r', 'p')"
        )
        for table in tables.split(separator: "\n") {
            for role in ["web1", "service"] {
                for statement in [
                    "begin; lock table fleet.\(table) in row share mode", "select from fleet.\(table) for key share",
                ] {
                    #expect(database.refusal(role, statement).contains("permission denied"), "\(role) \(statement)")
                }
            }
        }
    }

    @Test func `a host with many users with queued runs gets no further one, and other hosts do`() throws {
        try database.sql("admin", "update fleet.setting set owners_per_host = 2")
        for owner in ["a@web1", "b@web1", "a@web1"] {
            try submit("web1", key: UUID().uuidString, owner: owner)
        }
        #expect(database.refusal("web1", submission(key: "k", owner: "c@web1")).contains("too many users of web1"))
        try submit("web2", key: "k", owner: "c@web2")
        try submit("service", key: "k")
        // Runs that are submitted again count, too.
        try beat("web1")
        #expect(try database.sql("web1", "select count(*) from fleet.take(5, $$e$$)") == "5")
        let end = #"[{"run": 1, "attempt": 1, "state": "failed"}]"#
        try database.sql("web1", "select * from fleet.finish($$\(end)$$)")
        for owner in ["c@web1", "d@web1"] { try submit("web1", key: "\(owner)", owner: owner) }
        #expect(database.refusal("web1", "select * from fleet.retry(1)").contains("too many users of web1"))
    }

    private func partitions() throws -> String {
        try database.sql(
            "admin",
            "select string_agg('fleet.' || relname, ', ') from pg_class where relname ~ '^history_\\d{8}$' and relkind = 'r'"
        )
    }

    /// Runs statements of `web1`, each in a session of its own, while another session keeps a transaction open. Returns
    /// their answers.
    ///
    /// - Throws: ``PostgresCluster/Failure`` if the server ends the session with the transaction.
    private func during(_ statement: String, by role: String, _ others: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let answers = folder.appending(path: "answers")
        let commands = others.map { "\\! \(database.command("web1", $0)) -A -t >>\(answers.path) 2>&1" }
        let script = folder.appending(path: "script.sql")
        try (["begin;", "\(statement);"] + commands + ["commit;", ""]).joined(separator: "\n")
            .write(to: script, atomically: false, encoding: .utf8)
        try database.psql(role, ["-f", script.path])
        return try String(contentsOf: answers, encoding: .utf8)
    }
}
