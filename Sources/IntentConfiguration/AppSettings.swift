package import IntentWire

/// An app as described by its files and its executable.
package struct AppSettings: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var facts: FileFacts
    /// The file that describes the intents, if the executable is intentd-command.
    package var command: CommandSource?
    package var limits: RunLimits
    /// `[Intent NAME]`: limits of single intents, by the name in the section.
    package var intentLimits: [String: RunLimits]
    /// `[Access]`: the users who may run the app's intents.
    package var access: AccessSettings
    /// Access to single intents, by the name in the section.
    package var intentAccess: [String: AccessSettings]
    /// `Confirm=`: the users who may answer the confirmations of the app's runs.
    package var confirm: ConfirmSettings
    /// Confirmation of single intents, by the name in the section.
    package var intentConfirm: [String: ConfirmSettings]
    /// `[Sandbox]`: what the app may access and use.
    package var sandbox: SandboxSettings
    /// `LoadCredential=`: credentials with distinct names.
    package var credentials: [CredentialSource]
    /// `State=`: the state folder, which outlives runs.
    package var state: StateFolder
    /// `IdleStop=`: how long the app may be unused before its fork server and spares are stopped.
    package var idleStop: Duration
    /// `Spare=`: the number of spares.
    package var spareCount: Int
    /// `MaxRunsPerApp=`: the maximum number of concurrent runs.
    package var runCountMax: Int
    /// `Concurrency=`, `Exclusive=` and `Priority=`.
    package var concurrency: ConcurrencyRules
    /// `Concurrency=`, `Exclusive=` and `Priority=` of single intents, by the name in the section.
    package var intentConcurrency: [String: ConcurrencyRules]
    /// `Secret=`: the declared names of parameters with values that must not be recorded.
    package var secretNames: Set<String>
    /// Secret parameters of single intents, by the name in the section, in addition to the app's.
    package var intentSecretNames: [String: Set<String>]
    /// `[Notify]`: the intents that report the ends of runs.
    package var notify: NotifyRule
    /// `OnFailure=` and its siblings of single intents, by the name in the section.
    package var intentNotify: [String: NotifyRule]
    /// `[Agents]`: what agents may do.
    package var agents: AgentRule
    /// `Allow=` and its siblings of single intents, by the name in the section.
    package var intentAgents: [String: AgentRule]
    /// `Environment=` and `EnvironmentFile=`: variables in addition to those that every app has.
    package var environment: [String: String]
    /// Mistakes in the app's files. The affected settings keep their defaults.
    package var problems: [ConfigurationProblem]
}

extension AppSettings {
    /// The folder of the executable.
    package var folder: String { executable.split(separator: "/").dropLast().map { "/\($0)" }.joined() }

    /// The arguments of the executable.
    package var arguments: [String] { command.map { [$0.path] } ?? [] }

    /// The users whom `AllowUsers=` of the app and its intents names.
    package var namedUsers: Set<String> { Set(([access] + intentAccess.values).flatMap(\.users)) }

    /// The groups that `AllowGroups=` and `ConfirmGroups=` of the app and its intents name.
    package var namedGroups: Set<String> {
        Set(([access] + intentAccess.values).flatMap(\.groups))
            .union(([confirm] + intentConfirm.values).flatMap { $0.groups ?? [] })
    }
}

extension AppSettings {
    /// The intents that `[Notify]` and `[Intent NAME]` name.
    package var notifyTargets: Set<NotifyRule.Target> { Set(([notify] + intentNotify.values).flatMap(\.targets)) }
}

/// The result of looking up an app.
package enum AppSearch: Equatable, Sendable {
    case found(AppSettings)
    /// No app has this name.
    case missing
    /// The app exists but must not be used. The message says why, and the next step.
    case refused(String)
}
