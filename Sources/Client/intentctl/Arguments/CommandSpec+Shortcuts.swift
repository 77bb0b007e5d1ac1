/// The command for a user's own shortcuts.
extension CommandSpec {
    static let shortcut = CommandSpec(
        name: "shortcut",
        words: ("add FILE.shortcut | list | remove NAME...", 1...1000),
        summary: "store shortcuts of your own, which only you see and perform",
        reach: .severalHosts,
        perform: { try await ShortcutCommand(invocation: $0).perform() },
        notes: [
            "add stores the text of the file in intentd, in place of an earlier shortcut of its name. Later changes of the",
            "file have no effect until it is added again; list says whether the file differs.",
            "A user can store \(OwnShortcutText.countLimit) shortcuts. An installed app with its name takes precedence.",
            "Exit codes: 66 no such file or shortcut, 78 the file has mistakes.",
        ]
    )
}
