import IntentLauncherMessages

/// The keys of `[App]` that are valid only in an intentd.command(5) file, in addition to those of intentd.app(5).
package enum CommandAppKey: String, SettingKey {
    case description = "Description"
    case mcpServer = "MCPServer"

    var manual: SettingManual {
        switch self {
        case .description:
            SettingManual(
                .value(name: "text", of: "text"),
                example: "Backups of this machine",
                "The group under which clients list the intents."
            )
        case .mcpServer:
            SettingManual(
                .value(name: "program argument ...", of: "an absolute path, followed by words without placeholders"),
                example: "/usr/bin/mcp-server-git --repository /srv/git/site",
                """
                A server of the Model Context Protocol that communicates over its standard input and output.
                Its tools are the intents of the app, and the file declares no other intent.
                See
                .Sx MCP SERVERS .
                """
            )
        }
    }
}

/// The keys of `[Intent NAME]` that are valid only in an intentd.command(5) file, in addition to those of
/// intentd.app(5).
package enum CommandIntentKey: String, SettingKey {
    case title = "Title"
    case description = "Description"
    case summary = "Summary"
    case exec = "Exec"
    case environment = "Environment"
    case workingDirectory = "WorkingDirectory"
    case standardInput = "StandardInput"
    case terminal = "Terminal"
    case longRunning = "LongRunning"
    case progress = "Progress"
    case progressPattern = "ProgressPattern"
    case progressSource = "ProgressSource"
    case cancellable = "Cancellable"
    case cancel = "Cancel"
    case killSignal = "KillSignal"
    case result = "Result"
    case dialog = "Dialog"
    case successExitStatus = "SuccessExitStatus"
    case undo = "Undo"
    case readOnly = "ReadOnly"
    case destructive = "Destructive"
    case idempotent = "Idempotent"

    /// The names of the reasons for a cancellation, as arguments of the macro `.Li`.
    private static let cancellationReasons = CancellationReason.known.map(\.name).joined(separator: " , ")
    private static let words = "words in template syntax"

    var manual: SettingManual {
        switch self {
        case .title:
            SettingManual(
                .value(name: "text", of: "text"),
                standard: "the name of the intent",
                example: "Create a backup",
                "The title that people see."
            )
        case .description:
            SettingManual(
                .value(name: "text", of: "text"),
                example: "Writes the folder into a compressed archive.",
                "What the intent does, for help texts and agents."
            )
        case .summary:
            SettingManual(
                .value(name: "text", of: "text with placeholders of the form %{name}"),
                example: "Back up %{folder}",
                """
                The sentence that describes a run with its values.
                It must not contain secret parameters.
                """
            )
        case .exec:
            SettingManual(
                .value(name: "program argument ...", of: "an absolute path, followed by \(Self.words)"),
                standard: "none; the key is required",
                example: "/usr/bin/tar --create --file %{out:archive.tar} --directory %{folder} .",
                """
                The program and its arguments.
                No shell interprets them.
                The key may be given once.
                """
            )
        case .environment:
            SettingManual(
                .list(name: "name=value", of: "assignments in template syntax, separated by spaces"),
                standard: "empty",
                example: "PGPASSWORD=%{password}",
                """
                Variables of the program's environment, in addition to those of the app.
                Values of secret parameters are permitted.
                An assignment is omitted if its placeholder has no value.
                The key may be given several times; an empty value clears the list.
                """
            )
        case .workingDirectory:
            SettingManual(
                .value(name: "path", of: "an absolute path in template syntax"),
                standard: "the run's folder, which is empty when the run starts and is removed after the run has ended",
                example: "/srv/www",
                "The folder in which the program starts."
            )
        case .standardInput:
            SettingManual(
                .value(name: "text", of: "text in template syntax"),
                standard: "/dev/null",
                example: "%{document}",
                """
                The contents of the program's standard input.
                The value
                .Li %{name}
                of a file parameter passes the file itself, of any size, without a copy.
                A secret may have at most 64 KiB.
                """
            )
        case .terminal:
            .flag(
                """
                With
                .Cm yes ,
                the program has a terminal of its own, of 80 columns and 24 lines, as its standard output, standard error
                and
                .Pa /dev/tty .
                Many programs then print each line at once, and report progress.
                Both streams are one, the run's standard output.
                Without
                .Cm StandardInput= ,
                the terminal is also standard input, and a program that reads it receives end of file, unless it has
                changed the modes of the terminal and waits for a key.
                .Ev TERM
                is
                .Li dumb
                unless
                .Cm Environment=
                sets it.
                A cancellation also signals the process group in the foreground of the terminal.
                A run may have at most 64 terminals.
                """
            )
        case .longRunning:
            .flag(
                """
                With
                .Cm yes ,
                .Cm LongCeiling=
                of
                .Xr intentd.app 5
                limits the total time of a run, 24 hours by default, while its progress advances.
                Without
                .Cm Progress= ,
                progress never advances, and
                .Cm Runtime=
                ends the run.
                """
            )
        case .progress:
            SettingManual(
                .choice(CommandProgressSource.allCases.map(\.rawValue)),
                example: "notify",
                """
                How the program reports progress.
                With
                .Cm notify ,
                it sends datagrams to the socket
                .Ev NOTIFY_SOCKET
                .Pq Xr sd_notify 3 :
                .Li X_PROGRESS=12/100
                or
                .Li X_PROGRESS=12% ,
                and
                .Li STATUS=text .
                .Xr systemd-notify 1
                and
                .Xr intent-progress 1
                send them.
                With
                .Cm lines ,
                it prints lines that match
                .Cm ProgressPattern= .
                With
                .Cm output ,
                everything that it prints is progress.
                Only progress above the previous reports extends
                .Cm Runtime= .
                After 100%, a lower report begins a new phase, and extends it, too.
                """
            )
        case .progressPattern:
            SettingManual(
                .value(name: "expression", of: "a regular expression with named groups"),
                standard: "(?<percent>\\ed+(?:\\e.\\ed+)?)%",
                example: "(?<done>\\ed+)/(?<total>\\ed+)",
                """
                The lines with progress, which are not part of the run's output.
                The groups
                .Li done
                and
                .Li total ,
                or the group
                .Li percent ,
                must be numbers, and the group
                .Li status
                is a description for people.
                A line ends at a line feed or a carriage return.
                """
            )
        case .progressSource:
            SettingManual(
                .choice(CommandOutputStream.allCases.map(\.rawValue)),
                standard: "both",
                example: "error",
                "The stream that is searched for progress lines: standard output, standard error, or both."
            )
        case .cancellable:
            .flag(
                """
                With
                .Cm yes ,
                a cancelled run has the grace period of
                .Cm GraceCancellable= ,
                5 seconds by default, instead of
                .Cm Grace= ,
                1 second by default.
                """
            )
        case .cancel:
            SettingManual(
                .value(name: "program argument ...", of: "an absolute path, followed by \(Self.words)"),
                standard:
                    "none; the process group of the program in\n.Cm Exec=\nreceives the signal in\n.Cm KillSignal=",
                example: "/usr/bin/backup --stop",
                """
                The program that is started when a run is cancelled, with the reason
                .Pq Li \(Self.cancellationReasons)
                in
                .Ev INTENT_CANCEL_REASON
                and the process id of the cancelled program in
                .Ev INTENT_PID .
                Processes that remain after the grace period are killed.
                """
            )
        case .killSignal:
            SettingManual(
                .choice(CommandSignal.allCases.map(\.rawValue)),
                standard: "SIGTERM",
                example: "SIGINT",
                "The signal for the program's process group when a run is cancelled."
            )
        case .result:
            SettingManual(
                .choice(CommandResult.allCases.map(\.rawValue)),
                standard: "files if\n.Cm Exec=\ncontains\n.Li %{out:NAME} ,\notherwise none",
                example: "json",
                """
                The value that the intent returns.
                .Cm text , integer , number , boolean
                and
                .Cm json
                read the whole standard output, at most 64 KiB;
                .Cm lines
                returns a list with an element for each line.
                .Cm status
                returns the exit status.
                .Cm files
                returns the file of
                .Li %{out:NAME} ,
                or a list if there are several.
                .Cm none
                returns no value, and standard output is part of the run's output.
                """
            )
        case .dialog:
            SettingManual(
                .value(name: "text", of: "text with placeholders"),
                example: "Backed up %{folder}.",
                """
                The sentence at the end of a successful run.
                Besides parameters,
                .Li %{result}
                is replaced with the result, and
                .Li %{last-line}
                with the last line of standard output.
                """
            )
        case .successExitStatus:
            SettingManual(
                .list(name: "status", of: "exit statuses from 0 to 255, separated by spaces"),
                standard: "0",
                example: "0 1",
                """
                The exit statuses that mean success.
                With
                .Cm Result=status ,
                every exit status means success unless this key is set.
                """
            )
        case .undo:
            SettingManual(
                .value(
                    name: "intent [parameter=value ...]",
                    of: "the name of an intent in the file, followed by assignments in template syntax"
                ),
                example: "Restore archive=%{result} folder=%{folder}",
                """
                The intent that undoes a successful run, and the values for its parameters.
                .Ql intentctl undo
                performs it.
                """
            )
        case .readOnly:
            .flag(
                """
                With
                .Cm yes ,
                the intent only reads data.
                Agents may perform it without approval, unless the operator decides otherwise.
                """
            )
        case .destructive:
            .flag(
                """
                With
                .Cm yes ,
                the intent removes or overwrites something that cannot be restored.
                """
            )
        case .idempotent:
            .flag(
                """
                With
                .Cm yes ,
                performing the intent twice has the same effect as performing it once.
                """
            )
        }
    }
}

/// `Progress=`: how a program reports its progress.
package enum CommandProgressSource: String, CaseIterable, Sendable {
    case none
    case notify
    case lines
    case output
}

/// `ProgressSource=`: the streams that are searched for progress lines.
package enum CommandOutputStream: String, CaseIterable, Sendable {
    case output
    case error
    case both
}

/// `KillSignal=`: the signals that ask a program to stop.
package enum CommandSignal: String, CaseIterable, Sendable {
    case terminate = "SIGTERM"
    case interrupt = "SIGINT"
    case quit = "SIGQUIT"
    case hangUp = "SIGHUP"
    case user1 = "SIGUSR1"
    case user2 = "SIGUSR2"
}

/// `Result=`: the value that an intent returns.
package enum CommandResult: String, CaseIterable, Sendable {
    case none
    case text
    case integer
    case number
    case boolean
    case json
    case lines
    case status
    case files
}
