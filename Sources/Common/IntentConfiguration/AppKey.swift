/// The keys of `[App]` and `[History]` in the apps' files.
enum AppKey: String, SettingKey {
    case executable = "Executable"
    case environment = "Environment"
    case environmentFile = "EnvironmentFile"
    case loadCredential = "LoadCredential"
    case state = "State"
    case idleStop = "IdleStop"
    /// The key is also valid in `[Intent NAME]`.
    case secret = "Secret"

    var section: String {
        switch self {
        case .executable, .environment, .environmentFile, .loadCredential, .state, .idleStop: "App"
        case .secret: "History"
        }
    }

    /// True if the app does not run while the key is in the wrong section, because it must not run without the setting.
    var isProtection: Bool {
        switch self {
        case .environment, .environmentFile, .loadCredential, .state, .secret: true
        case .executable, .idleStop: false
        }
    }

    var manual: SettingManual {
        switch self {
        case .executable:
            SettingManual(
                .value(name: "path", of: "a path"),
                standard: "the program with the app's name in one of the app folders",
                example: "/opt/archive/bin/archive",
                """
                The app's executable.
                The file and its folder must belong to root or intentd's user, and no other user may be able to write
                to them.
                """
            )
        case .environment:
            SettingManual(
                .list(name: "name=value", of: "assignments, separated by spaces"),
                standard: "empty",
                example: "LANG=de_DE.UTF-8 LOG=debug",
                """
                Environment variables of runs.
                From the launcher, runs inherit only
                .Ev LANG
                and
                .Ev TZ .
                .Ev HOME ,
                .Ev TMPDIR ,
                .Ev STATE_DIRECTORY ,
                .Ev XDG_DATA_HOME , XDG_CACHE_HOME , XDG_CONFIG_HOME , CFFIXED_USER_HOME
                and
                .Ev CREDENTIALS_DIRECTORY
                cannot be changed.
                """
            )
        case .environmentFile:
            SettingManual(
                .value(name: "path", of: "a path; the file may be missing if a hyphen precedes the path"),
                example: "-/etc/archive/environment",
                """
                A file with environment variables, one per line, as
                .Ar NAME Ns = Ns Ar VALUE .
                Quotes around a value are removed, and lines that begin with
                .Ql #
                or
                .Ql \\&;
                are skipped.
                The key may be given several times.
                A change of the file applies to the next run.
                """
            )
        case .loadCredential:
            SettingManual(
                .value(name: "name:path", of: "a plain file name, and an absolute path or the name of a credential"),
                example: "token:/etc/intentd/credentials/token",
                """
                A secret of at most 1 MiB, which the app reads from the file
                .Pa $CREDENTIALS_DIRECTORY/ Ns Ar name .
                A run that starts after a change of the file reads the new secret.
                Put a file that only root can read into
                .Pa \(CredentialSource.folder) .
                systemd copies the files of this folder for the launcher a moment after each change;
                .Li systemctl reload intentd
                returns when the copies are current.
                Without a slash, the second part names a credential of
                .Pa intentd-workers.service
                .Po
                .Cm LoadCredential=
                and
                .Cm LoadCredentialEncrypted=
                of
                .Xr systemd.exec 5
                .Pc ,
                which systemd reads only when the unit starts.
                Its restart ends all runs.
                The key may be given several times; an empty value clears the list.
                """,
                isolation: "Only a sandbox protects credentials, so the app does not run at the grade none."
            )
        case .state:
            SettingManual(
                .choice(["yes", "shared", "no"]),
                standard: "yes",
                example: "no",
                """
                The state folder
                .Ev $STATE_DIRECTORY ,
                which outlives runs.
                With
                .Cm yes ,
                each user of the app has a separate folder.
                With
                .Cm shared ,
                all users of the app share one folder.
                With
                .Cm no ,
                the app has no state folder.
                """
            )
        case .idleStop:
            SettingManual(
                .span,
                standard: SettingManual.span(AppUnit.builtInIdleStop),
                example: "1h",
                "The time without a run after which the app's fork server and spare workers are stopped."
            )
        case .secret:
            SettingManual(
                .list(name: "parameter", of: "parameter names as the app declares them, separated by spaces"),
                example: "password pin",
                """
                Parameters with values that are never recorded.
                In
                .Li [Intent NAME] ,
                the key adds parameters to those of the app.
                An empty value clears the list.
                If a name is unknown, the app does not run.
                """
            )
        }
    }
}
