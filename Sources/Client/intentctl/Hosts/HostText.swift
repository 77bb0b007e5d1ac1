/// The text about `--host` in intentctl(1).
enum HostText {
    static let exitRule =
        "With several hosts: 0 if the command succeeds on all of them, or on as many as --at-least specifies; "
        + "otherwise the exit code that all failed hosts share, or 1 if their exit codes differ."

    static let manual = [
        "With --host, a command acts on the intentd of another host. intentctl starts 'ssh HOST intentctl",
        "web --stdio', so ssh_config(5) applies, and the user needs an account there that has permission to",
        "use intentd, and the package intentd-web. No port is opened. intentctl sends the files of parameters,",
        "and saves result files in --out. If ssh exits, intentctl tries for up to 60 s to restart it:",
        "transfers resume where they stopped, and runs continue in the meantime. A pipe is read to its end",
        "before it is sent. Without a terminal, or with several hosts, ssh asks no questions (BatchMode).",
        "--socket and --user select the daemon on the other host.",
        "",
        "HOST is an ssh destination: web1, user@web1, ssh://user@web1:2222. Commas separate several hosts.",
        "@NAME is a group that one of the files below defines. A line of these files names a group and its",
        "members, which may be groups themselves: 'web: web1 user@web2 @db'. A number sign starts a comment.",
        "A group in the user's file replaces the group of the same name for all users.",
        "",
        "With several hosts, the command runs on all of them at the same time, or on N at a time with",
        "--serial N. Identical output is printed once, with the hosts that printed it. Result files are",
        "saved in --out, in a folder with the name of the host. With --stop-on-failure, the command is not",
        "started on further hosts once too many hosts have failed for --at-least to be met: by default, after",
        "the first failure. With --output json: {\"answers\": [{\"hosts\", \"exitCode\", \"output\"}], \"exitCode\",",
        "\"skipped\"}. mcp, press, top, watch and web act on one host.",
    ]
}
