/// `[History]`: the records to keep, and their durability.
package struct HistorySettings: Equatable, Sendable {
    package enum Durability: String, Sendable, CaseIterable {
        /// A recorded run survives a crash or kill of intentd.
        case process
        /// A recorded run also survives a power failure.
        case power
    }

    /// `Durability=`
    package var durability = Durability.process
    /// `Keep=`: how long an ended run is kept; nil for ever.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// `KeepOutput=`: how long the output of an ended run is kept; nil for ever.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// `MaxRuns=`: the maximum number of records, above which the oldest ended runs are removed; nil for unlimited.
    package var runCountMax: Int64?
    /// `KeepFiles=`: how long result files are kept if no client fetches them; nil for ever.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// `MaxSize=`: the maximum size in bytes, above which the oldest runs are removed; nil for unlimited.
    package var byteCountMax: Int64? = 1 << 30

    /// The built-in defaults.
    package init() {}

    /// Applies an assignment.
    ///
    /// - Throws: ``ConfigurationProblem`` for an unknown key or an invalid value. Nothing changes then.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        let builtIn = HistorySettings()
        switch HistoryKey(rawValue: assignment.key) {
        case .durability:
            if assignment.value.isEmpty {
                durability = builtIn.durability
            } else if let word = Durability(rawValue: assignment.value) {
                durability = word
            } else {
                throw assignment.problem("expected 'process' or 'power', got '\(assignment.value)'")
            }
        case .keep: try set(&keep, builtIn.keep, assignment)
        case .keepOutput: try set(&keepOutput, builtIn.keepOutput, assignment)
        case .keepFiles: try set(&keepFiles, builtIn.keepFiles, assignment)
        case .maxRuns:
            let isUnlimited = assignment.value.isEmpty || assignment.value == "infinity"
            // The newest run is always kept, because the number of the next run depends on it.
            runCountMax = isUnlimited ? nil : Int64(try assignment.count(in: HistoryKey.counts))
        case .maxSize:
            byteCountMax = assignment.value.isEmpty ? builtIn.byteCountMax : try assignment.size()
        case nil: throw assignment.problem("unknown key in [History]").ignorable
        }
    }

    private func set(
        _ span: inout Duration?,
        _ builtIn: Duration?,
        _ assignment: UnitFile.Assignment
    ) throws(ConfigurationProblem) {
        span = assignment.value.isEmpty ? builtIn : try assignment.span()
    }
}
