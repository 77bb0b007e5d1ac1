import Foundation
import IntentFleet
import TestSupport
import Testing

/// The functions of the schema, called by login roles as hosts, services and attackers call them.
@Suite(
    .ownThread,
    .enabled(if: PostgresCluster.programs != nil, "PostgreSQL 15 or later is not installed"),
    .sharedCluster
)
struct SchemaTests {
    let database: FleetDatabase

    init() throws {
        database = try SharedCluster.current.makeDatabase()
    }

    // MARK: Submission

    @Test func `the same key is the same run, and other arguments are refused`() throws {
        #expect(try submit("service", key: "k", "{\"a\": 1}") == "1|t")
        #expect(try submit("service", key: "k", "{\"a\": 1}") == "1|f")
        #expect(database.refusal("service", submission(key: "k", "{\"a\": 2}")).contains("the key 'k' was used"))
        #expect(try submit("other", key: "k", "{\"a\": 2}").hasSuffix("|t"))
    }

    @Test func `a host speaks for the users of its realm and for those an operator allows`() throws {
        #expect(try submit("web1", key: "k", owner: "alice@web1").hasSuffix("|t"))
        for owner in [
            "alice@web2", "alice@staff", "service", "web2", "web1", "operator", "a@b@web1", "*@web1", "@web1",
        ] {
            #expect(
                database.refusal("web1", submission(key: "x", owner: owner)).contains("web1 may not submit runs for"),
                "\(owner)"
            )
        }
        #expect(database.refusal("web1", submission(key: "x")).contains("web1 may not submit runs for web1"))
        #expect(database.refusal("service", submission(key: "x", owner: "alice@web1")).contains("may not submit"))
        try database.sql("operator", "select fleet.allow('web1', 'alice@staff')")
        #expect(try submit("web1", key: "k", owner: "alice@staff").hasSuffix("|t"))
        #expect(database.refusal("web1", submission(key: "x", owner: "bob@staff")).contains("may not submit"))
        try database.sql("operator", "select fleet.disallow('web1', 'alice@staff')")
        #expect(database.refusal("web1", submission(key: "x", owner: "alice@staff")).contains("may not submit"))
    }

    @Test func `a broken host cannot extend what it speaks for`() throws {
        for statement in [
            "insert into fleet.speaks values ('web1', '*@web2')", "update fleet.speaks set owner = '*@web2'",
            "select fleet.allow('web1', '*@web2')", "select fleet.add_host('web3')", "select fleet.drain('web2', true)",
            "select fleet.remove_host('web2')",
            "insert into fleet.run (owner, intent, args) values ('a@web2', 'i', '{}')",
            "update fleet.run set owner = 'alice@web1'", "delete from fleet.history", "select * from fleet.receipt",
            "update fleet.node set name = 'web2'", "update fleet.setting set history_days = 1",
            "create function fleet.may_speak(text) returns boolean language sql as 'select true'",
            "create table fleet.speaks2 (node text)", "set role fleet_owner", "set role web2",
            "set session authorization web2", "alter table fleet.run disable row level security",
        ] {
            let answer = database.refusal("web1", statement)
            #expect(
                answer.contains("permission denied") || answer.contains("must be owner"),
                "\(statement): \(answer)"
            )
        }
        // A temporary table of the same name is not searched first.
        let attack =
            "create temporary table speaks (node text, owner text); insert into speaks values ('web1', '*@web2');"
        #expect(database.refusal("web1", attack + submission(key: "x", owner: "a@web2")).contains("may not submit"))
    }

    @Test func `arguments, keys and priorities have limits`() {
        let long = String(repeating: "x", count: 70_000)
        #expect(database.refusal("service", submission(key: "k", "\"\(long)\"")).contains("exceeds its limit"))
        #expect(database.refusal("service", submission(key: "")).contains("exceeds its limit"))
        #expect(database.refusal("service", submission(key: String(long.prefix(201)))).contains("exceeds its limit"))
        #expect(
            database.refusal("service", "select fleet.submit(null, 'k', 'A/B', '{}', 1000)").contains(
                "exceeds its limit"
            )
        )
    }

    @Test func `an owner with too many queued runs is refused, and others are not`() throws {
        try database.sql("admin", "update fleet.setting set queued_per_owner = 2")
        for key in ["a", "b"] { #expect(try submit("service", key: key).hasSuffix("|t")) }
        #expect(database.refusal("service", submission(key: "c")).contains("too many queued runs"))
        #expect(try submit("service", key: "a") == "1|f")
        #expect(try submit("other", key: "c").hasSuffix("|t"))
    }

    // MARK: Privacy

    @Test func `a user's run is invisible to others, and only its owner or an operator cancels it`() throws {
        try submit("web1", key: "k", owner: "alice@web1")
        for role in ["service", "web2"] {
            #expect(try database.sql(role, "select * from fleet.run") == "")
            #expect(try database.sql(role, "select * from fleet.cancel(1, 'userCancelled')") == "unknown|")
        }
        #expect(try database.sql("operator", "select id from fleet.run") == "1")
        #expect(try database.sql("web1", "select * from fleet.cancel(1, 'userCancelled')") == "cancelled|")
        #expect(try database.sql("web1", "select state, reason from fleet.history") == "cancelled|userCancelled")
        #expect(try database.sql("web2", "select * from fleet.history") == "")
        #expect(try database.sql("web2", "select * from fleet.retry(1)") == "")
    }

    // MARK: Nodes

    @Test func `a host takes only what it offers, and its offer decides about repetition`() throws {
        try submit("service", key: "a")
        #expect(try database.sql("web1", "select * from fleet.take(4, 'e')") == "")
        try beat("web1", offers: "{\"A/Other\": {\"policy\": \"once\"}}")
        #expect(try database.sql("web1", "select * from fleet.take(4, 'e')") == "")
        try beat("web1", offers: "{\"A/B\": {\"policy\": \"retryable\", \"tries\": 3}}")
        #expect(
            try database.sql(
                "web1",
                "select o_run, o_attempt, o_intent, o_owner, o_args, o_policy from fleet.take(4, 'e')"
            )
                == "1|1|A/B|service|{}|retryable"
        )
        #expect(try database.sql("operator", "select tries from fleet.run") == "3")
        #expect(try database.sql("web1", "select * from fleet.take(4, 'e')") == "")
    }

    @Test func `the owner with the fewest running runs is served first`() throws {
        for number in 1...20 { try submit("service", key: "\(number)") }
        for number in 1...3 { try submit("other", key: "\(number)") }
        try beat("web1")
        let owners = try database.sql("web1", "select o_owner from fleet.take(8, 'e')").split(
            whereSeparator: \.isNewline
        )
        #expect(owners.filter { $0 == "other" }.count == 3)
        #expect(owners.count == 8)
    }

    @Test func `only the current attempt of the current host commits, once`() throws {
        try submit("service", key: "a")
        try beat("web1")
        try beat("web2")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        #expect(try finish("web2", 1, attempt: 1) == "1|stale")
        #expect(try finish("web1", 1, attempt: 2) == "1|stale")
        #expect(try finish("web1", 1, attempt: 1) == "1|committed")
        #expect(try finish("web1", 1, attempt: 1) == "1|committed")
        #expect(try finish("web1", 1, attempt: 1, state: "failed") == "1|stale")
        #expect(try database.sql("service", "select state, result from fleet.history") == "done|{\"by\": \"web1\"}")
    }

    @Test func `a lost host's run moves if it is retryable, and else ends as hostLost`() throws {
        try submit("service", key: "a")
        try submit("service", key: "b", intent: "A/C")
        try submit("service", key: "c", intent: "A/D")
        let all = """
            {"A/B": {"policy": "retryable", "tries": 2}, "A/C": {"policy": "once", "tries": 9},
            "A/D": {"policy": "retryable", "tries": 1}}
            """
        try database.sql("web1", "select fleet.beat('e', '\(all)', 4, '1 s'); select * from fleet.take(3, 'e')")
        let offers = "'{\"A/B\": {\"policy\": \"once\"}}'"
        let swept = try database.sql(
            "web2",
            """
            set statement_timeout = '60 s';
            do $$ declare found int = 0; begin
              perform fleet.beat('e2', \(offers), 1, '1 s');
              while found < 3 loop
                perform pg_sleep(0.05);
                perform fleet.beat('e2', \(offers), 1, '1 s');
                found := found + (select count(*) from fleet.sweep());
              end loop;
            end $$;
            select o_run, o_attempt, o_intent, o_owner, o_args, o_policy from fleet.take(1, 'e2')
            """
        )
        #expect(swept == "1|2|A/B|service|{}|once")
        let ends = "select id, state, reason from fleet.history order by id"
        #expect(try database.sql("service", ends) == "2|failed|hostLost\n3|failed|hostLost")
        #expect(try finish("web1", 1, attempt: 1) == "1|stale")
        #expect(try finish("web1", 2, attempt: 1) == "2|stale")
        #expect(try finish("web2", 1, attempt: 2) == "1|committed")
        // A retry by hand is one run, however often it is requested.
        #expect(try database.sql("service", "select * from fleet.retry(2)") == "4|t")
        #expect(try database.sql("service", "select * from fleet.retry(2)") == "4|f")
    }

    @Test func `an attempt that its host lost is repeated if the run is retryable, and else ends as failed`() throws {
        try submit("service", key: "a")
        try submit("service", key: "b", intent: "A/C")
        try submit("service", key: "c")
        let offers = """
            {"A/B": {"policy": "retryable", "tries": 2}, "A/C": {"policy": "once", "tries": 9}}
            """
        try beat("web1", offers: offers)
        try database.sql("web1", "select * from fleet.take(3, 'e')")
        try database.sql("service", "select * from fleet.cancel(3, 'userCancelled')")
        for run in 1...3 { #expect(try finish("web1", run, attempt: 1, state: "lost") == "\(run)|committed") }
        let ends = "select id, state, attempt from fleet.history order by id"
        #expect(try database.sql("service", ends) == "2|failed|1\n3|failed|1")
        // The host repeats a commit of which it received no verdict. It no longer holds the first attempt.
        #expect(try finish("web1", 1, attempt: 1, state: "lost") == "1|stale")
        #expect(try finish("web1", 2, attempt: 1, state: "lost") == "2|committed")
        try beat("web2", offers: offers)
        #expect(try database.sql("web2", "select o_run, o_attempt from fleet.take(3, 'e')") == "1|2")
        #expect(try finish("web2", 1, attempt: 2, state: "lost") == "1|committed")
        #expect(try database.sql("service", ends).hasPrefix("1|failed|2\n"))
    }

    @Test func `a session that is younger than its host's lease sweeps nothing`() throws {
        try submit("service", key: "a")
        try database.sql(
            "web1",
            """
            select fleet.beat('e', '{"A/B": {"policy": "once"}}', 1, '1 s'); select * from fleet.take(1, 'e')
            """
        )
        let swept = try database.sql(
            "web2",
            """
            select fleet.beat('e', '{}', 1, '10 min');
            select pg_sleep_until(clock_timestamp() + '1.1 s');
            select * from fleet.sweep()
            """
        )
        #expect(swept.trimmingCharacters(in: .whitespacesAndNewlines) == "")
        #expect(try database.sql("operator", "select node, state from fleet.run") == "web1|running")
    }

    @Test func `a second host with a living host's name is refused, and a host that has left is not in the way`() throws
    {
        try beat("web1", epoch: "a", lease: "10 min")
        let other = "select fleet.beat('b', '{}', 1, '30 s')"
        #expect(database.refusal("web1", other).contains("another host with the name web1 is alive"))
        #expect(try database.sql("web1", "select fleet.leave()") == "t")
        try database.sql("web1", other)
    }

    @Test func `a host does not leave while it holds runs, and a draining host takes none`() throws {
        try submit("service", key: "a")
        try submit("service", key: "b")
        try beat("web1")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        #expect(try database.sql("web1", "select fleet.leave()") == "f")
        try database.sql("operator", "select fleet.drain('web1', true)")
        #expect(try database.sql("web1", "select * from fleet.take(1, 'e')") == "")
    }

    @Test func `progress of another host's run is not recorded`() throws {
        try submit("service", key: "a")
        try beat("web1")
        try beat("web2")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        let report = "select fleet.report('[{\"run\": 1, \"attempt\": 1, \"report\": {\"done\": 5}}]')"
        try database.sql("web2", report)
        #expect(try database.sql("service", "select report from fleet.progress") == "")
        try database.sql("web1", report)
        #expect(try database.sql("service", "select report from fleet.progress") == "{\"done\": 5}")
    }

    // MARK: Undo

    @Test func `an undo is a run of the host that performed the first, once unless it fails`() throws {
        try beat("web1")
        try beat("web2")
        _ = try submit("service", key: "k")
        #expect(database.refusal("service", "select * from fleet.undo(1)") == "accepted: ")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        let end = #"[{"run": 1, "attempt": 1, "state": "done", "result": {"run": "0123456789"}}]"#
        try database.sql("web1", "select * from fleet.finish('\(end)')")
        #expect(try database.sql("service", "select * from fleet.undo(1)") == "2|t")
        #expect(try database.sql("service", "select * from fleet.undo(1)") == "2|f")
        #expect(try database.sql("other", "select * from fleet.undo(1)") == "")
        // Only the host of the first run takes it.
        #expect(try database.sql("web2", "select * from fleet.take(1, 'e')") == "")
        #expect(try database.sql("web1", "select o_run, o_args ->> 'undoOf' from fleet.take(1, 'e')") == "2|0123456789")
        #expect(try finish("web1", 2, attempt: 1, state: "failed").contains("committed"))
        #expect(try database.sql("service", "select * from fleet.undo(1)") == "3|t")
        #expect(database.refusal("service", "select * from fleet.retry(2)").contains("cannot be retried"))
    }

    // MARK: Statements

    @discardableResult
    func submit(
        _ role: String,
        key: String,
        _ arguments: String = "{}",
        owner: String? = nil,
        intent: String = "A/B"
    ) throws -> String {
        try database.sql(role, submission(key: key, arguments, owner: owner, intent: intent))
    }

    func submission(key: String, _ arguments: String = "{}", owner: String? = nil, intent: String = "A/B")
        -> String
    {
        "select * from fleet.submit(\(owner.map { "'\($0)'" } ?? "null"), '\(key)', '\(intent)', '\(arguments)')"
    }

    func beat(
        _ role: String,
        epoch: String = "e",
        offers: String = "{\"A/B\": {\"policy\": \"once\"}}",
        lease: String = "5 min"
    ) throws {
        try database.sql(role, "select * from fleet.beat('\(epoch)', '\(offers)', 4, '\(lease)')")
    }

    func finish(_ role: String, _ run: Int, attempt: Int, state: String = "done") throws -> String {
        let end =
            "{\"run\": \(run), \"attempt\": \(attempt), \"state\": \"\(state)\", \"result\": {\"by\": \"\(role)\"}}"
        return try database.sql(role, "select * from fleet.finish('[\(end)]')")
    }
}
