/// The text of intentd.command(5) before and after the descriptions of the keys.
extension SettingsManual.Text {
    /// The paths of a file that describes intents.
    static func paths(folder: String, _ file: String) -> String {
        let places = ["/etc/intentd", "/usr/lib/intentd", "~/.config/intentd"]
        return ".Sh SYNOPSIS\n.Bl -item -compact\n"
            + places.map { ".It\n.Pa \($0)/\(folder)/ Ns Ar \(file)\n" }.joined() + ".El"
    }

    /// The users who may write a file that describes intents.
    static let authors = """
        The file and its folder must belong to root or intentd's user, and no other user may be able to write to them.
        """

    /// The form of a name in a file that describes intents.
    static let nameForm = """
        Its name consists of letters, digits,
        .Ql -
        and
        .Ql _ ,
        and starts with a letter.
        """

    static let percentSign = ".It Li %%\nA percent sign.\n.El"

    /// The last section of a manual page.
    static func seeAlso(_ pages: String...) -> String {
        ".Sh SEE ALSO\n" + pages.map { ".Xr \($0)" }.joined(separator: " ,\n")
    }

    static let commandStart = """
        \(paths(folder: "commands.d", "APP Ns Pa .intents"))
        .Sh DESCRIPTION
        Each file declares programs as the intents of the app
        .Ar APP .
        Each intent has typed parameters, a sandbox, limits, progress, cancellation, questions and a history, like an
        intent that is written in Swift.
        A file in
        .Pa /etc
        replaces the file of the same name in
        .Pa /usr/lib ;
        files in
        .Pa ~/.config
        are for a user's own daemon.
        \(authors)
        .Pp
        The syntax is that of
        .Xr intentd.conf 5 .
        The file may contain the sections below, and every section and key of
        .Xr intentd.app 5
        except
        .Cm Executable= .
        The settings in
        .Pa /etc/intentd/apps.d/ Ns Ar APP Ns Pa .conf
        override the file.
        Changes to the file take effect at the next request, without a reload.
        An error is reported with its line number, and affects only the intents of its file.
        .Pp
        .Ql intentctl verify Ar FILE
        checks a file,
        .Ql intentctl run --local Ar FILE INTENT
        performs an intent without a daemon, and
        .Ql intentctl new --command Ar NAME Li -- Ar PROGRAM ARGUMENT ...
        creates a file from a command line.
        .Sh TEMPLATES
        The value of
        .Cm Exec=
        is a list of words, with the quotes and escapes of
        .Xr systemd.syntax 7 .
        No shell interprets the words, so the characters
        .Ql $ ,
        .Ql *
        and
        .Ql \\&|
        have no special meaning.
        Placeholders are replaced with values:
        .Bl -tag -width Ds
        .It Li %{ Ns Ar name Ns Li }
        The value of the parameter.
        The value remains part of its word, regardless of the characters that it contains.
        If the parameter has no value, the word is omitted.
        For a list, the word is repeated for each element.
        .It Li %{ Ns Ar name Ns Li \\&? Ns Ar text Ns Li } , Li %{ Ns Ar name Ns Li \\&? Ns Ar text Ns Li \\&: Ns Ar other Ns Li }
        The string
        .Ar text
        if the boolean parameter is true, or if a parameter of another type has a value; otherwise the string
        .Ar other .
        Without
        .Ar other ,
        the word is omitted.
        .It Li %{out: Ns Ar FILE Ns Li }
        The path of a new file that the intent returns.
        .It Li %{fd: Ns Ar name Ns Li }
        A path from which the program can read the value of a string once, at most 64 KiB.
        \(percentSign)
        .Pp
        A value is never interpreted as an option.
        A word that starts with a value is refused if the value starts with
        .Ql -
        and no word
        .Ql --
        precedes the word.
        In
        .Li --name=%{name}
        the option is fixed, so any value is permitted.
        The values of a boolean parameter and of
        .Cm Options=
        are chosen by the author of the file and are always permitted.
        A negative number is permitted, too;
        .Cm Range=
        excludes it.
        A value within a script, as in
        .Li sh -c '... %{name} ...' ,
        is executed as code.
        .Ql intentctl verify
        warns of such a value; pass it after the script instead, as in
        .Li sh -c '... \\(dq$1\\(dq ...' sh %{name} .
        .Sh MCP SERVERS
        With
        .Cm MCPServer= ,
        each tool of the server is an intent.
        A run starts the server in its sandbox, calls one tool and ends, so that nothing of a call reaches another call, except
        what the server keeps in
        .Ev STATE_DIRECTORY .
        A server that keeps state in memory between calls loses it.
        The server is killed once it has answered.
        .Pp
        The catalogue comes from the server, which is started once for it, without the network and without credentials.
        A tool that has changed since then is refused.
        .Pp
        Whatever a server says about the effect of its tools lowers no protection: agents may perform them only with
        .Cm Allow=all ,
        and a person approves each request, unless
        .Cm Effect=
        in
        .Li [Intent TOOL]
        says otherwise.
        The keys of
        .Xr intentd.app 5
        are valid in
        .Li [Intent TOOL] ,
        and those for programs are not.
        .Pp
        Text of a tool is an element of the result, and images, audio and resources are its files.
        A question of the server is a question of the run, its log and what it prints are the run's output, and its progress
        extends
        .Cm Runtime= .
        It may not use a model of the caller
        .Pq sampling .
        The folders in
        .Cm ReadPaths=
        and
        .Cm WritePaths=
        of the file are its roots.
        .Pp
        .Ql intentctl new --mcp-server Ar NAME Li -- Ar VARIABLE=VALUE PROGRAM ARGUMENT ...
        creates a file and finds the grants that the server needs.
        .Sh ENVIRONMENT
        A program inherits
        .Ev PATH , HOME , TMPDIR , USER , LOGNAME , SHELL , STATE_DIRECTORY , LANG , TZ
        and the variables of
        .Cm Environment= .
        .Ev INTENTD_RUN
        is the identifier of the run, and
        .Ev INTENT_SOCKET
        is the socket for
        .Xr intent-ask 1 .
        .Sh SANDBOX
        The sandbox is the same as for any app; see
        .Xr intentd-sandbox 7 .
        By default, a program has access to
        .Pa /usr ,
        the run's folder, and nothing else on the host.
        The keys
        .Cm Programs= , ReadPaths= , WritePaths=
        and
        .Cm Network=
        of
        .Li [Sandbox]
        grant access to more.
        A program that needs
        .Xr flock 2 ,
        or set-user-ID programs does not work, and one that generates code at run time needs
        .Cm GeneratedCode=yes .
        When the program exits, the run ends, and every process that the program left behind is killed.

        """

