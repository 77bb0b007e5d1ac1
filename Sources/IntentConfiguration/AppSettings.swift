package import IntentWire

/// One app as its files and its place on disk describe it.
package struct AppSettings: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var facts: FileFacts
    package var limits: RunLimits
    /// `[Intent NAME]` sections: limits of single intents, by the name written there.
    package var intentLimits: [String: RunLimits]
    /// `[Access]`: who may run its intents.
    package var access: AccessSettings
    /// The same for single intents, by the name written there.
    package var intentAccess: [String: AccessSettings]
    /// `Confirm=`: who may answer when its runs ask whether to go on.
    package var confirm: ConfirmSettings
    /// The same for single intents, by the name written there.
    package var intentConfirm: [String: ConfirmSettings]
    /// `[Sandbox]`: what it may reach and use.
    package var sandbox: SandboxSettings
    /// `LoadCredential=`: each name once.
    package var credentials: [CredentialSource]
    /// `State=`: whose folder that outlives its runs it has.
    package var state: StateFolder
    /// `IdleStop=`: how long nobody may ask for it before its fork server and spare workers go.
    package var idleStop: Duration
    /// `Spare=`: its workers that wait, each for one run.
    package var spareCount: Int
    /// `MaxRunsPerApp=`: its runs at the same time.
    package var runCountMax: Int
    /// `Secret=`: parameters of its intents, by their declared names, whose values go on no record.
    package var secretNames: Set<String>
    /// The same for single intents, by the name written there: beside those of the whole app.
    package var intentSecretNames: [String: Set<String>]
    /// `Environment=` and `EnvironmentFile=`: added to what every app gets.
    package var environment: [String: String]
    /// Mistakes in the app's files; what they meant keeps its default.
    package var problems: [ConfigurationProblem]
}

/// What came of looking for an app.
package enum AppSearch: Equatable, Sendable {
    case found(AppSettings)
    /// There is none of that name.
    case missing
    /// It is there and must not be used; what, why and the next step.
    case refused(String)
}
