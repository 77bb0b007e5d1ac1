import IntentWire

/// The settings in an app's files, before its executable is inspected.
struct AppUnit {
    var executable: String?
    /// The intentd.command(5) file that describes the intents; nil for an app with its own executable.
    var command: CommandSource?
    var limits: RunLimits
    var intentLimits: [String: RunLimits] = [:]
    var access = AccessSettings()
    var intentAccess: [String: AccessSettings] = [:]
    var confirm = ConfirmSettings()
    var intentConfirm: [String: ConfirmSettings] = [:]
    var sandbox: SandboxSettings
    var credentials: [CredentialSource] = []
    var state = StateFolder.perUser
    var idleStop = Self.builtInIdleStop
    var spareCount: Int
    var runCountMax: Int
    var concurrency = ConcurrencyRules()
    var intentConcurrency: [String: ConcurrencyRules] = [:]
    var secretNames: Set<String> = []
    var intentSecretNames: [String: Set<String>] = [:]
    var notify: NotifyRule
    var intentNotify: [String: NotifyRule] = [:]
    var agents: AgentRule
    var intentAgents: [String: AgentRule] = [:]
    var fleet = FleetSettings()
    var intentFleet: [String: FleetSettings] = [:]
    var environment: [String: String] = [:]
    var problems: [ConfigurationProblem] = []

    static let builtInIdleStop: Duration = .seconds(300)

    /// Applies the assignments of an app's files to the defaults.
    ///
    /// - Throws: ``ConfigurationProblem`` for an error that prevents the app from running, such as an error in its
    ///   access rules, sandbox, credentials or environment.
    init(
        _ files: [UnitFile],
        command: CommandSource? = nil,
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
        spareCount = defaults.spareCount
        runCountMax = defaults.runCountPerApp
        notify = defaults.notify
        agents = defaults.agents.rule
        let assignments = files.flatMap(\.assignments)
        // Apply the sections for the whole app first, regardless of their position in the file, because their limits
        // and notification rules are the defaults for `[Intent NAME]`.
        for assignment in assignments where !assignment.section.hasPrefix("Intent ") {
            try apply(assignment, on: disk)
        }
        for assignment in assignments where assignment.section.hasPrefix("Intent ") {
            if SandboxKey(rawValue: assignment.key) != nil { throw assignment.misplaced }
            try applyForIntent(assignment)
        }
        if state == .none, let exclusive = assignments.last(where: { $0.key == ConcurrencyKey.exclusive.rawValue }),
            isExclusive
        {
            throw exclusive.problem("the app has no state folder; remove this key, or remove State=no")
                .keepingAppFromRunning
        }
        if state != .none, !([fleet] + intentFleet.values).allSatisfy(\.isOnOneHost),
            let key = assignments.last(where: { FleetKey.ofApps.map(\.rawValue).contains($0.key) })
        {
            throw key.problem(
                "each host has a separate state folder; name the one host that performs the intents (Hosts=), or set "
                    + "State=no"
            ).keepingAppFromRunning
        }
    }

