package import IntentLauncherMessages

/// The settings of an intent (`[Intent NAME]`). A setting is nil if the section does not set it; the app's setting then
/// applies.
package struct IntentSettings: Equatable, Sendable {
    package var limits: RunLimits?
    package var access: AccessSettings?
    package var confirm: ConfirmSettings?
    package var concurrency: ConcurrencyRules?
    /// The secret parameters, in addition to the app's secret parameters.
    package var secretNames: Set<String>?
    package var notify: NotifyRule?
    package var retry: RetryRule?
    package var agents: AgentRule?
    package var fleet: FleetSettings?
    /// The only hosts to which runs of the intent may connect (`AllowHosts=`).
    package var allowHosts: [HostGrant]?
}

/// A setting that `[Intent NAME]` can override, with one or more keys.
protocol IntentSetting {
    /// Applies an assignment from `[Intent NAME]`. Returns false for a key of another setting.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool
}

extension RunLimits: IntentSetting, DefaultSettings {
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        try apply(assignment, as: LimitKey.self)
    }
}
extension NotifyRule: IntentSetting, DefaultSettings {
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        try apply(assignment, as: NotifyKey.self)
    }
}
extension RetryRule: IntentSetting, DefaultSettings {
    init() { self.init(count: 0) }

    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        try apply(assignment, as: RetryKey.self)
    }
}
extension AccessSettings: IntentSetting {}
extension ConcurrencyRules: IntentSetting {}
extension FleetSettings: IntentSetting {}
extension AgentRule: IntentSetting {
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        try apply(assignment, of: AgentKey.ofIntents)
    }
}

extension UnitFile.Assignment {
    /// Applies the assignment to an intent's own setting, which is initially a copy of another setting. Returns false
    /// for a key of a different setting.
    func apply<Setting: IntentSetting>(
        to setting: inout Setting?,
        copyOf other: Setting
    ) throws(ConfigurationProblem) -> Bool {
        var changed = setting ?? other
        guard try changed.apply(self) else { return false }
        setting = changed
        return true
    }
}
