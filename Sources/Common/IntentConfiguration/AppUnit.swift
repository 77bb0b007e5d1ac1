package import IntentLauncherMessages

/// The settings in an app's files, before its executable is inspected.
package struct AppUnit: Equatable, Sendable {
    /// The path in `Executable=`.
    var executable: String?
    /// The intentd.command(5) file that describes the intents; nil for an app with its own executable.
    package var command: CommandSource?
    package var limits: RunLimits
    /// The users who may run the app's intents (`[Access]`).
    package var access = AccessSettings()
    /// The users who may answer the confirmations of the app's runs (`Confirm=`, `ConfirmGroups=`).
    package var confirm = ConfirmSettings()
    /// The resources that the app may access and use (`[Sandbox]`).
    package var sandbox: SandboxSettings
    /// The app's credentials, each with a different name (`LoadCredential=`).
    package var credentials: [CredentialSource] = []
    /// Whether the app has a state folder, and whether users share it (`State=`).
    package var state = StateFolder.perUser
    /// The time without a run after which the app's fork server and spares are stopped (`IdleStop=`).
    package var idleStop = Self.builtInIdleStop
    /// The numbers of spares and concurrent runs (`Spare=`, `MaxRunsPerApp=`).
    package var capacity: CapacitySettings
    /// The app's rules for concurrent and waiting runs (`Concurrency=`, `Exclusive=`, `Priority=`).
    package var concurrency = ConcurrencyRules()
    /// The declared names of parameters with values that must not be recorded (`Secret=`).
    package var secretNames: Set<String> = []
    /// The intents that are performed when runs end (`[Notify]`).
    package var notify: NotifyRule
    /// The repetitions of failed runs (`Retry=`, `Backoff=`).
    package var retry = RetryRule()
    /// The permissions of agents (`[Agents]`).
    package var agents: AgentRule
    /// How a fleet may perform the app's intents (`[Fleet]`).
    package var fleet = FleetSettings()
    /// The settings of individual intents, by the name in their section (`[Intent NAME]`).
    package var intents: [String: IntentSettings] = [:]
    /// The environment variables that the operator sets for the app (`Environment=`, `EnvironmentFile=`).
    package var environment: [String: String] = [:]
    /// The files in `EnvironmentFile=`, as they were when they were read; nil for a file that did not exist.
    var environmentFiles: [String: FileFacts?] = [:]
    /// The errors in the app's files that do not prevent the app from running. The affected settings keep their
    /// defaults.
    package var problems: [ConfigurationProblem] = []

    /// The settings of `[Limits]` and `[Sandbox]` that are in effect, each with the place where it is set.
    package private(set) var settings: [SettingInEffect] = []

    static let builtInIdleStop: Duration = .seconds(300)

    /// Applies the assignments of an app's files to the defaults.
    ///
    /// - Throws: ``ConfigurationProblem`` for an error that prevents the app from running, such as an error in its
    ///   access rules, sandbox, credentials or environment.
    init(
        _ files: [UnitFile],
        command: CommandSource? = nil,
        usesTerminal: Bool = false,
        startsServer: Bool = false,
        defaults: DaemonSettings,
        on disk: DiskView
    ) throws(ConfigurationProblem) {
        self.command = command
        if let problem = defaults.sandboxProblem ?? files.lazy.compactMap(\.sandboxProblem).first { throw problem }
        // Refuse the app for any invalid line, because the operator may have intended it as a rule for access or the
        // sandbox.
        if let problem = files.lazy.compactMap(\.problems.first).first { throw problem.keepingAppFromRunning }
        limits = defaults.limits
        sandbox = command == nil ? defaults.sandbox : defaults.sandbox.forCommands
        sandbox.usesTerminal = usesTerminal
        sandbox.startsServer = startsServer
        capacity = defaults.capacity
        notify = defaults.notify
        agents = defaults.agents.rule
        let assignments = files.flatMap(\.assignments)
        // Apply the sections for the whole app first, regardless of their position in the file, because their limits
        // and notification rules are the defaults for `[Intent NAME]`.
        for assignment in assignments where !assignment.section.hasPrefix(utf8: CommandSection.intentPrefix) {
            try apply(assignment, on: disk)
        }
        for assignment in assignments where assignment.section.hasPrefix(utf8: CommandSection.intentPrefix) {
            try applyForIntent(assignment)
        }
        noteSettings(defaults.assignments + assignments)
        if state == .none, let exclusive = assignments.last(where: { $0.key == ConcurrencyKey.exclusive.rawValue }),
            isExclusive
        {
            throw exclusive.problem("the app has no state folder; remove this key, or remove State=no")
                .keepingAppFromRunning
        }
        if state != .none, !([fleet] + intents.values.compactMap(\.fleet)).allSatisfy(\.isOnOneHost),
            let key = assignments.last(where: { FleetKey.ofApps.map(\.rawValue).contains($0.key) })
        {
            throw key.problem(
                "each host has a separate state folder; name the one host that performs the intents (Hosts=), or set "
                    + "State=no"
            ).keepingAppFromRunning
        }
    }

    /// Notes which settings are in effect, and where they are set.
    private mutating func noteSettings(_ assignments: [UnitFile.Assignment]) {
        let invalid = Set(problems.map { "\($0.file):\($0.line ?? 0)" })
        settings = Self.settings(
            in: assignments.filter { !invalid.contains("\($0.file):\($0.line)") },
            ofCommands: command != nil
        )
    }

    /// True if a rule for access or confirmations names users or groups.
    package var namesAccounts: Bool {
        let rules =
            [(access as AccessSettings?, confirm as ConfirmSettings?)] + intents.values.map { ($0.access, $0.confirm) }
        return rules.contains { $0.0?.isRestricted == true || $0.1?.groups != nil }
    }

    /// True if `Exclusive=state` is set for the app or for one of its intents.
    private var isExclusive: Bool {
        ([concurrency] + intents.values.compactMap(\.concurrency)).contains { rules in
            if case .state? = rules.exclusivity { true } else { false }
        }
    }

    private mutating func apply(_ assignment: UnitFile.Assignment, on disk: DiskView) throws(ConfigurationProblem) {
        if assignment.section == "Sandbox" { return try sandbox.apply(assignment) }
        if SandboxKey(rawValue: assignment.key) != nil { throw assignment.misplaced }
        if let key = AppKey(rawValue: assignment.key), key.section == assignment.section {
            return try apply(assignment, as: key, on: disk)
        }
        switch assignment.section {
        case "Access":
            if try !access.apply(assignment), try !confirm.apply(assignment) { throw unknown(assignment) }
        case "Agents":
            let isKnown: Bool
            do {
                isKnown = try agents.apply(assignment, of: AgentKey.ofApps)
            } catch {
                throw error.keepingAppFromRunning
            }
            if !isKnown { throw unknown(assignment) }
        case "Fleet":
            let isKnown: Bool
            do {
                isKnown = try fleet.apply(assignment)
            } catch {
                throw error.keepingAppFromRunning
            }
            if !isKnown { throw unknown(assignment) }
        case "Limits" where ConcurrencyKey(rawValue: assignment.key)?.isProtection == true:
            _ = try concurrency.apply(assignment)
        case "Limits" where !UnitKeys.protections.contains(assignment.key):
            do {
                if try !applyLimit(assignment) { problems.append(ignored(assignment)) }
            } catch {
                problems.append(error)
            }
        case "Notify" where !UnitKeys.protections.contains(assignment.key):
            do {
                if try !notify.apply(assignment) { problems.append(ignored(assignment)) }
            } catch {
                problems.append(error)
            }
        case "App" where !UnitKeys.protections.contains(assignment.key):
            problems.append(ignored(assignment))
        default:
            // Do not ignore a key in the wrong section or in an unknown section, because the operator may have intended
            // it as a rule for access or the sandbox.
            throw unknown(assignment)
        }
    }

    private mutating func apply(
        _ assignment: UnitFile.Assignment,
        as key: AppKey,
        on disk: DiskView
    ) throws(ConfigurationProblem) {
        switch key {
        case .executable:
            guard command == nil else {
                throw assignment.problem(
                    "'\(command?.path ?? "")' already defines the app's program; remove the key, or rename that file"
                )
            }
            executable = assignment.value.isEmpty ? nil : assignment.value
        case .environment: applyEnvironment(assignment)
        case .environmentFile: try applyEnvironmentFile(assignment, on: disk)
        case .loadCredential: try applyCredential(assignment)
        case .state: state = try StateFolder(assignment)
        case .idleStop:
            do {
                idleStop = assignment.value.isEmpty ? Self.builtInIdleStop : try assignment.span()
            } catch {
                problems.append(error.keeping(idleStop))
            }
        case .secret: secretNames = try assignment.names(after: secretNames)
        }
    }

    /// Applies an assignment from `[Limits]`. Returns false for an unknown key. If the value is invalid, the limit
    /// keeps its current value.
    private mutating func applyLimit(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        if try capacity.apply(assignment, as: CapacityKey.self) { return true }
        if try concurrency.apply(assignment) { return true }
        if try retry.apply(assignment) { return true }
        return try limits.apply(assignment)
    }

    /// Adds a credential. Replaces an earlier credential with the same name.
    private mutating func applyCredential(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        if assignment.value.isEmpty { return credentials = [] }
        guard let credential = CredentialSource.parse(assignment.value) else {
            throw assignment.problem(
                """
                expected NAME:PATH, with a file name and an absolute path or the name of a credential in the \
                launcher's unit, got '\(assignment.excerpt)'; the app does not run without its credentials
                """
            )
        }
        credentials.removeAll { $0.name == credential.name }
        credentials.append(credential)
    }

    private mutating func applyForIntent(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        let name = CommandSection.intentName(in: assignment.section)
        var own = intents[name] ?? IntentSettings()
        if let key = SandboxKey(rawValue: assignment.key) {
            guard key.isForIntents else { throw assignment.misplaced }
            var changed = sandbox(ofIntent: name)
            try changed.apply(assignment)
            own.allowHosts = changed.allowHosts
            return intents[name] = own
        }
        if AppKey(rawValue: assignment.key) == .secret {
            own.secretNames = try assignment.names(after: own.secretNames ?? [])
            return intents[name] = own
        }
        var ownConfirm = own.confirm ?? ConfirmSettings()
        do {
            if try ownConfirm.apply(assignment) {
                own.confirm = ownConfirm
                return intents[name] = own
            }
        } catch {
            guard AccessKey(rawValue: assignment.key) == .confirm else { throw error.keepingAppFromRunning }
            own.confirm = ownConfirm
            intents[name] = own
            return problems.append(error)
        }
        if try assignment.apply(to: &own.access, copyOf: AccessSettings()) { return intents[name] = own }
        do {
            if try assignment.apply(to: &own.agents, copyOf: agents) { return intents[name] = own }
            if try assignment.apply(to: &own.fleet, copyOf: fleet) { return intents[name] = own }
        } catch {
            throw error.keepingAppFromRunning
        }
        do {
            if try assignment.apply(to: &own.notify, copyOf: notify) { return intents[name] = own }
            if try assignment.apply(to: &own.retry, copyOf: retry) { return intents[name] = own }
            if try assignment.apply(to: &own.concurrency, copyOf: ConcurrencyRules()) { return intents[name] = own }
            if try assignment.apply(to: &own.limits, copyOf: limits) { return intents[name] = own }
        } catch {
            guard ConcurrencyKey(rawValue: assignment.key)?.isProtection != true else { throw error }
            return problems.append(error)
        }
        throw unknown(assignment)
    }

    /// The sandbox of the runs of an intent.
    ///
    /// - Parameter name: The name in the intent's section.
    package func sandbox(ofIntent name: String) -> SandboxSettings {
        var own = sandbox
        own.allowHosts = intents[name]?.allowHosts ?? own.allowHosts
        return own
    }

    private mutating func applyEnvironment(_ assignment: UnitFile.Assignment) {
        if assignment.value.isEmpty { return environment = [:] }
        let words: [String]
        do {
            words = try assignment.listWords()
        } catch {
            return problems.append(error.ignorable)
        }
        for word in words {
            guard let (name, value) = word.assignment else {
                problems.append(assignment.problem("expected NAME=VALUE, got '\(WireCoding.excerpt(word))'").ignorable)
                continue
            }
            environment[name] = value
        }
    }

    /// Reads a file with lines of the form `NAME=VALUE`. The file may be missing if a hyphen precedes its path.
    private mutating func applyEnvironmentFile(
        _ assignment: UnitFile.Assignment,
        on disk: DiskView
    ) throws(ConfigurationProblem) {
        let mayBeMissing = assignment.value.hasPrefix(utf8: "-")
        let path = mayBeMissing ? String(assignment.value.dropFirst(scalars: 1)) : assignment.value
        environmentFiles.updateValue(disk.facts(path), forKey: path)
        guard let bytes = disk.bytes(path) else {
            if mayBeMissing || path.isEmpty { return }
            throw assignment.problem("cannot read '\(path)'; the app does not run without its environment")
        }
        for line in try ConfigurationLines.read(bytes, file: path).map(\.withoutBlanks) {
            guard let first = line.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
            guard let (name, text) = line.assignment else {
                problems.append(assignment.problem("ignored a line in '\(path)': expected NAME=VALUE"))
                continue
            }
            var value = text
            let scalars = text.unicodeScalars
            if scalars.count >= 2, let quote = scalars.first, quote == "\"" || quote == "'", scalars.last == quote {
                value = String(scalars.dropFirst().dropLast())
            }
            environment[name] = value
        }
    }

    /// Removes the network, sockets and credentials.
    package mutating func withholdSecrets() {
        (sandbox.network, sandbox.allowHosts, sandbox.sockets, credentials) = (false, [], [], [])
    }

    /// The paths on the host that the app can access, each with the key that contains it.
    var writtenPaths: [(key: String, path: String)] {
        let secrets = credentials.compactMap { credential -> (String, String)? in
            if case .path(let path) = credential.location { (AppKey.loadCredential.rawValue, path) } else { nil }
        }
        let grants = sandbox.grantedPaths.map { ($0.key, $0.path) }
        return grants + secrets + (executable.map { [(AppKey.executable.rawValue, $0)] } ?? [])
    }

    /// Returns a warning about an unknown key that does not prevent the app from running.
    private func ignored(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.unknownKey.ignorable
    }

    /// Returns an error for an unknown key that the operator may have intended as a rule. The error prevents the app
    /// from running.
    private func unknown(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.unknownKey.keepingAppFromRunning
    }
}
