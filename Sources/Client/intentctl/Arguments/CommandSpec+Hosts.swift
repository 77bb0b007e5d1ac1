/// The options for acting on other hosts, and the command that 'intentctl --host' starts on them.
extension CommandSpec {
    static let host = OptionSpec(
        "host",
        .value("HOST,...|@GROUP"),
        default: "$INTENTD_HOST or, if it is not set, this host",
        "act on other hosts over ssh: see intentctl(1)"
    )

    /// The options for commands that act on several hosts.
    package static let fanOutOptions: [OptionSpec] = [
        OptionSpec("at-least", .value("N"), default: "all", "with several hosts: succeed if N hosts succeed"),
        OptionSpec("serial", .value("N"), default: "all", "with several hosts: act on N at a time"),
        OptionSpec(
            "stop-on-failure",
            .flag,
            "with several hosts: act on no further hosts once --at-least cannot be met"
        ),
    ]

    static let relay = CommandSpec(
        name: "relay",
        summary: "serve 'intentctl --host' on another host, over standard input and output",
        reach: .fleet,
        perform: { try RelayCommand(invocation: $0).perform() },
        notes: [
            "'intentctl --host' starts this command over ssh. It copies messages and files between its standard",
            "streams and intentd's socket, with the permissions of the user who logged in, and opens no port.",
            "",
            "To restrict a key to this command, write in ~/.ssh/authorized_keys:",
            "restrict,command=\"intentctl relay\" ssh-ed25519 AAAA...",
        ]
    )
}
