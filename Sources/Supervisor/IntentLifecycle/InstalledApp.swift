package import IntentLauncherMessages

/// An app's version and settings at the time when a request arrived.
package struct InstalledApp: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var fingerprint: Fingerprint
    /// The limits of the app's runs.
    package var limits: RunLimits
    /// `[Access]`: the users who may run the app's intents.
    package var access = AccessRule.everybody
    /// `Confirm=`: the users who may answer the confirmations of the app's runs.
    package var confirm = ConfirmRule.caller
    /// `MaxRunsPerApp=`: the maximum number of simultaneous runs of the app.
    package var runCountMax = 32
    /// `Concurrency=`, `Exclusive=` and `Priority=`: the rules for concurrent and waiting runs.
    package var concurrency = ConcurrencyRules()
    /// `State=shared`: true if all users share one state folder.
    package var hasSharedState = false
    /// `Spare=`: the maximum number of spares for each user.
    package var spareCount = 0
    /// The memory that a spare may use before its run begins, in bytes: `MemoryMax=` if the spare starts an MCP server;
    /// 0 for other apps.
    package var spareMemory: Int64 = 0
    /// `IdleStop=`: how long an unused app keeps its spares.
    package var idleStop: Duration = .seconds(300)
    /// `Secret=`: the parameters with values that must not be recorded.
    package var secretNames: Set<String> = []
    /// `[Notify]`: the intents to perform when the app's runs end.
    package var notify = NotifyRule()
    /// `Retry=` and `Backoff=`: the repetitions of failed runs of idempotent intents.
    package var retry = RetryRule()
    /// `[Agents]`: the permissions of agents.
    package var agents = AgentRule()
    /// True if the app declares at least one intent as a tool. Set by ``fitted(to:)``.
    var declaresTools = false
    /// `[Fleet]`: the rule for the app's runs in a fleet; nil if a fleet may not perform the app's intents.
    package var fleet: FleetRule?
    /// `[Sandbox]`: the resources that the app's workers may access.
    package var grants = SandboxGrants()
    /// The settings of `[Limits]` and `[Sandbox]` that are in effect, each with the place where it is set.
    package var settings: [SettingInEffect] = []
    /// The operator's file in which the settings can be changed.
    package var settingsFile: String?
    /// `[Intent NAME]`: the rules of individual intents, by name.
    package var intentRules: [String: IntentRules] = [:]
    /// The shortcut that an intentd.shortcut(5) file describes; nil for an app.
    package var shortcut: InstalledShortcut?
    /// A number that increases with every change to the app's files. A spare with an older revision is never used for a
    /// newer run.
    package var revision: UInt64 = 0
    /// True once ``fitted(to:)`` has stored the rules of individual intents under the intents' full names.
    package internal(set) var isFitted = false

    package init(name: AppName, executable: String, fingerprint: Fingerprint, limits: RunLimits) {
        self.name = name
        self.executable = executable
        self.fingerprint = fingerprint
        self.limits = limits
    }

    /// A fingerprint of the app's executable and, if the app's intents run programs, of the file that describes its
    /// intents. A catalogue is valid until the fingerprint changes.
    package struct Fingerprint: Hashable, Sendable {
        package var executable: FileVersion
        /// The version of the file that describes the app's intents (intentd.command(5)); nil if the app's executable
        /// itself declares them.
        package var commandFile: FileVersion?

        package init(_ executable: FileVersion, commandFile: FileVersion? = nil) {
            self.executable = executable
            self.commandFile = commandFile
        }
    }

    /// The values that identify a version of a file.
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

    /// Returns this version of the app with the settings that a later request found.
    func withSettings(of later: InstalledApp) -> InstalledApp {
        var app = later
        app.fingerprint = fingerprint
        return app
    }

    /// Returns the `[Access]` rule that the operator set for the intent, otherwise the app's rule.
    package func access(to intent: IntentDeclaration) -> AccessRule {
        own(\.access, intent) ?? access
    }

    /// Returns the `Confirm=` rule that the operator set for the intent, otherwise the app's rule.
    func confirmRule(for intent: IntentDeclaration) -> ConfirmRule {
        own(\.confirm, intent) ?? confirm
    }

    /// Every intent that is named in the `[Notify]` rule of the app or of one of its intents.
    var notifyTargets: [NotifyRule.Target] { ([notify] + intentRules.values.compactMap(\.notify)).flatMap(\.targets) }

    /// Returns the `[Notify]` rule that the operator set for the intent, otherwise the app's rule.
    func notifyRule(for intent: IntentDeclaration) -> NotifyRule {
        own(\.notify, intent) ?? notify
    }

    /// Returns the rule for repetitions of failed runs of the intent.
    func retryRule(for intent: IntentDeclaration) -> RetryRule {
        let isIdempotent = agentRule(for: intent).isIdempotent ?? intent.details?.isIdempotent ?? false
        return own(\.retry, intent) ?? (isIdempotent ? retry : RetryRule())
    }

    /// Returns the `[Agents]` rule that the operator set for the intent, otherwise the app's rule.
    func agentRule(for intent: IntentDeclaration) -> AgentRule {
        own(\.agents, intent) ?? agents
    }

    /// Returns true if agents may perform an intent with the given effect. An app that declares tools offers agents
    /// nothing else, unless the operator names the intent.
    package func permitsAgents(to intent: IntentDeclaration, _ effect: IntentDetails.Effect) -> Bool {
        let rule = agentRule(for: intent)
        return rule.permits(effect) && (!declaresTools || intent.isTool || rule.namesIntent)
    }

    /// Returns the rule for runs of the intent in a fleet, or nil if a fleet may not perform the intent.
    package func fleetRule(for intent: IntentDeclaration) -> FleetRule? { own(\.fleet, intent) ?? fleet }

    /// True if a fleet may perform at least one intent of the app.
    package var isInFleet: Bool { fleet != nil || intentRules.values.contains { ($0.fleet ?? nil) != nil } }

    /// Returns the parameters of an intent that the operator or the app declares secret.
    func secretNames(of intent: IntentDeclaration) -> Set<String> {
        let own = own(\.secretNames, intent) ?? []
        return secretNames.union(own).union(intent.parameters.lazy.filter { $0.isSecret == true }.map(\.name))
    }

    /// Returns the catalogue for clients, with the operator's rules applied. Parameters that only the operator declares
    /// secret are marked as secret, so that clients hide their values.
    package func applyingRules(to catalog: IntentCatalog) -> IntentCatalog {
        var catalog = catalog
        for (index, intent) in catalog.intents.enumerated() {
            catalog.intents[index].details = details(of: intent)
            let secrets = secretNames(of: intent)
            for number in intent.parameters.indices where secrets.contains(intent.parameters[number].name) {
                catalog.intents[index].parameters[number].isSecret = true
            }
        }
        return catalog
    }

    /// Returns the details of an intent, with the rules for agents applied.
    private func details(of intent: IntentDeclaration) -> IntentDetails? {
        let rule = agentRule(for: intent)
        let effect = rule.effect ?? intent.effect
        var details = intent.details ?? IntentDetails()
        if let effect = rule.effect { details.effect = effect }
        if let isIdempotent = rule.isIdempotent { details.isIdempotent = isIdempotent }
        if !permitsAgents(to: intent, effect) {
            details.isForAgents = false
        } else if asksAPerson(before: intent) {
            details.needsApproval = true
        }
        details.fleet = fleetRule(for: intent)
        return details.isEmpty ? nil : details
    }

    package func limits(for intent: IntentDeclaration) -> RunLimits {
        own(\.limits, intent) ?? limits
    }

    /// Returns what the workers of an intent may access.
    func grants(to intent: IntentDeclaration) -> SandboxGrants { own(\.sandbox, intent)?.grants ?? grants }

    /// Returns the rule that the operator set for an intent itself, or nil if only the app's rule applies.
    func own<Rule>(_ rule: (IntentRules) -> Rule?, _ intent: IntentDeclaration) -> Rule? {
        if let exact = intentRules[intent.name].flatMap(rule) { return exact }
        // ``fitted(to:)`` has stored each rule under the intent's full name, unless the app of an adopted run has not
        // described its intents yet. In that case, the rules have the names from the operator's file.
        if isFitted { return nil }
        for alias in intent.aliases {
            if let own = intentRules[alias].flatMap(rule) { return own }
        }
        return nil
    }
}

/// The result of looking up an app by name.
package enum AppLookup: Equatable, Sendable {
    case found(InstalledApp)
    /// No app has this name. The error suggests the most similar name in `installed`.
    case unknown(name: String, installed: [String])
    /// The app is installed but cannot be used. The message gives the reason.
    case refused(message: String)
}
