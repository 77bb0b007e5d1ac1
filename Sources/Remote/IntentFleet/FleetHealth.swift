package import IntentProtocol

/// The statistics of the database server and the fleet (`fleet.health`), and the problems that an operator should
/// solve.
package struct FleetHealth: Sendable, Equatable {
    private var values: [String: String] = [:]

    /// The age at which an open transaction is reported. An open transaction prevents vacuum from removing dead rows,
    /// so each `take` statement reads more rows.
    private static let oldTransactionSeconds: Int64 = 60
    /// The number of dead rows at which a vacuum is considered overdue. The schema schedules a vacuum after 500 dead
    /// rows.
    private static let deadRowLimit: Int64 = 20_000
    /// The number of days after today that have partitions, below which a missing partition is reported. Maintenance
    /// creates the partitions of three days.
    private static let partitionDays: Int64 = 2
    private static let clockLimit: Int64 = 5_000

    /// - Parameter rows: Pairs of a name and a value.
    package init(_ rows: [[String?]]) {
        for row in rows where row.count == 2 {
            if let name = row[0], let value = row[1] { values[name] = value }
        }
    }

    package func number(_ name: String) -> Int64 { values[name].flatMap { Int64($0) } ?? 0 }

    package var version: Int64 { number("version") }
    package var hostCount: Int64 { number("hosts") }
    package var livingHostCount: Int64 { number("hostsAlive") }
    package var queuedCount: Int { Int(clamping: number("queued")) }
    package var runningCount: Int { Int(clamping: number("running")) }

    /// The remaining validity below which a certificate is reported, in milliseconds.
    private static let renewalPeriod: Int64 = 30 * 86_400_000

    /// Returns the problems that an operator should solve.
    ///
    /// - Parameters:
    ///   - now: The time on this host's clock, in milliseconds since 1970.
    ///   - certificates: The certificate files that this host uses, with their expiry; nil for an unreadable file.
    package func problems(at now: Int64, certificates: [(path: String, expiry: Timestamp?)] = []) -> [ServiceProblem] {
        var problems: [ServiceProblem] = []
        func add(_ message: String, _ hint: String) {
            problems.append(ServiceProblem(message: message, hint: hint))
        }
        let newest = FleetSchema.current.version
        if version < Int64(newest) {
            add(
                "the database has schema version \(version), and this host supports version \(newest)",
                "intentctl fleet upgrade"
            )
        }
        if values["superuser"] == "true" {
            add("this host connects as a superuser", "use the role that add-host created")
        }
        if values["local"] == "false", values["tls"] == "none" {
            add("the connection to the database is not encrypted", "add sslmode=verify-full to Database= in fleet.conf")
        }
        for certificate in certificates {
            let renewal = "an operator can renew it: intentctl fleet add-host"
            guard let expiry = certificate.expiry else {
                add("the certificate '\(certificate.path)' cannot be read", renewal)
                continue
            }
            let days = (expiry.millisecondsSince1970 - now) / 86_400_000
            if expiry.millisecondsSince1970 < now {
                add("the certificate '\(certificate.path)' has expired", renewal)
            } else if expiry.millisecondsSince1970 - now < Self.renewalPeriod {
                add("the certificate '\(certificate.path)' expires in \(days) days", renewal)
            }
        }
        if values["synchronousCommit"] == "off" {
            add("commits do not wait for the disk", "set synchronous_commit = on")
        }
        if let names = values["synchronousNames"], !names.isEmpty, number("synchronousStandbys") == 0 {
            add(
                "no synchronous standby is connected, so commits wait indefinitely",
                "start the standby, or reset synchronous_standby_names"
            )
        }
        let age = number("oldestTransactionSeconds")
        if age >= Self.oldTransactionSeconds {
            add(
                "a transaction has been open for \(age) s: vacuum cannot remove dead rows of the queue, which slows the assignment of runs",
                "select pid, usename, xact_start, query from pg_stat_activity order by xact_start"
            )
        }
        if let days = values["partitionDays"].flatMap({ Int64($0) }), days < Self.partitionDays {
            add(
                "the history has partitions for \(days) more days, so a transaction blocks the maintenance of the "
                    + "database; later runs are stored in history_default",
                "select pid, usename, xact_start, query from pg_stat_activity order by xact_start"
            )
        }
        if number("deadRows") > Self.deadRowLimit {
            add("the queue has \(number("deadRows")) dead rows", "vacuum fleet.run, and check that autovacuum is on")
        }
        let difference = now - number("epochMilliseconds")
        if values["epochMilliseconds"] != nil, abs(difference) > Self.clockLimit {
            add("this host's clock differs from the database's by \(difference / 1000) s", "timedatectl set-ntp true")
        }
        if livingHostCount < hostCount {
            add("\(hostCount - livingHostCount) of \(hostCount) hosts are lost or have left", "intentctl fleet nodes")
        }
        return problems
    }

    /// The statistics in the OpenMetrics text format.
    package var metrics: String {
        let gauges = [
            ("intentd_fleet_schema_version", "version", "The version of the fleet's schema."),
            ("intentd_fleet_hosts", "hosts", "Hosts of the fleet."),
            ("intentd_fleet_hosts_alive", "hostsAlive", "Hosts with a lease."),
            ("intentd_fleet_queued_runs", "queued", "Runs that wait for a host."),
            ("intentd_fleet_running_runs", "running", "Runs that a host performs."),
            ("intentd_fleet_standbys", "standbys", "Standbys that stream from the database's server."),
            ("intentd_fleet_synchronous_standbys", "synchronousStandbys", "Standbys that commits wait for."),
            (
                "intentd_fleet_oldest_transaction_seconds", "oldestTransactionSeconds",
                "The age of the oldest transaction that prevents vacuum from removing rows."
            ),
            (
                "intentd_fleet_partition_days", "partitionDays",
                "Days after today for which the history has partitions."
            ),
            ("intentd_fleet_dead_rows", "deadRows", "Dead rows of the queue."),
            ("intentd_fleet_queue_bytes", "queueBytes", "The size of the queue with its indexes."),
        ]
        var text = ""
        for (name, key, help) in gauges {
            text += "# TYPE \(name) gauge\n"
            for unit in ["seconds", "bytes"] where name.hasSuffix(utf8: "_\(unit)") {
                text += "# UNIT \(name) \(unit)\n"
            }
            text += "# HELP \(name) \(help)\n\(name) \(number(key))\n"
        }
        return text + "# EOF\n"
    }
}
