/// The command that serves the web page.
extension CommandSpec {
    static let web = CommandSpec(
        name: "web",
        summary: "serve a web page for your browser: list and run intents, and answer questions",
        reach: .oneHost,
        perform: { try WebCommand(invocation: $0).perform() },
        options: [
            OptionSpec("open", .flag, "open the page in the desktop's browser"),
            OptionSpec("port", .value("N"), default: "any free port", "the port on 127.0.0.1"),
            OptionSpec("listen-socket", .value("PATH"), "listen on a Unix socket at PATH instead, for ssh -L"),
            OptionSpec(
                "private",
                .flag,
                "serve the API at a socket in a private folder, for the program that starts this command"
            ),
            OptionSpec("stdio", .flag, "serve 'intentctl --host' of another host, on standard input and output"),
            OptionSpec("api", .flag, "serve only the HTTP API, without the page"),
            OptionSpec("header-file", .value("PATH"), "write the header with which programs use the API to a new file"),
            OptionSpec("page", .value("DIR"), default: "the installed page", "the folder with the files of the page"),
        ],
        notes: [
            "Prints an address, which can be opened once, in one browser, within 15 minutes. The page has the",
            "permissions of the user who started this command. The server exits on Ctrl-C, or after 8 hours without",
            "an open page.",
            "",
            "The server also has an HTTP API for programs: curl -H @PATH http://127.0.0.1:PORT/v1/apps, where PATH is the",
            "--header-file. With --private, the command prints the path of the socket and the value of the header",
            "Authorization as JSON, and exits when its standard input ends.",
            "",
            "In an ssh session, the command also prints the command that forwards the port to your own machine:",
            "ssh -L PORT:127.0.0.1:PORT HOST. With --host, the page shows another host, over ssh.",
            "",
            "'intentctl --host' starts 'intentctl web --stdio' over ssh. It has the permissions of the user who logged in, and",
            "opens no port. To restrict a key to it, write in ~/.ssh/authorized_keys:",
            "restrict,command=\"intentctl web --stdio\" ssh-ed25519 AAAA...",
        ]
    )

    static let token = CommandSpec(
        name: "token",
        words: ("new NAME | list | revoke NAME", 1...2),
        summary: "manage the tokens of the HTTP API of intentd-web.service",
        reach: .thisHost,
        perform: { try TokenCommand(invocation: $0).perform() },
        options: [
            OptionSpec("as", .value("USER"), "the account that the token stands for"),
            OptionSpec("allow", .values("PATTERN"), "an intent that the token permits: APP/INTENT, APP/* or *"),
            OptionSpec("expires", .value("TIME"), default: "never", "the time after which the token is refused: 90d"),
            OptionSpec("tokens", .value("DIR"), default: "/etc/intentd/tokens", "the folder of the tokens"),
        ],
        notes: [
            "'new' prints the token only once, because its file contains a hash. 'list' shows tokens without their secrets.",
            "revoke removes a token: the service refuses it at once, and ends its connections.",
            "",
            "The name of the token is in the record of each of its runs and answers. Users= in [Web] of intentd.conf must",
            "name the account, which may be neither root nor an operator. Only root can manage tokens.",
        ]
    )
}
