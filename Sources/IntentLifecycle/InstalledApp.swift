package import IntentWire

/// An app as it was installed when a request arrived.
package struct InstalledApp: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var fingerprint: Fingerprint
    /// The limits of its runs.
    package var limits: RunLimits
    /// Limits that the operator set for single intents, by name.
    package var intentLimits: [String: RunLimits]

    /// `[Access]`: the users who may run its intents.
    package var access: AccessRule
    /// `[Access]` of single intents, by name.
    package var intentAccess: [String: AccessRule]

    /// `Confirm=`: the users who may answer the confirmations of its runs.
    package var confirm: ConfirmRule
    /// `Confirm=` of single intents, by name, if the operator set it.
    package var intentConfirm: [String: ConfirmRule]

    /// `MaxRunsPerApp=`: the maximum number of its simultaneous runs.
    package var runCountMax: Int
    /// `Concurrency=`, `Exclusive=` and `Priority=`.
    package var concurrency: ConcurrencyRules
    /// `Concurrency=`, `Exclusive=` and `Priority=` of single intents, by name, in addition to the app's.
    package var intentConcurrency: [String: ConcurrencyRules]
    /// `State=shared`: all users have one state folder.
    package var hasSharedState: Bool
    /// `Spare=`: the number of its spares.
    package var spareCount: Int
    /// `IdleStop=`: how long an unused app keeps its spares.
    package var idleStop: Duration
    /// `Secret=`: parameters with values that must not be recorded.
    package var secretNames: Set<String>
    /// `Secret=` of single intents, by name, in addition to the app's.
    package var intentSecretNames: [String: Set<String>]
    /// `[Notify]`: the intents that report the ends of its runs.
    package var notify: NotifyRule
    /// `[Notify]` of single intents, by name.
    package var intentNotify: [String: NotifyRule]
    /// `[Agents]`: what agents may do.
    package var agents: AgentRule
    /// `[Agents]` of single intents, by name.
    package var intentAgents: [String: AgentRule]
    /// `[Sandbox]`: what its workers may access.
    package var grants: SandboxGrants
    /// Increases with every change of the app's files. A worker made before a change serves no later run.
    package var revision: UInt64
    /// True once ``fitted(to:)`` has put the rules of single intents under their full names.
    package internal(set) var isFitted = false

    package init(
        name: AppName,
        executable: String,
        fingerprint: Fingerprint,
        limits: RunLimits,
        intentLimits: [String: RunLimits] = [:],
        access: AccessRule = .everybody,
        intentAccess: [String: AccessRule] = [:],
        confirm: ConfirmRule = .asker,
        intentConfirm: [String: ConfirmRule] = [:],
        runCountMax: Int = 32,
        concurrency: ConcurrencyRules = ConcurrencyRules(),
        intentConcurrency: [String: ConcurrencyRules] = [:],
        hasSharedState: Bool = false,
        spareCount: Int = 0,
        idleStop: Duration = .seconds(300),
        secretNames: Set<String> = [],
        intentSecretNames: [String: Set<String>] = [:],
        notify: NotifyRule = NotifyRule(),
        intentNotify: [String: NotifyRule] = [:],
        agents: AgentRule = AgentRule(),
        intentAgents: [String: AgentRule] = [:],
        grants: SandboxGrants = SandboxGrants(),
        revision: UInt64 = 0
    ) {
        self.name = name
        self.executable = executable
        self.fingerprint = fingerprint
        self.limits = limits
        self.intentLimits = intentLimits
        self.access = access
        self.intentAccess = intentAccess
        self.confirm = confirm
        self.intentConfirm = intentConfirm
        self.runCountMax = runCountMax
        self.concurrency = concurrency
        self.intentConcurrency = intentConcurrency
        self.hasSharedState = hasSharedState
        self.spareCount = spareCount
        self.idleStop = idleStop
        self.secretNames = secretNames
        self.intentSecretNames = intentSecretNames
        self.notify = notify
        self.intentNotify = intentNotify
        self.agents = agents
        self.intentAgents = intentAgents
        self.grants = grants
        self.revision = revision
    }

    /// Identifies a version of the executable, and of the file that describes the intents of programs. A catalogue is valid
    /// until the fingerprint changes.
    package struct Fingerprint: Hashable, Sendable {
        package var executable: FileVersion
        /// Nil for an app with an executable of its own.
        package var commandFile: FileVersion?

        package init(_ executable: FileVersion, commandFile: FileVersion? = nil) {
            self.executable = executable
            self.commandFile = commandFile
        }
    }

    /// Identifies a version of a file.
    package struct FileVersion: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64
        package var byteCount: Int64
        package var modifiedNanoseconds: Int64

        package init(device: UInt64, inode: UInt64, byteCount: Int64, modifiedNanoseconds: Int64) {
            self.device = device
            self.inode = inode
            self.byteCount = byteCount
            self.modifiedNanoseconds = modifiedNanoseconds
        }
    }

    /// The intent's own rule; if it has none, the app's rule.
    package func access(to intent: IntentDeclaration) -> AccessRule {
        own(intentAccess, intent) ?? access
    }

    /// The intent's own rule; if it has none, the app's rule.
    func confirmRule(for intent: IntentDeclaration) -> ConfirmRule {
        own(intentConfirm, intent) ?? confirm
    }

    /// The intents that report the ends of its runs.
    var notifyTargets: [NotifyRule.Target] { ([notify] + intentNotify.values).flatMap(\.targets) }

    /// An intent's own rule replaces its app's.
    func notifyRule(for intent: IntentDeclaration) -> NotifyRule {
        own(intentNotify, intent) ?? notify
    }

    /// An intent's own rule replaces its app's.
    func agentRule(for intent: IntentDeclaration) -> AgentRule {
        own(intentAgents, intent) ?? agents
    }

    /// The parameters of an intent that are secret according to the operator or the app.
    func secretNames(of intent: IntentDeclaration) -> Set<String> {
        let own = own(intentSecretNames, intent) ?? []
        return secretNames.union(own).union(intent.parameters.lazy.filter { $0.isSecret == true }.map(\.name))
    }

    /// The catalogue for clients, with the operator's rules. Clients hide the values of secret parameters, those that
    /// only the operator declares secret, too.
    func applyingRules(to catalog: IntentCatalog) -> IntentCatalog {
        var catalog = catalog
        for (place, intent) in catalog.intents.enumerated() {
            catalog.intents[place].details = details(of: intent)
            let secrets = secretNames(of: intent)
            for number in intent.parameters.indices where secrets.contains(intent.parameters[number].name) {
                catalog.intents[place].parameters[number].isSecret = true
            }
        }
        return catalog
    }

    /// The details of an intent, with what agents may do.
    private func details(of intent: IntentDeclaration) -> IntentDetails? {
        let rule = agentRule(for: intent)
        let effect = rule.effect ?? intent.effect
        var details = intent.details ?? IntentDetails()
        if let effect = rule.effect { details.effect = effect }
        if let isIdempotent = rule.isIdempotent { details.isIdempotent = isIdempotent }
        if !rule.permits(effect) {
            details.isForAgents = false
        } else if rule.asksAPerson(before: effect, isUndoable: intent.isUndoable) {
            details.needsApproval = true
        }
        return details.isEmpty ? nil : details
    }

    package func limits(for intent: IntentDeclaration) -> RunLimits {
        own(intentLimits, intent) ?? limits
    }

    /// The rule under exactly the intent's name. ``fitted(to:)`` has replaced the names that the operator wrote.
    func own<Rule>(_ rules: [String: Rule], _ intent: IntentDeclaration) -> Rule? {
        if let exact = rules[intent.name] { return exact }
        // An adopted run may begin before its app has described its intents.
        return isFitted ? nil : intent.aliases.lazy.compactMap { rules[$0] }.first
    }
}

/// The result of looking for an app by name.
package enum AppLookup: Equatable, Sendable {
    case found(InstalledApp)
    /// No app has that name. The names of installed apps are for a hint.
    case unknown(name: String, installed: [String])
    /// The app is installed but must not be used, for this reason.
    case refused(message: String)
}