    /// True if `Exclusive=state` is set for the app or for one of its intents.
    private var isExclusive: Bool {
        ([concurrency] + intentConcurrency.values).contains { rules in
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
            do throws(ConfigurationProblem) {
                if try !agents.apply(assignment, of: AgentKey.ofApps) { throw unknown(assignment) }
            } catch {
                throw error.keepingAppFromRunning
            }
        case "Fleet":
            do throws(ConfigurationProblem) {
                if try !fleet.apply(assignment) { throw unknown(assignment) }
            } catch {
                throw error.keepingAppFromRunning
            }
        case "Limits" where !UnitKeys.protections.contains(assignment.key):
            do {
                if try !applyLimit(assignment) { problems.append(ignored(assignment)) }
            } catch {
                problems.append(error)
            }
        case "Limits" where ConcurrencyKey(rawValue: assignment.key) != nil:
            _ = try concurrency.apply(assignment)
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
                idleStop = assignment.value.isEmpty ? Self.builtInIdleStop : try assignment.span(keeping: idleStop)
            } catch {
                problems.append(error)
            }
        case .secret: secretNames = try assignment.names(after: secretNames)
        }
    }

    /// Applies an assignment from `[Limits]`. Returns false for an unknown key. If the value is invalid, the limit
    /// keeps its current value.
    private mutating func applyLimit(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch CapacityKey(rawValue: assignment.key) {
        case .maxRunsPerApp: try assignment.setCount(&runCountMax, as: .maxRunsPerApp)
        case .spare: try assignment.setCount(&spareCount, as: .spare)
        case nil:
            if try concurrency.apply(assignment) { return true }
            return try limits.apply(assignment)
        }
        return true
    }

    /// Adds a credential. Replaces an earlier credential with the same name.
    private mutating func applyCredential(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        if assignment.value.isEmpty {
            credentials = []
            return
        }
        guard let credential = CredentialSource.parse(assignment.value) else {
            throw assignment.problem(
                """
                expected NAME:PATH, with a file name and an absolute path or the name of a credential in the \
                launcher's unit, got '\(assignment.value)'; the app does not run without its credentials
                """
            )
        }
        credentials.removeAll { $0.name == credential.name }
        credentials.append(credential)
    }

    private mutating func applyForIntent(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        let name = assignment.section.dropFirst("Intent ".count).trimmed
        if AppKey(rawValue: assignment.key) == .secret {
            intentSecretNames[name] = try assignment.names(after: intentSecretNames[name] ?? [])
            return
        }
        var ownConfirm = intentConfirm[name] ?? ConfirmSettings()
        do {
            if try ownConfirm.apply(assignment) {
                intentConfirm[name] = ownConfirm
                return
            }
        } catch {
            guard AccessKey(rawValue: assignment.key) == .confirm else { throw error.keepingAppFromRunning }
            intentConfirm[name] = ownConfirm
            return problems.append(error)
        }
        var ownAccess = intentAccess[name] ?? AccessSettings()
        if try ownAccess.apply(assignment) {
            intentAccess[name] = ownAccess
            return
        }
        var ownAgents = intentAgents[name] ?? agents
        do {
            if try ownAgents.apply(assignment, of: AgentKey.ofIntents) {
                intentAgents[name] = ownAgents
                return
            }
        } catch {
            throw error.keepingAppFromRunning
        }
        var ownFleet = intentFleet[name] ?? fleet
        do {
            if try ownFleet.apply(assignment) {
                intentFleet[name] = ownFleet
                return
            }
        } catch {
            throw error.keepingAppFromRunning
        }
        var ownNotify = intentNotify[name] ?? notify
        do {
            if try ownNotify.apply(assignment) {
                intentNotify[name] = ownNotify
                return
            }
        } catch {
            return problems.append(error)
        }
        var ownConcurrency = intentConcurrency[name] ?? ConcurrencyRules()
        do {
            if try ownConcurrency.apply(assignment) {
                intentConcurrency[name] = ownConcurrency
                return
            }
        } catch {
            guard ConcurrencyKey(rawValue: assignment.key)?.isProtection == false else { throw error }
            return problems.append(error)
        }
        var own = intentLimits[name] ?? limits
        let isLimit: Bool
        do {
            isLimit = try own.apply(assignment)
        } catch {
            problems.append(error)
            return
        }
        guard isLimit else { throw unknown(assignment) }
        intentLimits[name] = own
    }

    private mutating func applyEnvironment(_ assignment: UnitFile.Assignment) {
        if assignment.value.isEmpty {
            environment = [:]
            return
        }
        for word in assignment.value.words {
            guard let (name, value) = word.assignment else {
                problems.append(assignment.problem("expected NAME=VALUE, got '\(word)'").ignorable)
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
        let mayBeMissing = assignment.value.hasPrefix("-")
        let path = mayBeMissing ? String(assignment.value.dropFirst()) : assignment.value
        guard let bytes = disk.bytes(path) else {
            if mayBeMissing || path.isEmpty { return }
            throw assignment.problem("cannot read '\(path)'; the app does not run without its environment")
        }
        for line in try ConfigurationLines.read(bytes, file: path).map(\.trimmed) {
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

    /// The paths on the host that the app can access, each with the key that contains it.
    var writtenPaths: [(key: String, path: String)] {
        let secrets = credentials.compactMap { credential -> (String, String)? in
            if case .path(let path) = credential.location { (AppKey.loadCredential.rawValue, path) } else { nil }
        }
        return sandbox.grantedPaths + secrets + (executable.map { [(AppKey.executable.rawValue, $0)] } ?? [])
    }

    /// Returns a warning about an unknown key that does not prevent the app from running.
    private func ignored(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.problem("unknown key in [\(assignment.section)]").ignorable
    }

    /// Returns an error for an unknown key that the operator may have intended as a rule. The error prevents the app
    /// from running.
    private func unknown(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.problem("unknown key in [\(assignment.section)]").keepingAppFromRunning
    }
}
