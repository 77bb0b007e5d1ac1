import Foundation
import IntentFleet
import TestSupport
import Testing

// Partitions and upgrades.
extension SchemaTests {
    @Test func `maintenance makes the next days' partitions and drops those past the limit`() throws {
        try database.sql(
            "admin",
            """
            set role fleet_owner; create table fleet.history_20200101 partition of fleet.history
            for values from ('2020-01-01') to ('2020-01-02')
            """
        )
        try database.sql(
            "web1",
            "set timezone = 'Pacific/Auckland'; set datestyle = 'SQL, DMY'; select fleet.maintain()"
        )
        let count = "select count(*) from pg_class where relname ~ '^history_[0-9]{8}$'"
        #expect(try database.sql("admin", count) == "5")
        #expect(try database.sql("admin", count + " and relname = 'history_20200101'") == "0")
    }

    @Test func `maintenance gives up on a partition that a long transaction reads, and keeps the new ones`() throws {
        try database.sql(
            "admin",
            """
            drop table fleet.history_\(try day(3)); set role fleet_owner;
            create table fleet.history_20200101 partition of fleet.history for values from ('2020-01-01') to ('2020-01-02')
            """
        )
        // The reader's transaction ends with its session, which waits for the maintenance in another one.
        let reader = """
            begin; select * from fleet.history_20200101;
            \\! \(database.command("web1", "select fleet.maintain()")) >\(database.cluster.folder)/answer 2>&1
            """
        try reader.write(toFile: "\(database.cluster.folder)/reader.sql", atomically: false, encoding: .utf8)
        try database.psql("admin", ["-f", "\(database.cluster.folder)/reader.sql"])
        let names = try database.sql(
            "admin",
            "select relname from pg_class where relname ~ '^history_[0-9]{8}$' order by 1"
        )
        #expect(names.contains("history_20200101"))
        #expect(names.contains("history_\(try day(3))"))
    }

    @Test func `a day's partitions are made before it, and dropped when their last day is past the limit`() throws {
        func days() throws -> [String] {
            try database.sql(
                "admin",
                "select right(relname, 8) from pg_class where relname ~ '^history_\\d{8}$' and relkind = 'r' order by 1"
            ).split(separator: "\n").map(String.init)
        }
        try database.sql("admin", "select fleet.maintain_on('2040-02-27')")
        #expect(try days().suffix(5) == ["20400226", "20400227", "20400228", "20400229", "20400301"])
        try database.sql("admin", "select fleet.maintain_on('2040-03-28')")
        #expect(try days().first == "20400227")
        try database.sql("admin", "update fleet.setting set history_days = 1; select fleet.maintain_on('2040-03-28')")
        #expect(try days() == ["20400327", "20400328", "20400329", "20400330", "20400331"])
        for role in ["web1", "service", "operator"] {
            #expect(database.refusal(role, "select fleet.maintain_on('2050-01-01')").contains("permission denied"))
        }
    }

    @Test func `a database of version 1 is upgraded while a host works with it`() throws {
        try database.cluster.run(in: "version_1", FleetSchema.steps(from: 0).prefix(1).map(\.self))
        let old = FleetDatabase(cluster: database.cluster, name: "version_1")
        try old.sql("admin", "select fleet.add_host('web1')")
        let beat = #"select count(*) from fleet.beat('e', '{"A/B": {"policy": "once"}}', 1, '30 s')"#
        let submission = "select o_run from fleet.submit(null, '%', 'A/B', '{}')"
        try old.sql("web1", beat)
        try old.sql("service", submission.replacing("%", with: "1"))
        #expect(try old.sql("web1", "select o_run from fleet.take(1)") == "1")
        for script in FleetSchema.steps(from: 1) { try old.psql("admin", ["-1", "-c", script]) }
        #expect(try old.sql("admin", "select max(number) from fleet.version") == "\(FleetSchema.version)")
        // What a host of version 1 sends.
        #expect(try old.sql("web1", beat) == "1")
        let end = #"[{"run": 1, "attempt": 1, "state": "done", "result": 1}]"#
        #expect(try old.sql("web1", "select * from fleet.finish('\(end)')") == "1|committed")
        try old.sql("service", submission.replacing("%", with: "2"))
        #expect(try old.sql("web1", "select o_run from fleet.take(1)") == "2")
        try old.sql("web1", "select fleet.maintain()")
    }

    private func day(_ offset: Int) throws -> String {
        try database.sql("admin", "set timezone = 'UTC'; select to_char(current_date + \(offset), 'YYYYMMDD')")
    }
}
