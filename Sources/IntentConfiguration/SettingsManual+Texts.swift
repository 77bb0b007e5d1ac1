/// The text of intentd.conf(5) and intentd.app(5) before and after the descriptions of the keys.
extension SettingsManual {
    enum Text {
        static let serviceStart = """
            .Sh SYNOPSIS
            .Bl -item -compact
            .It
            .Pa /etc/intentd/intentd.conf
            .It
            .Pa /etc/intentd/intentd.conf.d/*.conf
            .It
            .Pa ~/.config/intentd/intentd.conf
            .It
            .Pa ~/.config/intentd/intentd.conf.d/*.conf
            .El
            .Sh DESCRIPTION
            These files configure
            .Xr intentd 8
            and set defaults for all apps; a file of
            .Xr intentd.app 5
            overrides the defaults for one app.
            The files in
            .Pa ~/.config
            are those of a user's own daemon
            .Pq Fl Fl user .
            All files are optional.
            Files of
            .Pa intentd.conf.d
            are read after
            .Pa intentd.conf ,
            in the order of their names, and a later assignment overrides an earlier one.
            .Pp
            The files and their folders must belong to root or the user of intentd, and no other user may be able to write to
            them.
            .Pp
            .Ql intentctl reload ,
            which
            .Ql systemctl reload intentd
            runs, reads all files again, and applies all or none of them: a mistake fails the reload with the file and line,
            and the old settings stay.
            Runs keep the settings that they began with.
            .Ql intentd --check
            reports mistakes before that.
            At a start there are no old settings.
            A mistake in
            .Li [Limits]
            or
            .Li [History]
            then leaves the key at its default, and is logged.
            After a mistake in
            .Li [Sandbox]
            no app runs.
            .Sh SYNTAX
            The syntax is that of
            .Xr systemd.syntax 7 :
            sections in brackets,
            .Ar Key Ns = Ns Ar Value ,
            comments that begin with
            .Ql #
            or
            .Ql \\&; ,
            and a backslash that continues a line.
            Files are UTF-8 without control characters.
            An empty value resets a key to its default.
            .Bl -tag -width Ds
            .It boolean
            .Li yes , true , on
            or
            .Li 1 ;
            .Li no , false , off
            or
            .Li 0 .
            .It time span
            Numbers with the units
            .Li us , ms , s , min , h , d
            and
            .Li w ,
            such as
            .Li 1min 30s ;
            a number without a unit is in seconds.
            .Li infinity
            is 100 years.
            .It size
            A number of bytes, or a number with
            .Li K , M , G
            or
            .Li T ,
            to the base 1024;
            .Li infinity
            is no limit.
            .It list
            Words separated by spaces.
            A further assignment adds to the list, and an empty value clears it.
            .El

            """

        static let serviceLimits = "Numbers of runs, and the time limits of each."
        static let defaults = """
            .Pp
            These keys set the defaults of all apps.
            .Xr intentd.app 5
            describes them.
            """
        static let history = "Which records of runs are kept, for how long, and how durably."
        static let notify = """
            Which intents are performed when runs of all apps end.
            .Xr intentd.app 5
            overrides the rules for one app or intent.
            .Pp
            Such an intent receives those of these parameters that it declares:
            .Li event
            .Po
            .Li failure , recovery
            or
            .Li success
            .Pc ,
            .Li app , intent , run , user , outcome , message , started , duration
            .Pq in seconds ,
            .Li count
            .Pq failures in a row
            and
            .Li host .
            It receives no parameter and no result of the run that ended.
            A message is the error of a failed run, cut to 1000 characters, in one line, and without the values of secret
            parameters.
            .Pp
            The run counts towards the limits of its user, and the history has it with the entry point
            .Li notification .
            No notification tells of such a run, or of a run of an intent that the rule itself names.
            The journal says why a notification was not performed: an unknown app or intent, a missing permission, a parameter
            that none of these values fits, or a full backlog.
            """
        static let appNotify = """
            Which intents are performed when runs of the app end.
            These keys override those of
            .Xr intentd.conf 5 ,
            which describes them; an empty value is no notification:
            """
        static let agents = """
            What agents may do: clients of the Model Context Protocol, such as
            .Ql intentctl mcp ,
            and the users of
            .Cm User= .
            .Xr intentd.app 5
            overrides
            .Cm Allow=
            and
            .Cm Ask=
            for one app or intent.
            """
        static let appAgents = """
            What agents may do with the app.
            These keys override those of
            .Xr intentd.conf 5 ,
            which describes them; an empty value is the default:
            """
        static let serviceSandbox = "What sandboxes of all apps may access and use."

