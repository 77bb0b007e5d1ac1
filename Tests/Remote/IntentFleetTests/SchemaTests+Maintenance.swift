import Foundation
import IntentFleet
import IntentFleetService
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

    @Test func `a database is upgraded while a host works with it`() throws {
        try beat("web1")
        try submit("service", key: "a")
        #expect(try database.sql("web1", "select o_run from fleet.take(1, 'e')") == "1")
        let session = try AdminSession(database.connectionString("admin"))
        let version = try session.fleetVersion()
        #expect(version == FleetSchema.current.version)
        let next =
            "set local role fleet_owner; alter table fleet.run add column later int; insert into fleet.version values"
        let newer = FleetSchema(scripts: FleetSchema.current.scripts + ["\(next) (\(version + 1))"])
        try session.upgrade(from: version, to: newer)
        #expect(try session.fleetVersion() == version + 1)
        #expect(try finish("web1", 1, attempt: 1) == "1|committed")
        // A script that fails has no effect.
        let broken = FleetSchema(scripts: newer.scripts + ["\(next) (9); select 1 / 0"])
        #expect(throws: AdminSession.Failure.self) { try session.upgrade(from: version + 1, to: broken) }
        #expect(try session.fleetVersion() == version + 1)
        try beat("web1")
    }

    private func day(_ offset: Int) throws -> String {
        try database.sql("admin", "set timezone = 'UTC'; select to_char(current_date + \(offset), 'YYYYMMDD')")
    }
}
