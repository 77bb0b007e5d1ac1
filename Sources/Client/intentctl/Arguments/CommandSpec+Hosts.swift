/// The options for acting on other hosts.
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
}
