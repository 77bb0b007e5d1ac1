import IntentLauncherMessages

extension RunLimits {
    /// Applies an assignment from `[Limits]` or `[Intent NAME]`.
    ///
    /// - Returns: False if the key is not a limit.
    /// - Throws: ``ConfigurationProblem`` if the value is not a time span. In that case, the limit is not changed.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        guard let key = LimitKey(rawValue: assignment.key) else { return false }
        let isReset = assignment.value.isEmpty
        guard let path = key.path else {
            runtimeMax = isReset ? nil : try assignment.span(keeping: runtimeMax ?? ceiling)
            return true
        }
        self[keyPath: path] =
            isReset ? RunLimits()[keyPath: path] : try assignment.span(keeping: self[keyPath: path])
        return true
    }
}

extension UnitFile.Assignment {
    func span(keeping current: Duration) throws(ConfigurationProblem) -> Duration {
        do {
            return try span()
        } catch {
            throw error.keeping(current)
        }
    }
}
