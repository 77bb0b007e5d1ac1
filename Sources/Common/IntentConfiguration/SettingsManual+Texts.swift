/// The text of intentd.conf(5), intentd.app(5) and intentd.fleet(5) before and after the descriptions of the keys.
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
            and set defaults for all apps.
            The files described in
            .Xr intentd.app 5
            override the defaults for one app.
            The files in
            .Pa ~/.config
            are used by a user's own daemon
            .Pq Fl Fl user .
            All files are optional.
            The files in
            .Pa intentd.conf.d
            are read after
            .Pa intentd.conf ,
            in the order of their names, and a later assignment overrides an earlier assignment.
            .Pp
            The files and their folders must belong to root or intentd's user, and no other user may be able to write to
            them.
            .Pp
            .Ql intentctl reload ,
            which
            .Ql systemctl reload intentd
            runs, reads all files again.
            If a file contains an error, the reload fails with the file and line, and the old settings remain in effect.
            Runs keep the settings with which they began.
            .Ql intentd --check
            reports errors without a reload.
            When intentd starts, there are no old settings.
            In that case, an error in
            .Li [Limits]
            or
            .Li [History]
            is logged, and the key keeps its default.
            After an error in
            .Li [Sandbox] ,
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
            Files must be UTF-8 without control characters.
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
            .Li T
            (powers of 1024);
            .Li infinity
            means no limit.
            .It list
            Words separated by spaces, or quoted with
            .Ql \\(dq
            or
            .Ql \\(aq ,
            such as
            .Li \\(dq/srv/My Files\\(dq .
            A backslash is literal, as in
            .Li DOMAIN\\euser ,
            except before another backslash or a quotation mark, and in
            .Li \\ex20 ,
            which is a space.
            Additional assignments add words to the list, and an empty value clears it.
            .El

            """

        static let serviceLimits = "The limits on the number of runs, and the time limits for each run."
        static let defaults = """
            .Pp
            The following keys set the defaults for all apps, and are described in
            .Xr intentd.app 5 :
            """
        static let history = "How long records of runs are kept, and which failures they survive."
        static let notify = """
            The intents that are performed as notifications when runs end.
            The rules apply to all apps, and
            .Xr intentd.app 5
            can override them for one app or intent.
            .Pp
            The intent of a notification receives those of the following parameters that it declares:
            .Li event
            .Po
            .Li failure , recovery , success , question , reminder
            or
            .Li overdue
            .Pc ,
            .Li app , intent , run , user , schedule , outcome , message , started , duration
            .Pq in seconds ,
            .Li count
            .Pq consecutive failures ,
            .Li host
            and
            .Li link
            .Pq Cm AnswerLinks= No in Li [Web] .
            It receives neither the parameters nor the result of the run that has ended.
            The message is the error of a failed run on one line, limited to 1000 characters, without the values of
            secret parameters.
            .Pp
            A notification is subject to the limits of its user, and is recorded with the entry point
            .Li notification .
            Notifications are not performed for notifications, or for runs of an intent that the rule itself refers to.
            If a notification fails or cannot be performed, the reason is logged, and the notification is repeated for
            24 hours, after 10 seconds at first and later every hour.
            Undelivered notifications survive a crash and an upgrade.
            At most 100 about one user are kept; a further one replaces the oldest, which is logged as given up.
            """
        static let appNotify = """
            The intents that are performed as notifications when runs of the app end.
            These keys are described in
            .Xr intentd.conf 5
            and override the settings there; an empty value disables a notification:
            """
        static let agents = """
            The permissions of agents, which are the clients of the Model Context Protocol, such as
            .Ql intentctl mcp ,
            and the users in
            .Cm User= .
            .Xr intentd.app 5
            can override
            .Cm Allow=
            and
            .Cm Ask=
            for one app or intent.
            """
        static let web = """
            The service of the HTTP API,
            .Xr intentd-web 8 ,
            which starts only with
            .Cm User= .
            """
        static let fleetStart = """
            .Sh SYNOPSIS
            .Pa /etc/intentd/fleet.conf
            .Sh DESCRIPTION
            This file configures
            .Xr intentd-fleet 8 ,
            which starts only if the file exists.
            It is separate from
            .Xr intentd.conf 5 ,
            because it can contain a password that
            .Xr intentd 8
            does not need.
            The syntax is that of
            .Xr systemd.syntax 7 .
            No user other than its owner may be able to write to the file.
            After an error, the service does not start.

            """
        static let fleetService = "The fleet to which this host belongs, and the host's role in it."
        static let fleetEnd = """
            .Sh EXAMPLES
            A host of a fleet with two database servers:
            .Bd -literal -offset indent
            [Fleet]
            Name=web1
            Database=hostaddr=192.0.2.10 host=db1 dbname=fleet user=web1 sslmode=verify-full
            Database=hostaddr=192.0.2.11 host=db2 dbname=fleet user=web1 sslmode=verify-full
            Slots=4
            .Ed
            .Sh SEE ALSO
            .Xr intentd.app 5 ,
            .Xr intentd.conf 5 ,
            .Xr intentd-fleet 8
            """
        static let fleet = """
            A fleet of hosts that perform intents for one another, through a database.
            By default, a host belongs to no fleet.
            """
        static let appFleet = """
            How the hosts of a fleet may perform the app's intents for one another; see
            .Xr intentd-fleet 8 .
            By default, no other host may perform them.
            """
        static let appAgents = """
            The permissions of agents for the app.
            These keys are described in
            .Xr intentd.conf 5
            and override the settings there; an empty value restores the default:
            """
        static let serviceSandbox = "The resources that the sandboxes of all apps may access and use."

        static let serviceEnd = """
            .Sh EXAMPLES
            Settings for a small machine, on which every accepted run survives a power failure:
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
            These files configure the app
            .Ar APP
            of
            .Xr intentd 8 .
            All files are optional.
            An app is installed once its executable
            .Ar APP ,
            or
            .Ar APP Ns / Ns Ar APP
            with resources in the same folder, is in
            .Pa /usr/lib/intentd/apps
            or
            .Pa /usr/local/lib/intentd/apps .
            A user's own daemon uses
            .Pa ~/.local/lib/intentd/apps .
            If an executable is passed to intentd with
            .Fl Fl app ,
            its settings are in
            .Ar EXECUTABLE Ns Pa .conf
            in the same folder.
            .Pp
            Files in
            .Pa /etc
            are read after those in
            .Pa /usr/lib ,
            and a later assignment overrides an earlier assignment.
            .Xr intentd.conf 5
            describes the syntax, the permitted owners of the files, and reloads.
            .Pp
            An app does not run if one of its rules may be missing.
            The following errors therefore prevent it from running: a line that cannot be parsed, an unknown section, an
            unknown key in
            .Li [Access] ,
            .Li [History] ,
            .Li [Sandbox]
            or
            .Li [Intent NAME] ,
            or a value that contains another key.
            An invalid limit keeps its default.
            .Ql intentctl status
            reports both kinds of errors.

            """

        static let app = "The app's executable, environment, credentials and state folder."
        static let access = """
            The users who may run the app's intents.
            Without this section, every user who can connect may run them.
            An intent with the authentication policy
            .Li requiresAuthentication
            may be run only by root and by the users and groups in these keys.
            .Li requiresLocalDeviceAuthentication
            also requires an active session of the user at this machine.
            """
        static let limits = "The limits on the time and on the number of the app's runs."
        static let appHistory = "The values that are not recorded in history."
        static let sandbox = """
            The resources that the app may access and use.
            Without a grant, the app can access nothing on the host; see
            .Xr intentd-sandbox 7 .
            .Pp
            No component of a granted path may be a symbolic link, except for links directly in
            .Pa / ,
            .Pa /usr ,
            .Pa /var ,
            .Pa /etc ,
            .Pa /run
            and below
            .Pa /dev ,
            where only root can create files.
            Elsewhere, any user with write permission for a folder of the path could have created the link.
            .Xr realpath 1
            prints the path to use instead.
            Granted files must be accessible to every user, or to the launcher's group
            .Pq Li intentd-workers ,
            of which every app is a member.
            .Ql intentd --check
            reports grants that have no effect.
            """
        static let intent = """
            The settings of a single intent.
            .Ar NAME
            is the name of the intent, with or without the suffix
            .Li Intent .
            An app with a section for an unknown intent, or with two sections for one intent, does not run.
            """
        static let intentKeys = """
            The defaults are the settings of the app.
            The following keys are permitted:
            """

        static let appEnd = """
            .Sh EXAMPLES
            Settings for an app that uploads the photos in a folder, and that only the group
            .Li backup
            may run:
            .Bd -literal -offset indent
            [Access]
            AllowGroups=backup

            [App]
            LoadCredential=token:/etc/intentd/credentials/token

            [Sandbox]
            AllowHosts=photos.example.org:443
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
