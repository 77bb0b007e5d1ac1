/// The keys of `[Fleet]` in `fleet.conf`, the configuration file of intentd-fleet(8).
enum FleetServiceKey: String, SettingKey {
    case database = "Database"
    case name = "Name"
    case realm = "Realm"
    case labels = "Labels"
    case slots = "Slots"
    case lease = "Lease"
    case poll = "Poll"

    static let slotRange = 0...1024

    var manual: SettingManual {
        let builtIn = FleetServiceSettings()
        switch self {
        case .database:
            return SettingManual(
                .value(name: "connection", of: "a libpq connection string with keywords and values"),
                standard: "none; the key is required",
                example: "hostaddr=192.0.2.10 host=db1 dbname=fleet user=web1 sslmode=verify-full",
                """
                A server of the fleet's database.
                The key may be given several times; the service uses the server that accepts writes.
                Each connection string names one server, with an address in
                .Li hostaddr=
                or the folder of a Unix socket in
                .Li host= ,
                because looking up a name would delay all runs.
                The role is the name of this host.
                """
            )
        case .name:
            return SettingManual(
                .value(name: "host", of: "lower-case letters, digits, dots, hyphens and underscores, at most 63"),
                standard: "the host name of the machine, up to the first dot",
                example: "web1",
                "The name of this host in the fleet, which is also its role in the database."
            )
        case .realm:
            return SettingManual(
                .value(name: "realm", of: "a name with the syntax of a host name"),
                standard: "the name of this host",
                example: "web1",
                """
                The part after the
                .Li @
                in the names of this host's users.
                Hosts with the same accounts can share a realm if the database permits each of them to act for the realm.
                """
            )
        case .labels:
            return SettingManual(
                .list(name: "label", of: "names with the syntax of a host name, separated by spaces"),
                example: "gpu ssd",
                """
                The labels of this host, for
                .Cm Hosts=
                in the files of apps.
                """
            )
        case .slots:
            return SettingManual(
                .count(Self.slotRange),
                standard: "\(builtIn.slots)",
                example: "16",
                """
                The maximum number of runs that this host performs for the fleet at a time.
                With 0, the host performs no runs, but its users can still submit runs.
                """
            )
        case .lease:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.lease),
                example: "10s",
                """
                The time without a beat after which other hosts regard this host as lost, from 1 s to 10 min.
                The host sends six beats within this time.
                """
            )
        case .poll:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.poll),
                example: "5s",
                """
                The interval at which the host queries the database for new runs.
                Notifications trigger earlier queries, but a notification can be lost.
                """
            )
        }
    }
}

/// The settings of intentd-fleet(8), from `fleet.conf`.
package struct FleetServiceSettings: Equatable, Sendable {
    /// The connection string of each database server (`Database=`).
    package var databases: [String] = []
    /// The host's name in the fleet, which is also its database role (`Name=`); nil for the machine's host name.
    package var name: String?
    /// The part after the `@` in the names of this host's users (`Realm=`); nil for the host's name.
    package var realm: String?
    package var labels: [String] = []
    package var slots = 8
    package var lease: Duration = .seconds(30)
    package var poll: Duration = .seconds(1)

    package init() {}

    /// - Throws: ``ConfigurationProblem`` for the first error in the file. The service then does not start.
    package init(_ file: UnitFile) throws(ConfigurationProblem) {
        if let problem = file.problems.first { throw problem }
        for assignment in file.assignments { try apply(assignment) }
    }

    private mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        guard assignment.section == "Fleet", let key = FleetServiceKey(rawValue: assignment.key) else {
            throw assignment.unknownKey
        }
        func hostName(_ word: String) -> String? { FleetSettings.isHostName(word) ? word : nil }
        let isEmpty = assignment.value.isEmpty
        switch key {
        case .database: databases = isEmpty ? [] : databases + [assignment.value]
        case .name: name = isEmpty ? nil : try assignment.parsed(as: "a host's name", hostName)
        case .realm: realm = isEmpty ? nil : try assignment.parsed(as: "a realm", hostName)
        case .labels: labels = try assignment.list(after: labels, as: "labels", hostName)
        case .slots:
            slots = isEmpty ? FleetServiceSettings().slots : try assignment.count(in: FleetServiceKey.slotRange)
        case .lease:
            lease = isEmpty ? FleetServiceSettings().lease : try assignment.span()
            guard (Duration.seconds(1)...Duration.seconds(600)).contains(lease) else {
                throw assignment.problem("expected a time from 1 s to 10 min, got '\(assignment.excerpt)'")
            }
        case .poll:
            poll = isEmpty ? FleetServiceSettings().poll : try assignment.span()
            guard (Duration.milliseconds(50)...Duration.seconds(600)).contains(poll) else {
                throw assignment.problem("expected a time from 50 ms to 10 min, got '\(assignment.excerpt)'")
            }
        }
    }
}
