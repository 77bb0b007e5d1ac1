/// The commands for app authors.
extension CommandSpec {
    static let verify = CommandSpec(
        name: "verify",
        words: ("EXECUTABLE|FILE.intents", 1...1),
        summary: "check an app, or a file that declares programs as intents, before it is installed",
        reach: .thisHost,
        perform: { try await VerifyCommand(invocation: $0).perform() },
        notes: [
            "Checks the linkage and libraries of the app, and reads its intents in a sandbox, as intentd does.",
            "Warns about problems that do not prevent a run, and names the modifiers of views that snippets ignore.",
            "For a file, checks the programs, and whether apps can read the paths that the file grants.",
            "Exit codes: 0 ready, 66 no such file, 78 the app would not run.",
        ]
    )

    static let new = CommandSpec(
        name: "new",
        words: ("NAME | --command NAME -- PROGRAM ARGUMENT...", 1...1000),
        summary: "create a package with an intent and its test, or a file that declares a program as an intent",
        reach: .thisHost,
        perform: { try await NewCommand(invocation: $0).perform() },
        options: [
            OptionSpec(
                "command",
                .value("NAME"),
                "create NAME.intents from the command line after '--', and try it; %{name} becomes a parameter"
            ),
            OptionSpec(
                "package",
                .value("PATH"),
                default: "the checkout that this intentctl was built in",
                "the intentd package, which contains the AppIntents library"
            ),
            OptionSpec(
                "locales",
                .value("LANGUAGES"),
                default: "all",
                "link only the data of these languages, such as en,de: see 'intentctl help locales'"
            ),
        ]
    )

    static let locales = CommandSpec(
        name: "locales",
        words: ("LANGUAGES", 1...1),
        summary: "write locale data of selected languages, which an app links instead of the data of all languages",
        reach: .thisHost,
        perform: { try LocalesCommand(invocation: $0).perform() },
        options: [
            OptionSpec(
                "into",
                .value("FOLDER"),
                default: "Sources/LocaleData",
                "the folder of the target; its files are replaced"
            )
        ],
        notes: [
            "LANGUAGES are codes separated by commas, such as en,de. English is always kept.",
            "'intentctl new NAME --locales LANGUAGES' creates a package that has the target. In another package, add",
            "to the targets in Package.swift:",
            "",
            "    .target(name: \"LocaleData\"),",
            "",
            "and \"LocaleData\" to the dependencies of the app. A build with --static-swift-stdlib then links 4.6 MB",
            "for en,de instead of 34 MB. If the data is missing, in other builds, and after an update of the",
            "toolchain, the app has the data of all languages. Repeat the command after an update.",
            "",
            "The app then uses English formats and names for other languages. It does not support",
            "applyingTransform, or character sets other than Unicode's, Latin-1 and those of Windows for Western",
            "Europe. It cannot find words in Thai, Lao, Khmer, Burmese, Chinese and Japanese text if the language is",
            "not kept. Locale.availableIdentifiers still lists all languages.",
            "Exit codes: 0 written, 64 unknown language, 78 no toolchain.",
        ]
    )
}
