/// What the manual says about other hosts.
enum HostText {
    static let exitRule =
        "With several hosts: 0 if the command succeeds at all of them, or at as many as --at-least tells; the code of the "
        + "failures if they have the same code; else 1."

    static let manual = [
        "With --host, a command acts on the intentd of another host. intentctl starts 'ssh HOST intentctl relay', so ssh_config(5)",
        "applies, and the user needs an account there that may use intentd. No port is opened. The files of parameters are sent,",
        "result files come back to --out, each is checked by its SHA-256. If ssh dies, intentctl starts it again for 60 s:",
        "transfers continue where they were, and runs continue meanwhile. What comes through a pipe is read to its end first.",
        "Without a terminal, and with several hosts, ssh asks no questions (BatchMode).",
        "--socket and --user then select the daemon of the other host.",
        "",
        "HOST is what ssh takes: web1, user@web1, ssh://user@web1:2222. Several hosts are separated by commas; @NAME is a group of",
        "the files below. A line of these files names a group and its members, which can be groups: 'web: web1 user@web2 @db'.",
        "A number sign begins a comment. A group in the user's file replaces one of all users.",
        "",
        "With several hosts, the command runs at all of them at a time, or at --serial N. Equal answers are printed once, with the",
        "hosts that gave them. Result files go to a folder with the name of the host, in --out. With --stop-on-failure, no other",
        "host begins once the command cannot succeed any longer. With --output json: {\"answers\": [{\"hosts\", \"exitCode\",",
        "\"output\"}], \"exitCode\", \"skipped\"}. mcp, top and watch act on one host.",
    ]
}
