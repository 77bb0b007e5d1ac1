package import IntentWire

/// An app as it is on disk at the moment of a request.
package struct InstalledApp: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var fingerprint: Fingerprint
    /// The clocks of its runs.
    package var limits: RunLimits
    /// Clocks of single intents, by name, where the operator set others.
    package var intentLimits: [String: RunLimits]

    /// Who may run its intents.
    package var access: AccessRule
    /// The same for single intents, by name.
    package var intentAccess: [String: AccessRule]

    /// `Confirm=`: who may answer the confirmations of its runs.
    package var confirm: ConfirmRule
    /// The same for single intents, by name, where the operator set another.
    package var intentConfirm: [String: ConfirmRule]

    /// `MaxRunsPerApp=`: its runs at the same time.
    package var runCountMax: Int
    /// `Spare=`: its workers that wait, each for one run.
    package var spareCount: Int
    /// `IdleStop=`: how long nobody may ask for it before its spare workers go.
    package var idleStop: Duration
    /// `Secret=`: parameters of its intents whose values go on no record.
    package var secretNames: Set<String>
    /// The same for single intents, by name: beside those of the whole app.
    package var intentSecretNames: [String: Set<String>]
    /// `[Sandbox]`: what its workers may reach.
    package var grants: SandboxGrants
    /// Rises with every change of its files: a worker made before is not used after it.
    package var revision: UInt64
    /// True when the rules of single intents are under the names of its catalogue: ``fitted(to:)``.
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
        spareCount: Int = 0,
        idleStop: Duration = .seconds(300),
        secretNames: Set<String> = [],
        intentSecretNames: [String: Set<String>] = [:],
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
        self.spareCount = spareCount
        self.idleStop = idleStop
        self.secretNames = secretNames
        self.intentSecretNames = intentSecretNames
        self.grants = grants
        self.revision = revision
    }

    /// What tells one version of an executable from the next: a catalogue holds as long as it is the same.
    package struct Fingerprint: Hashable, Sendable {
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

    /// An intent's own rule stands in the place of its app's.
    package func access(to intent: IntentDeclaration) -> AccessRule {
        own(intentAccess, intent) ?? access
    }

    /// An intent's own rule stands in the place of its app's.
    func confirmRule(for intent: IntentDeclaration) -> ConfirmRule {
        own(intentConfirm, intent) ?? confirm
    }

    /// Parameters of an intent whose values go on no record: as the operator says, and as the app does.
    func secretNames(of intent: IntentDeclaration) -> Set<String> {
        let own = own(intentSecretNames, intent) ?? []
        return secretNames.union(own).union(intent.parameters.lazy.filter { $0.isSecret == true }.map(\.name))
    }

    package func limits(for intent: IntentDeclaration) -> RunLimits {
        own(intentLimits, intent) ?? limits
    }

    /// The rule under exactly the intent's name: ``fitted(to:)`` has put the names that intents have in the place of the
    /// names that the operator wrote.
    private func own<Rule>(_ rules: [String: Rule], _ intent: IntentDeclaration) -> Rule? {
        if let exact = rules[intent.name] { return exact }
        // A run of an earlier `intentd` is adopted before its app tells its catalogue.
        return isFitted ? nil : intent.aliases.lazy.compactMap { rules[$0] }.first
    }
}

/// What came of looking for an app by name.
package enum AppLookup: Equatable, Sendable {
    case found(InstalledApp)
    /// There is none; the names of those that there are, for the hint.
    case unknown(name: String, installed: [String])
    /// It is there and may not be used, for this reason.
    case refused(message: String)
}
