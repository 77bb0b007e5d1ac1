/// The keys that only `intentd.conf` has. ``HistoryKey`` has the keys of `[History]`.
enum ServiceKey: String, SettingKey {
    case maxRuns = "MaxRuns"
    case maxRunsPerUser = "MaxRunsPerUser"
    case weight = "Weight"
    case maxQueued = "MaxQueued"
    case maxWaiting = "MaxWaiting"
    case forkServers = "ForkServers"
    case idRange = "IdRange"

    var section: String {
        switch self {
        case .maxRuns, .maxRunsPerUser, .weight, .maxQueued, .maxWaiting, .forkServers: "Limits"
        case .idRange: "Sandbox"
        }
    }

    static let counts = 1...DaemonSettings.countMax

    var manual: SettingManual {
        let builtIn = DaemonSettings.builtIn
        switch self {
        case .maxRuns:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.runCount)",
                example: "16",
                """
                The number of concurrent runs of all apps and users.
                Further runs wait in the backlog, in which users take turns.
                """
            )
        case .maxRunsPerUser:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.runCountPerUser)",
                example: "8",
                """
                The number of concurrent runs of one user.
                Further runs wait in the backlog.
                """
            )
        case .weight:
            return SettingManual(
                .list(name: "user:weight", of: "users, each with a colon and \(UserWeight.words)"),
                standard: "\(UserWeight.standard) for each user",
                example: "ada:200 1002:50",
                """
                The shares of users who have runs in the backlog.
                Slots are divided in proportion to the weights, and each user receives a first slot before any receives a
                second one.
                Where slots are too few for that, users take turns in proportion to the weights.
                A name means the account that has it now, and a number any account with that uid.
                The last weight of a user counts.
                """
            )
        case .maxQueued:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.queueCount)",
                example: "4096",
                """
                The number of runs in the backlog.
                A request beyond it fails with the error
                .Ql busy ,
                which says when to try again.
                One user may have no more runs there than there is room left, so that other users find room.
                """
            )
        case .maxWaiting:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.waitingCount)",
                example: "64",
                """
                The number of runs with an open question that use no slot.
                Beyond it, a run that asks keeps its slot.
                """
            )
        case .forkServers:
            return SettingManual(
                .count(Self.counts),
                standard: "\(builtIn.forkServerCount)",
                example: "128",
                """
                The number of fork servers of all apps and users.
                Beyond it, the least recently used are stopped first.
                A fork server with a live run is never stopped.
                """
            )
        case .idRange:
            return SettingManual(
                .value(
                    name: "first:count",
                    of: "two numbers, ids from 1 to 2147483647, with an even count of at least 2"
                ),
                standard: HostIDs.forService.text,
                example: "1879048192:65536",
                """
                The user and group ids of the host that sandboxes use.
                No account may have one of them.
                Each pair of app and user has two, which are never reused.
                It takes effect when the launcher starts.
                A daemon that root starts by hand has the default
                .Li \(HostIDs.forRoot.text) .
                A user's own daemon ignores the key, and has the ids of
                .Xr subuid 5 .
                """,
                isolation: "Without ids, all apps run as one user, and the grade is reduced."
            )
        }
    }
}
