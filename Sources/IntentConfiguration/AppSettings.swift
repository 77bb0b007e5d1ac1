package import IntentWire

/// An app's settings from its configuration files, and the status of its executable.
package struct AppSettings: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var facts: FileFacts
    /// The file that describes the intents; nil unless the executable is intentd-command.
    package var command: CommandSource?
    package var limits: RunLimits
    /// The limits of individual intents, by the name in their section (`[Intent NAME]`).
    package var intentLimits: [String: RunLimits]
    /// The users who may run the app's intents (`[Access]`).
    package var access: AccessSettings
    /// The users who may run individual intents, by the name in their section.
    package var intentAccess: [String: AccessSettings]
    /// The users who may answer the confirmations of the app's runs (`Confirm=`, `ConfirmGroups=`).
    package var confirm: ConfirmSettings
    /// The users who may answer the confirmations of individual intents, by the name in their section.
    package var intentConfirm: [String: ConfirmSettings]
    /// The resources that the app may access and use (`[Sandbox]`).
    package var sandbox: SandboxSettings
    /// The app's credentials, each with a different name (`LoadCredential=`).
    package var credentials: [CredentialSource]
    /// Whether the app has a state folder, and whether users share it (`State=`).
    package var state: StateFolder
    /// The time without a run after which the app's fork server and spares are stopped (`IdleStop=`).
    package var idleStop: Duration
    /// The number of spares (`Spare=`).
    package var spareCount: Int
    /// The maximum number of concurrent runs (`MaxRunsPerApp=`).
    package var runCountMax: Int
    /// The app's rules for concurrent and waiting runs (`Concurrency=`, `Exclusive=`, `Priority=`).
    package var concurrency: ConcurrencyRules
    /// The rules of individual intents for concurrent and waiting runs, by the name in their section.
    package var intentConcurrency: [String: ConcurrencyRules]
    /// The declared names of parameters with values that must not be recorded (`Secret=`).
    package var secretNames: Set<String>
    /// The secret parameters of individual intents, by the name in their section, in addition to ``secretNames``.
    package var intentSecretNames: [String: Set<String>]
    /// The intents that are performed when runs end (`[Notify]`).
    package var notify: NotifyRule
    /// The notification rules of individual intents, by the name in their section.
    package var intentNotify: [String: NotifyRule]
    /// The permissions of agents (`[Agents]`).
    package var agents: AgentRule
    /// The permissions of agents for individual intents, by the name in their section.
    package var intentAgents: [String: AgentRule]
    /// How a fleet may perform the app's intents (`[Fleet]`).
    package var fleet: FleetSettings
    /// How a fleet may perform individual intents, by the name in their section.
    package var intentFleet: [String: FleetSettings]
    /// The environment variables that the operator sets for the app (`Environment=`, `EnvironmentFile=`).
    package var environment: [String: String]
    /// The errors in the app's files that do not prevent the app from running. The affected settings keep their
    /// defaults.
    package var problems: [ConfigurationProblem]
}

extension AppSettings {
    /// The executable's folder.
    package var folder: String { executable.split(separator: "/").dropLast().map { "/\($0)" }.joined() }

    /// The executable's arguments: the path of the intentd.command(5) file, if any.
    package var arguments: [String] { command.map { [$0.path] } ?? [] }

    /// The users listed in `AllowUsers=` for the app and its intents.
    package var namedUsers: Set<String> { Set(([access] + intentAccess.values).flatMap(\.users)) }

    /// The groups listed in `AllowGroups=` and `ConfirmGroups=` for the app and its intents.
    package var namedGroups: Set<String> {
        Set(([access] + intentAccess.values).flatMap(\.groups))
            .union(([confirm] + intentConfirm.values).flatMap { $0.groups ?? [] })
    }
}

extension AppSettings {
    /// The intents named in the notification rules of the app and its intents.
    package var notifyTargets: Set<NotifyRule.Target> { Set(([notify] + intentNotify.values).flatMap(\.targets)) }
}

/// The result of looking up an app.
package enum AppSearch: Equatable, Sendable {
    case found(AppSettings)
    /// No app has this name.
    case missing
    /// The app exists but cannot be used. The message contains the reason and the next step.
    case refused(String)
}
