/// The keys of `[Limits]`, `[Notify]` and `[Sandbox]` that are valid only in `intentd.conf`.
enum ServiceKey: String, TabledKey {
    case maxRuns = "MaxRuns"
    case maxRunsPerUser = "MaxRunsPerUser"
    case weight = "Weight"
    case maxQueued = "MaxQueued"
    case maxWaiting = "MaxWaiting"
    case forkServers = "ForkServers"
    case notifyUser = "User"
    case notifyPerHour = "PerHour"
    case idRange = "IdRange"

    var section: String {
        switch self {
        case .maxRuns, .maxRunsPerUser, .weight, .maxQueued, .maxWaiting, .forkServers: "Limits"
        case .notifyUser, .notifyPerHour: "Notify"
        case .idRange: "Sandbox"
        }
    }

    static func keys(of section: String) -> [ServiceKey] { allCases.filter { $0.section == section } }

    private static let counts = 1...DaemonSettings.countMax

    var setting: Setting<DaemonSettings> {
        switch self {
        case .maxRuns:
            .count(
                \.runCount,
                in: Self.counts,
                example: "16",
                """
                The maximum number of concurrent runs of all apps and users.
                Additional runs wait in the backlog, in which users take turns.
                """
            )
        case .maxRunsPerUser:
            .count(
                \.runCountPerUser,
                in: Self.counts,
                example: "8",
                """
                The maximum number of concurrent runs of one user.
                Additional runs wait in the backlog.
                """
            )
        case .weight:
            Setting(
                \.weights,
                .list(name: "user:weight", of: "users, each with a colon and \(UserWeight.words)"),
                standard: "\(UserWeight.standard) for each user",
                example: "ada:200 1002:50",
                """
                The shares of users who have runs in the backlog.
                Slots are divided in proportion to the weights, and each user receives a first slot before any user
                receives a second slot.
                If there are more users than slots, users take turns in proportion to the weights.
                A name refers to the account that currently has it, and a number to any account with that uid.
                If a user is listed more than once, the last weight applies.
                """,
                each: UserWeight.form,
                parse: UserWeight.init
            )
        case .maxQueued:
            .count(
                \.queueCount,
                in: Self.counts,
                example: "4096",
                """
                The maximum number of runs in the backlog.
                If the backlog is full, a request fails with the error
                .Ql busy ,
                which contains the time to wait before the next attempt.
                One user cannot have more runs in the backlog than the backlog has free entries.
                The backlog therefore always has room for other users.
                """
            )
        case .maxWaiting:
            .count(
                \.waitingCount,
                in: Self.counts,
                example: "64",
                """
                The maximum number of runs with an open question that release their slots.
                One user has at most as many of these runs as places remain free.
                Another run of such a user that asks a question keeps its slot.
                A run that was answered while no slot is free continues, and counts towards this limit until one is.
                """
            )
        case .forkServers:
            .count(
                \.forkServerCount,
                in: Self.counts,
                example: "128",
                """
                The maximum number of fork servers of all apps and users.
                If the limit is exceeded, the least recently used fork servers are stopped.
                A fork server with a live run is never stopped.
                """
            )
        case .notifyUser:
            Setting(
                \.notifyUser,
                .value(name: "user", of: "a name or a uid"),
                standard: "intentd's user",
                example: "monitor",
                """
                The user who runs the intents of
                .Li [Notify] ,
                and owns these runs.
                The user must have permission to run the intents.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                let names = try assignment.plainNames()
                guard names.count <= 1 else {
                    throw assignment.problem("expected one user, got '\(assignment.excerpt)'")
                }
                return names.first
            }
        case .notifyPerHour:
            .count(
                \.notifyPerHour,
                in: NotifyKey.counts,
                example: "5",
                """
                The maximum number of notifications per hour about the runs and schedules of one app and user.
                Additional notifications are dropped.
                The first dropped notification in an hour is logged.
                """
            )
        case .idRange:
            Setting(
                \.idRange,
                .value(
                    name: "first:count",
                    of: "the first id and the even number of ids, at least 2; all ids must be from 1 to 2147483646"
                ),
                standard: HostIDs.forService.text,
                example: "1879048192:65536",
                """
                The range of user and group ids on the host that sandboxes use.
                The ids must not be assigned to accounts.
                Each pair of an app and a user has two ids, which are never reused.
                A change takes effect when the launcher starts.
                The default of a daemon that root starts without systemd is
                .Li \(HostIDs.forRoot.text) .
                A user's own daemon ignores the key, and uses the ids that
                .Xr subuid 5
                assigns to the user.
                """,
                isolation: "Without ids, all apps run as one user, and the grade is\n.Cm reduced ."
            ) { (assignment) throws(ConfigurationProblem) in
                try assignment.parsed(as: HostIDs.form) { HostIDs($0) }
            }
        }
    }
}
