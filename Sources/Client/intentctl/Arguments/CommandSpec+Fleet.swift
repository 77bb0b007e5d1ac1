/// The command for fleet operators.
extension CommandSpec {
    static let fleet = CommandSpec(
        name: "fleet",
        words: ("init|upgrade|add-host|remove-host|allow|disallow|drain|nodes|runs|lost|retry [ARGUMENT]...", 1...1000),
        summary: "set up and inspect a fleet of hosts that share runs; for operators of its database",
        reach: .thisHost,
        perform: { try FleetCommand(invocation: $0).perform() },
        notes: [
            "  init                    create the tables, functions and group roles in an empty database; for a superuser.",
            "       [--certificates FOLDER --server NAME=ADDRESS]...",
            "                          create a certificate authority, and a certificate for the database's servers",
            "  upgrade                 upgrade the tables and functions to the version of this program",
            "  add-host HOST           add a host and a login role with the same name",
            "       [--certificates FOLDER]",
            "                          create its certificate, and an archive for the host. Repeat it to renew.",
            "  remove-host HOST        remove a host and its role; its runs are treated as lost",
            "       [--certificates FOLDER]",
            "                          revoke its certificates",
            "  allow HOST USER@REALM   permit a host to act for a user, or for all users of a realm (*@REALM)",
            "  disallow HOST USER@REALM",
            "                          withdraw the permission",
            "  drain HOST [--undo]     assign no more runs to a host",
            "  nodes [--json]          list the hosts",
            "  runs [--json]           list the runs of all users that have not ended",
            "  lost [--json]           list the newest runs that ended because their host was lost",
            "  retry RUN               submit an ended run again; repeating the command returns the same new run",
            "",
            "Each command accepts --database CONNECTION, a libpq connection string. The default is",
            "$INTENTD_FLEET_DATABASE or, if it is not set, 'dbname=fleet' with libpq's defaults. Except for init,",
            "add-host and remove-host, the role must be a member of fleet_operator. The package intentd-fleet is required.",
            "",
            "Other commands act on runs of the fleet with --fleet: run, list, describe, ps, watch, wait, cancel, answer,",
            "retry, undo, press, logs, fetch, history, show, why, status, metrics.",
        ]
    )
}
