import IntentLauncherMessages

extension NotifyRule {
    /// Applies an assignment from `[Notify]` or `[Intent NAME]`.
    ///
    /// - Returns: False for a key other than the keys in ``NotifyKey/ofApps``.
    /// - Throws: ``ConfigurationProblem`` for an invalid value. In that case, the rule is not changed.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch NotifyKey(rawValue: assignment.key) {
        case .onFailure: onFailure = try assignment.target()
        case .onRecovery: onRecovery = try assignment.target()
        case .onSuccess: onSuccess = try assignment.target()
        case .onQuestion: onQuestion = try assignment.target()
        case .expectEvery: expectEvery = assignment.value.isEmpty ? nil : try assignment.span()
        case .after:
            do {
                after = assignment.value.isEmpty ? NotifyRule().after : try assignment.count(in: NotifyKey.counts)
            } catch {
                throw error.keeping(after)
            }
        case .user, .perHour, nil: return false
        }
        return true
    }
}

extension UnitFile.Assignment {
    /// Parses the value as an intent. Returns nil for an empty value.
    fileprivate func target() throws(ConfigurationProblem) -> NotifyRule.Target? {
        value.isEmpty ? nil : try parsed(as: "APP/INTENT") { NotifyRule.Target($0) }
    }
}
