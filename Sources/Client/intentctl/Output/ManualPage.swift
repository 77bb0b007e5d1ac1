/// Creates manual pages in mdoc(7) from the tables that the parser uses.
package enum ManualPage {
    /// The date of this release, in the format of `.Dd`.
    private static let date = "November 23, 2026"

    /// The page intentctl(1).
    package static let overview: String = {
        var lines = head("intentctl", "perform the intents of installed apps, and follow, answer and cancel their runs")
        lines += [
            ".Sh SYNOPSIS", ".Nm", ".Op Fl -host Ar HOST,...", ".Op Fl -socket Ar PATH | Fl -user",
            ".Op Fl -output Cm text | json",
            ".Ar COMMAND", ".Op Ar OPTIONS", ".Op Ar ARGUMENTS",
        ]
        lines += [".Sh DESCRIPTION"]
        lines += paragraphs([
            "App Intents are actions that an app declares. intentctl is a client of intentd(8), which performs each",
            "action in a separate sandboxed process. 'run --local' needs no service.",
        ])
        lines += [".Bl -tag -width describe"]
        for spec in CommandSpec.all {
            lines += [".It Xr intentctl-\(spec.name) 1"] + paragraphs([sentence(spec.summary)])
        }
        lines += [".El", ".Sh OPTIONS"] + list(of: CommandSpec.globalOptions)
        lines += [".Sh OTHER HOSTS"] + paragraphs(HostText.manual)
        lines += [".Sh ENVIRONMENT", ".Bl -tag -width INTENTD_SOCKET"]
        for (name, text) in environment { lines += [".It Ev \(name)"] + paragraphs([text]) }
        lines += [".El", ".Sh FILES", ".Bl -tag -width /run/intentd/intentd.sock"]
        lines += [".It Pa /run/intentd/intentd.sock", "The socket of the system's intentd."]
        lines += [".It Pa $XDG_RUNTIME_DIR/intentd/intentd.sock", "The socket of the user's own intentd."]
        lines += [".It Pa ~/.config/intentd/hosts", "The user's groups of hosts."]
        lines += [".It Pa /etc/intentd/hosts", "Groups of hosts for all users."]
        lines += [".It Pa ~/.cache/intentd/sandbox-trial"]
        lines += paragraphs([
            "Records that this host provides every protection of a sandbox, so that 'run --local' does not test it again",
            "until the next boot. The file can be removed at any time. doctor always tests the sandbox.",
        ])
        lines += [".It Pa ~/.cache/intentd/catalogs"]
        lines += paragraphs([
            "Records the intents of apps, so that 'run --local' does not ask an app to describe them again until one of its",
            "files changes. The files can be removed at any time. describe and verify always ask the app.",
        ])
        lines += [".It Pa ~/.cache/intentd/reviews"]
        lines += paragraphs(["The intents of apps that the user saw last with 'describe --changes'."])
        lines += [".El", ".Sh EXIT STATUS"] + exitCodes
        lines += paragraphs(["", HostText.exitRule])
        lines += [".Sh SEE ALSO", ".Xr journalctl 1 ,", ".Xr ssh 1 ,", ".Xr systemctl 1 ,", ".Xr intentd 8"]
        return text(lines)
    }()

    /// Returns the page of one command, such as intentctl-run(1).
    package static func of(_ spec: CommandSpec) -> String {
        var lines = head("intentctl-\(spec.name)", spec.summary)
        lines += [".Sh SYNOPSIS", ".Nm intentctl \(spec.name)"]
        if !spec.options.isEmpty { lines += [".Op Ar OPTIONS"] }
        if !spec.words.text.isEmpty { lines += [literal(spec.words.text)] }
        if spec.performsIntent {
            lines += [
                ".Nm intentctl \(spec.name)", ".Fl -local", ".Op Ar OPTIONS",
                literal("EXECUTABLE INTENT [--NAME VALUE]..."),
            ]
        }
        lines +=
            [".Sh DESCRIPTION"] + paragraphs([sentence(spec.summary)] + (spec.notes.isEmpty ? [] : [""] + spec.notes))
        if !spec.options.isEmpty { lines += [".Sh OPTIONS"] + list(of: spec.options) }
        lines += [".Sh EXIT STATUS"] + paragraphs(["See intentctl(1)."])
        lines += [".Sh SEE ALSO", ".Xr intentctl 1"]
        return text(lines)
    }

    private static let environment = [
        ("INTENTD_HOST", "The hosts to act on, as for --host. Commands that act only on this host ignore it."),
        ("INTENTD_SOCKET", "The path of intentd's socket. The default is the system daemon's socket."),
        ("INTENTD_SSH", "The program to run instead of ssh(1)."),
        ("PAGER", "The program that displays output that does not fit on the terminal."),
        ("TRACEPARENT", "The W3C Trace Context of a run."),
    ]

    private static var exitCodes: [String] {
        [".Bl -tag -width 130"]
            + ExitCode.allCases.flatMap { [".It \($0.rawValue)"] + paragraphs([$0.words]) } + [".El"]
    }

    // MARK: mdoc

    private static func head(_ name: String, _ summary: String) -> [String] {
        [
            ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os intentd \(IntentConnection.softwareVersion)",
            ".Sh NAME", ".Nm \(name)", ".Nd \(escaped(summary))",
        ]
    }

    private static func list(of options: [OptionSpec]) -> [String] {
        [".Bl -tag -width Ds"]
            + options.flatMap { option in
                let fallback = option.defaultText.map { " The default: \($0)." } ?? ""
                return [".It " + literal(String(option.form.trimmed))] + paragraphs([sentence(option.help) + fallback])
            } + [".El"]
    }

    /// Splits the lines into paragraphs at empty lines, and starts each sentence on a new line.
    private static func paragraphs(_ lines: [String]) -> [String] {
        lines.flatMap { line in
            line.isEmpty
                ? [".Pp"] : line.trimmed.replacing(utf8: ". ", with: ".\n").lines().map { escaped(String($0)) }
        }
    }

    private static func sentence(_ text: String) -> String {
        "\(text.prefix(scalars: 1).uppercased())\(text.dropFirst(scalars: 1))."
    }

    /// Escapes a string so that hyphens are preserved and mdoc(7) interprets no word as a macro.
    private static func literal(_ text: String) -> String { "\\&" + escaped(text).replacing(utf8: "-", with: "\\-") }

    private static func escaped(_ text: String) -> String {
        let text = text.replacing(utf8: "\\", with: "\\e")
        // mdoc(7) interprets a line with one of these prefixes as a macro.
        return text.hasPrefix(utf8: ".") || text.hasPrefix(utf8: "'") ? "\\&" + text : text
    }

    private static func text(_ lines: [String]) -> String { lines.joined(separator: "\n") }
}

extension ExitCode {
    /// The description of the exit code in intentctl(1).
    fileprivate var words: String {
        switch self {
        case .done: "The intent returned, or the command succeeded."
        case .failed: "The intent threw an error, or the command failed."
        case .usage: "An option is unknown, or a parameter is missing or invalid."
        case .badInput: "The input is malformed, or a value is too large."
        case .notFound: "The app, the intent or the run does not exist."
        case .unavailable: "intentd does not answer."
        case .crashed: "The app crashed, or violated the worker protocol."
        case .resourceLimit: "The run exceeded a limit of its sandbox, or there is no space for its result."
        case .tryLater: "intentd is busy, or intentctl stopped waiting."
        case .unanswered: "A question was not answered."
        case .notPermitted: "The caller lacks permission."
        case .configuration: "The installation or the configuration of the app is invalid."
        case .timeout: "The run was cancelled because it exceeded a time limit."
        case .clientDisconnected: "The run was cancelled because its client disconnected."
        case .userCancelled: "The run was cancelled by a user, or a newer run replaced it."
        case .serviceStopped: "The run was cancelled because intentd stopped."
        }
    }
}
