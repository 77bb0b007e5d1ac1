import IntentLauncherMessages

/// The one table of the settings that end runs: from the evidence about an end to the setting, its value and its place.
extension InstalledApp {
    /// Returns the setting that explains a failed call of an intent, or nil if no setting caused the failure.
    func denial(of call: FailedCall, by intent: IntentDeclaration) -> SandboxDenial? {
        grants(to: intent).denial(of: call).map { located($0, of: intent) }
    }

    /// Returns the setting that an outcome names: a limit for which the run was killed.
    func denial(of outcome: RunOutcome, of intent: IntentDeclaration) -> SandboxDenial? {
        guard case .exceeded(let limit) = outcome else { return nil }
        let subject: SandboxDenial.Subject =
            switch limit {
            case .memory: .memory
            case .tasks: .tasks
            case .disk: .fileSize
            case .state: .state
            case .unknown(let word): .unknown(word)
            }
        let key = limit.key.split(scalar: "=").first.map { String($0) } ?? limit.key
        var denial = located(SandboxDenial(subject: subject, key: key), of: intent)
        denial.isCertain = true
        return denial
    }

    /// Returns the time limit that ended a run; nil if the caller requested the limit.
    func denial(by clock: LimitClock, of intent: IntentDeclaration, under limits: RunLimits) -> SandboxDenial? {
        let own = self.limits(for: intent)
        let (key, isOperators) =
            switch clock {
            case .silence, .total, .start: ("Runtime", limits.runtime == own.runtime)
            case .ceiling: ("Ceiling", limits.ceiling == own.ceiling)
            case .longCeiling: ("LongCeiling", limits.longCeiling == own.longCeiling)
            case .question: ("QuestionTimeout", true)
            case .queue: ("QueueTimeout", true)
            }
        guard isOperators else { return nil }
        var denial = SandboxDenial(subject: .time, key: key)
        let setting = setting(key, in: "Limits", of: intent)
        denial.section = setting?.section ?? "Limits"
        denial.value = setting?.value
        denial.source = setting?.source
        denial.file = settingsFile
        denial.isCertain = true
        return denial
    }

    /// Returns the denial for a connection that intentd-egress refused.
    ///
    /// - Parameter isShared: True if several runs shared the sandbox, so that another run may have caused the refusal.
    func denial(of refusal: RefusedConnection, to intent: IntentDeclaration, isShared: Bool) -> SandboxDenial {
        var denial = SandboxDenial(subject: .network, key: refusal.grant.map { "AllowHosts=\($0)" } ?? "")
        denial.host = refusal.target
        denial.reason = refusal.reason.explanation(refusal.detail)
        denial = located(denial, of: intent)
        denial.isCertain = isShared ? nil : true
        return denial
    }

    /// Returns the setting in effect for an intent: that of its own section, which follows those of the app.
    private func setting(_ key: String, in section: String, of intent: IntentDeclaration) -> SettingInEffect? {
        let sections = ([intent.name] + intent.aliases).map { "Intent \($0)" } + [section]
        return settings.last { $0.key == key && sections.contains($0.section) }
    }

    /// Adds the value that is in effect, and where it is set.
    private func located(_ denial: SandboxDenial, of intent: IntentDeclaration) -> SandboxDenial {
        var denial = denial
        denial.file = settingsFile
        // With several keys, none of them is known to be the cause.
        guard !denial.key.contains(utf8: " or "), let key = denial.key.split(scalar: "=").first,
            let setting = setting(String(key), in: "Sandbox", of: intent)
        else { return denial }
        if setting.section != "Sandbox" { denial.section = setting.section }
        denial.value = setting.value
        denial.source = setting.source
        return denial
    }
}