        static let serviceEnd = """
            .Sh EXAMPLES
            A small machine, on which every accepted run survives a power failure:
            .Bd -literal -offset indent
            [Limits]
            MaxRuns=8
            Runtime=1min

            [History]
            Durability=power
            Keep=90d

            [Sandbox]
            MemoryMax=256M
            .Ed
            .Sh SEE ALSO
            .Xr intentctl 1 ,
            .Xr intentd.app 5 ,
            .Xr intentd-sandbox 7 ,
            .Xr systemd.syntax 7 ,
            .Xr intentd 8
            """

        static let appStart = """
            .Sh SYNOPSIS
            .Bl -item -compact
            .It
            .Pa /etc/intentd/apps.d/ Ns Ar APP Ns Pa .conf
            .It
            .Pa /etc/intentd/apps.d/ Ns Ar APP Ns Pa .conf.d/*.conf
            .It
            .Pa /usr/lib/intentd/apps.d/ Ns Ar APP Ns Pa .conf
            .It
            .Pa ~/.config/intentd/apps.d/ Ns Ar APP Ns Pa .conf
            .El
            .Sh DESCRIPTION
            A file of this kind configures the app
            .Ar APP
            of
            .Xr intentd 8 .
            An app needs no file: it is installed once its executable
            .Ar APP ,
            or
            .Ar APP Ns / Ns Ar APP
            with resources in the folder, is in
            .Pa /usr/lib/intentd/apps
            or
            .Pa /usr/local/lib/intentd/apps .
            A user's own daemon has
            .Pa ~/.local/lib/intentd/apps .
            An executable that intentd is given by
            .Fl Fl app
            has its settings beside it, in
            .Ar EXECUTABLE Ns Pa .conf .
            .Pp
            Files in
            .Pa /etc
            are read after those in
            .Pa /usr/lib ,
            and a later assignment overrides an earlier one.
            .Xr intentd.conf 5
            describes the syntax, who may own the files, and reloads.
            .Pp
            An app does not run without its rules.
            A mistake that may have been one keeps it from running: a line that cannot be read, an unknown section, an unknown key
            of
            .Li [Access] ,
            .Li [History] ,
            .Li [Sandbox]
            or
            .Li [Intent NAME] ,
            or a second key in a value.
            A mistyped limit keeps its default.
            .Ql intentctl status
            reports both.

            """

        static let app = "The executable, its environment, its credentials and its state folder."
        static let access = """
            Who may run the app's intents.
            Without this section, every user who can connect may.
            An intent with the authentication policy
            .Li requiresAuthentication
            may be run by root and the users that these keys name, and by no other user.
            .Li requiresLocalDeviceAuthentication
            also requires an active session of the user at this machine.
            """
        static let limits = "The time limits and the number of the app's runs."
        static let appHistory = "What is not recorded."
        static let sandbox = """
            What the app may access and use.
            Without a grant, it reaches nothing of the host; see
            .Xr intentd-sandbox 7 .
            .Pp
            No component of a granted path may be a symbolic link, except directly in
            .Pa / ,
            .Pa /usr ,
            .Pa /var ,
            .Pa /etc ,
            .Pa /run
            and below
            .Pa /dev ,
            where only root makes names.
            Any user with write permission in a folder on the way could have made another link.
            .Xr realpath 1
            prints what to write instead.
            Granted files must be accessible to every user, or to the launcher's group, of which every app is a member
            .Pq Li intentd-workers .
            .Ql intentd --check
            reports grants that permit nothing.
            """
        static let intent = """
            Settings of a single intent.
            .Ar NAME
            is its name, with or without the suffix
            .Li Intent .
            An app with a section for an unknown intent, or with two sections for one intent, does not run.
            """
        static let intentKeys = """
            Limits start from those of the app.
            These keys are permitted:
            """

        static let appEnd = """
            .Sh EXAMPLES
            An app that uploads photos of a folder for the group
            .Li backup :
            .Bd -literal -offset indent
            [Access]
            AllowGroups=backup

            [App]
            LoadCredential=token:/etc/intentd/credentials/token

            [Sandbox]
            ConnectPorts=443
            ReadPaths=/srv/photos

            [Intent Upload]
            Runtime=2min
            .Ed
            .Sh SEE ALSO
            .Xr intentctl 1 ,
            .Xr intentd.conf 5 ,
            .Xr intentd-sandbox 7 ,
            .Xr intentd-security 7 ,
            .Xr intentd 8
            """
    }
}
