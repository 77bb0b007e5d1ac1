import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux

/// The warnings about names in the operator's files that do not exist on this host.
extension AppDirectory {
    /// Returns the warning about a settings file for an app that is not installed, for example because of a misspelt
    /// name. Returns nil if a file of that name has no effect, which has been reported.
    static func unmatched(_ name: AppName, ignored: [ConfigurationProblem]) -> String? {
        if ignored.contains(where: { $0.file.contains(utf8: "/\(name).") }) { return nil }
        return "\(name).conf: no app with this name is installed"
    }

    /// Returns the warnings about names of users and apps in the daemon's own settings that do not exist on this host.
    static func unknownNames(of daemon: DaemonSettings, apps: Set<AppName>) -> [String] {
        unknownUsers(of: daemon) + unknownAgents(of: daemon) + unknownFleetUser(of: daemon)
            + unknownNames(ofWeb: daemon.web) + unknownReporting(of: daemon, apps: apps)
    }

    /// Returns the warnings about users in `Weight=` that do not exist on this host.
    private static func unknownUsers(of settings: DaemonSettings) -> [String] {
        settings.weights.map(\.user).filter { Accounts.user($0) == nil }.map { "Weight=: unknown user '\($0)'" }
    }

    /// Returns the warnings about users and groups in an app's access rules that do not exist on this host.
    static func unknownAccounts(of app: AppUnit) -> [String] {
        app.namedUsers.filter { !FleetAccess.isUser($0) && Accounts.user($0) == nil }.sorted().map {
            "[Access]: unknown user '\($0)'"
        }
            + app.namedGroups.filter { Accounts.group($0) == nil }.sorted()
            .map { "[Access]: unknown group '\($0)'" }
    }

    /// Returns the warnings about the user and the apps in the daemon's own `[Notify]` that do not exist on this host.
    private static func unknownReporting(of daemon: DaemonSettings, apps: Set<AppName>) -> [String] {
        let user = daemon.notifyUser.flatMap { Accounts.user($0) == nil ? $0 : nil }
        return (user.map { ["[Notify]: User=: unknown user '\($0)'"] } ?? [])
            + unknownApps(among: Set(daemon.notify.targets), apps: apps)
    }

    /// Returns the warnings about apps in an app's own `[Notify]` that are not installed.
    static func unknownApps(of app: AppUnit, under daemon: DaemonSettings, apps: Set<AppName>) -> [String] {
        unknownApps(among: app.notifyTargets.subtracting(daemon.notify.targets), apps: apps)
    }

    private static func unknownApps(among targets: Set<NotifyRule.Target>, apps: Set<AppName>) -> [String] {
        targets.filter { !apps.contains($0.app) }.map(\.description).sorted()
            .map { "[Notify]: '\($0)': no app with this name is installed" }
    }

    /// Returns the warnings about users in `[Agents]` that do not exist on this host.
    private static func unknownAgents(of settings: DaemonSettings) -> [String] {
        (settings.agents.users + (settings.agents.person.map { [$0] } ?? [])).filter { Accounts.user($0) == nil }
            .map { "[Agents]: unknown user '\($0)'" }
    }

    /// Returns the warnings about the user and the issuers in `[Web]` that do not exist or are not accepted.
    private static func unknownNames(ofWeb settings: WebSettings) -> [String] {
        (settings.user.flatMap { Accounts.user($0) == nil ? ["[Web]: User=: unknown user '\($0)'"] : nil } ?? [])
            + settings.unknownIssuers.map { "[Web]: Issuers= does not name '\($0)', so its tokens are refused" }
    }

    /// Returns the warning about `User=` in `[Fleet]` if that user does not exist on this host.
    private static func unknownFleetUser(of settings: DaemonSettings) -> [String] {
        settings.fleetUser.flatMap { Accounts.user($0) == nil ? ["[Fleet]: User=: unknown user '\($0)'"] : nil } ?? []
    }
}
