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
            OptionSpec("page", .value("DIR"), default: "the installed page", "the folder with the files of the page"),
        ],
        notes: [
            "Prints an address, which can be opened once, in one browser, within 15 minutes. The page has the",
            "permissions of the user who started this command. The server exits on Ctrl-C, or after 8 hours without",
            "an open page.",
            "",
            "In an ssh session, the command also prints the command that forwards the port to your own machine:",
            "ssh -L PORT:127.0.0.1:PORT HOST. With --host, the page shows another host, and uses ssh for each link.",
        ]
    )
}