    static let commandApp = "This section may contain the keys of\n.Xr intentd.app 5 ,\nand:"

    static let commandIntent = """
        Declares an intent.
        \(nameForm)
        The section may contain the keys of
        .Xr intentd.app 5 ,
        such as
        .Cm Runtime= ,
        and:
        """

    static let commandParameter = """
        Declares a parameter of the intent.
        Its name follows the same rules as the name of an intent.
        Parameters are listed in the order of their sections, which follow the section of the intent.
        """

    static let commandEnd = """
        .Sh EXAMPLES
        An intent that backs up one of two folders:
        .Bd -literal -offset indent
        [App]
        Description=Backups of this machine

        [Intent Create]
        Title=Create a backup
        Exec=/usr/bin/tar --create --zstd --file %{out:archive.tar.zst} --directory %{folder} .
        Summary=Back up %{folder}
        LongRunning=yes
        Runtime=10min

        [Intent Create.Parameter folder]
        Title=Folder
        Options=/srv/www /srv/mail

        [Sandbox]
        ReadPaths=/srv/www /srv/mail
        .Ed
        \(seeAlso(
            "intent-ask 1", "intent-progress 1", "intentctl 1", "intentd.app 5", "intentd.conf 5", "intentd-sandbox 7",
            "intentd 8"
        ))
        """
}
