import IntentWire

extension RunLimits {
    /// Applies an assignment of `[Limits]` or `[Intent NAME]`.
    ///
    /// - Returns: False if the key is not a limit.
    /// - Throws: ``ConfigurationProblem`` if the value is not a time span. The limit is not changed then.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        let paths: [String: WritableKeyPath<RunLimits, Duration>] = [
            "Runtime": \.runtime,
            "Ceiling": \.ceiling,
            "LongCeiling": \.longCeiling,
            "Grace": \.grace,
            "GraceCancellable": \.graceCancellable,
            "KillDelay": \.killDelay,
            "QuestionTimeout": \.questionTimeout,
            "QueueTimeout": \.queueTimeout,
        ]
        if assignment.key == "RuntimeMax" {
            runtimeMax = assignment.value.isEmpty ? nil : try assignment.span(keeping: runtimeMax ?? ceiling)
            return true
        }
        guard let path = paths[assignment.key] else { return false }
        let isReset = assignment.value.isEmpty
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
