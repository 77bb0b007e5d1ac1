/// The text of intentd.command(5) before and after the descriptions of the keys.
extension SettingsManual.Text {
    static let commandStart = """
        .Sh SYNOPSIS
        .Bl -item -compact
        .It
        .Pa /etc/intentd/commands.d/ Ns Ar APP Ns Pa .intents
        .It
        .Pa /usr/lib/intentd/commands.d/ Ns Ar APP Ns Pa .intents
        .It
        .Pa ~/.config/intentd/commands.d/ Ns Ar APP Ns Pa .intents
        .El
        .Sh DESCRIPTION
        A file of this kind declares programs as the intents of the app
        .Ar APP .
        Each intent has typed parameters, a sandbox, limits, progress, cancellation, questions and a history like an intent
        that is written in Swift.
        A file in
        .Pa /etc
        replaces the file of the same name in
        .Pa /usr/lib ;
        those in
        .Pa ~/.config
        are for a user's own daemon.
        The file and its folder must belong to root or the user of intentd, and no other user may be able to write to them.
        .Pp
        The syntax is that of
        .Xr intentd.conf 5 .
        Besides the sections below, the file may have every section and key of
        .Xr intentd.app 5
        except
        .Cm Executable= ;
        .Pa /etc/intentd/apps.d/ Ns Ar APP Ns Pa .conf
        overrides them.
        A changed file is used from the next request on, without a reload.
        A mistake is reported with its line, and affects only the intents of its file.
        .Pp
        .Ql intentctl verify Ar FILE
        checks a file,
        .Ql intentctl run --local Ar FILE INTENT
        performs an intent without a daemon, and
        .Ql intentctl new --command Ar NAME Li -- Ar PROGRAM ARGUMENT ...
        writes a file from a command line.
        .Sh TEMPLATES
        The value of
        .Cm Exec=
        is a list of words, with the quotes and escapes of
        .Xr systemd.syntax 7 .
        No shell reads it:
        .Ql $ ,
        .Ql *
        and
        .Ql \\&|
        have no meaning.
        Placeholders stand for values:
        .Bl -tag -width Ds
        .It Li %{ Ns Ar name Ns Li }
        The value of the parameter.
        It stays within its word, whatever characters it has.
        The word is left out if the parameter has no value, and repeated for each element of a list.
        .It Li %{ Ns Ar name Ns Li \\&? Ns Ar text Ns Li } , Li %{ Ns Ar name Ns Li \\&? Ns Ar text Ns Li \\&: Ns Ar other Ns Li }
        The text if the boolean parameter is true, or if another parameter has a value; else the other text.
        Without another text the word is left out.
        .It Li %{out: Ns Ar FILE Ns Li }
        The path of a new file that the intent returns.
        .It Li %{fd: Ns Ar name Ns Li }
        A path from which the program can read the value of a string once, at most 64 KiB.
        .It Li %%
        A percent sign.
        .El
        .Pp
        A value cannot become an option.
        A word that begins with a value that begins with
        .Ql -
        is refused, unless a word
        .Ql --
        precedes it.
        In
        .Li --name=%{name}
        the option is fixed, and the value is free.
        The values of a boolean and of
        .Cm Options=
        are the author's own, and always permitted.
        A value inside the text of a script, as in
        .Li sh -c '... %{name} ...' ,
        is code.
        .Ql intentctl verify
        warns of it; pass the value behind the script, as in
        .Li sh -c '... \\(dq$1\\(dq ...' sh %{name} .
        .Sh ENVIRONMENT
        A program inherits
        .Ev PATH , HOME , TMPDIR , STATE_DIRECTORY , LANG , TZ
        and the variables of
        .Cm Environment= .
        .Ev INTENTD_RUN
        is the identifier of the run, and
        .Ev INTENT_SOCKET
        the socket for
        .Xr intent-ask 1 .
        .Sh SANDBOX
        The sandbox is that of an app, see
        .Xr intentd-sandbox 7 .
        By default a program sees
        .Pa /usr ,
        the folder of its run and nothing else of the host;
        .Cm Programs= , ReadPaths= , WritePaths=
        and
        .Cm Network=
        of
        .Li [Sandbox]
        grant more.
        A program that needs
        .Xr flock 2 ,
        set-user-ID programs or code that is generated while it runs does not work.
        When the program exits, the run ends, and every process that it left behind is killed.

        """

    static let commandApp = "This section has the keys of\n.Xr intentd.app 5 ,\nand:"

    static let commandIntent = """
        An intent.
        Its name has letters, digits,
        .Ql -
        and
        .Ql _ ,
        and begins with a letter.
        The section has the keys of
        .Xr intentd.app 5 ,
        such as
        .Cm Runtime= ,
        and:
        """

    static let commandParameter = """
        A parameter of the intent.
        Its name has the same form as that of an intent.
        Parameters are listed in the order of their sections, which follow that of the intent.
        """

    static let commandEnd = """
        .Sh EXAMPLES
        Backups of two folders, with progress:
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
        .Sh SEE ALSO
        .Xr intent-ask 1 ,
        .Xr intent-progress 1 ,
        .Xr intentctl 1 ,
        .Xr intentd.app 5 ,
        .Xr intentd.conf 5 ,
        .Xr intentd-sandbox 7 ,
        .Xr intentd 8
        """
}
