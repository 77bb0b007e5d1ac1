import IntentLauncherMessages

/// The one table of the settings that end runs: from the evidence about an end to the setting, its value and its place.
extension InstalledApp {
    /// Returns the setting that explains a failed call, or nil if no setting caused the failure.
    func denial(of call: FailedCall) -> SandboxDenial? { grants.denial(of: call).map { located($0) } }

    /// Returns the setting that an outcome names: a limit for which the run was killed.
    func denial(of outcome: RunOutcome) -> SandboxDenial? {
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
        var denial = located(SandboxDenial(subject: subject, key: key))
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
        let sections = ([intent.name] + intent.aliases).map { "Intent \($0)" }
        let setting = settings.last { setting in
            setting.key == key && (setting.section == "Limits" || sections.contains(setting.section))
        }
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
    func denial(of refusal: RefusedConnection, isShared: Bool) -> SandboxDenial {
        var denial = SandboxDenial(subject: .network, key: refusal.grant.map { "AllowHosts=\($0)" } ?? "")
        denial.host = refusal.target
        denial.reason = refusal.reason.explanation(refusal.detail)
        denial = located(denial)
        denial.isCertain = isShared ? nil : true
        return denial
    }

    /// Adds the value that is in effect, and where it is set.
    private func located(_ denial: SandboxDenial) -> SandboxDenial {
        var denial = denial
        denial.file = settingsFile
        // With several keys, none of them is known to be the cause.
        guard !denial.key.contains(utf8: " or "), let key = denial.key.split(scalar: "=").first,
            let setting = settings.first(where: { $0.section == "Sandbox" && $0.key == key })
        else { return denial }
        denial.value = setting.value
        denial.source = setting.source
        return denial
    }
}
