/// The command that serves the page.
extension CommandSpec {
    static let web = CommandSpec(
        name: .web,
        words: "",
        wordCount: 0...0,
        summary: "serve a page for your browser: see, run and answer",
        options: [
            OptionSpec("open", .flag, "open the page in the browser of this desktop"),
            OptionSpec("port", .value("N"), default: "any free one", "the port at 127.0.0.1"),
            OptionSpec("listen-socket", .value("PATH"), "listen at a Unix socket of your user instead, for ssh -L"),
            OptionSpec("page", .value("DIR"), default: "the installed one", "the folder with the files of the page"),
        ],
        notes: [
            "Prints an address. It opens the page once, in one browser, within 15 minutes. The page has the rights of the",
            "user who started this command, and no more. The server ends with Ctrl-C, or after 8 hours without a page.",
            "",
            "After a login by ssh, the command also prints the line with which your own machine reaches the port:",
            "ssh -L PORT:127.0.0.1:PORT HOST. With --host, the page shows another host, and ssh carries each link.",
        ]
    )
}
