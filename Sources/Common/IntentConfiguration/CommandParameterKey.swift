/// The keys of `[Intent NAME.Parameter NAME]` in an intentd.command(5) file.
package enum CommandParameterKey: String, SettingKey {
    case type = "Type"
    case title = "Title"
    case description = "Description"
    case question = "Question"
    case defaultValue = "Default"
    case optional = "Optional"
    case list = "List"
    case count = "Count"
    case range = "Range"
    case pattern = "Pattern"
    case options = "Options"
    case option = "Option"
    case optionsCommand = "OptionsCommand"
    case secret = "Secret"

    var manual: SettingManual {
        switch self {
        case .type:
            SettingManual(
                .choice(CommandValueType.allCases.map(\.rawValue)),
                standard: "string",
                example: "integer",
                """
                The type of the value.
                .Cm date , time
                and
                .Cm datetime
                are passed as strings such as
                .Li 2026-11-21 , 09:30
                and
                .Li 2026-11-21T09:30:00Z ,
                .Cm duration
                as a number of seconds, and
                .Cm boolean
                as
                .Li true
                or
                .Li false .
                A
                .Cm file
                is passed as the path of a copy in the run's folder.
                Changes to the copy are written back if the caller passes the file with
                .Fl Fl writable .
                """
            )
        case .title:
            SettingManual(
                .value(name: "text", of: "text"),
                standard: "the name of the parameter",
                example: "Folder",
                "The title that people see."
            )
        case .description:
            SettingManual(
                .value(name: "text", of: "text"),
                example: "The folder to back up.",
                "The purpose of the value."
            )
        case .question:
            SettingManual(
                .value(name: "text", of: "text"),
                example: "Which folder?",
                "The question with which a client asks for a missing value."
            )
        case .defaultValue:
            SettingManual(
                .value(
                    name: "value",
                    of: "a value of the type; for a list, words quoted as in systemd.syntax(7)"
                ),
                example: "/srv/www",
                """
                The value that is used if the caller does not set a value.
                A file cannot have a default.
                """
            )
        case .optional:
            .flag(
                """
                With
                .Cm yes ,
                the caller may omit the value.
                Template words that contain the value are then omitted as well.
                """
            )
        case .list:
            .flag(
                """
                With
                .Cm yes ,
                the value is a list.
                A template word that contains the list becomes one argument for each element.
                """
            )
        case .count:
            SettingManual(
                .value(name: "range", of: "a range of whole numbers: 1..5, 1.. or ..5"),
                standard: "any number",
                example: "1..5",
                "The permitted number of elements of a list."
            )
        case .range:
            SettingManual(
                .value(name: "range", of: "a range of numbers, both bounds included: 1..9, 1.. or ..9"),
                standard: "any value",
                example: "1..9",
                "The permitted values of a number."
            )
        case .pattern:
            SettingManual(
                .value(name: "expression", of: "a regular expression"),
                standard: "any string",
                example: "[a-z][a-z0-9-]*",
                "The pattern that the whole string must match."
            )
        case .options:
            SettingManual(
                .list(name: "value", of: "words quoted as in systemd.syntax(7)"),
                standard: "any value",
                example: "/srv/www /srv/mail",
                """
                The only permitted values of a string.
                The key may be given several times.
                """
            )
        case .option:
            SettingManual(
                .value(name: "value [title]", of: "a word, and a title for people"),
                standard: "any value",
                example: "zstd Zstandard, fast",
                """
                One permitted value of a string, with its title.
                The key may be given several times, and together with
                .Cm Options= .
                """
            )
        case .optionsCommand:
            SettingManual(
                .value(
                    name: "program argument ...",
                    of: "an absolute path, followed by words in template syntax"
                ),
                example: "/usr/bin/ls -1 /srv",
                """
                A program that prints the permitted values of a string, one per line.
                A title may follow a value, separated by a tab.
                The program runs in the app's sandbox.
                It runs when a client requests the values, and again before the intent is performed, to check the value.
                """
            )
        case .secret:
            .flag(
                """
                With
                .Cm yes ,
                the value is never recorded and never part of an argument.
                It may be in
                .Cm Environment=
                and
                .Cm StandardInput= ,
                and
                .Li %{fd:name}
                is a path from which the program reads it.
                """
            )
        }
    }
}

/// `Type=`: the type of a parameter.
package enum CommandValueType: String, CaseIterable, Sendable {
    case string
    case integer
    case number
    case boolean
    case date
    case time
    case datetime
    case duration
    case url
    case file
}
