import IntentWire

extension RunLimits {
    /// Takes in one assignment of `[Limits]` or `[Intent NAME]`.
    ///
    /// - Returns: False when the key is none of these.
    /// - Throws: ``ConfigurationProblem`` when the value is no time span; the limit stays what it was.
    mutating func take(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
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
        guard let path = paths[assignment.key] else { return false }
        if assignment.value.isEmpty {
            self[keyPath: path] = RunLimits()[keyPath: path]
            return true
        }
        guard let span = TimeSpan.parse(assignment.value), span > .zero else {
            throw assignment.problem("'\(assignment.value)' is no time span, keeping \(self[keyPath: path])")
        }
        self[keyPath: path] = span
        return true
    }
}

extension UnitFile.Assignment {
    func problem(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, message: "\(key)=: \(message)")
    }
}
