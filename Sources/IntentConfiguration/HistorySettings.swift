/// `[History]`: what is remembered of runs, and how safely.
package struct HistorySettings: Equatable, Sendable {
    package enum Durability: String, Sendable, CaseIterable {
        /// A run on record survives any death of intentd.
        case process
        /// It survives the loss of power too.
        case power
    }

    /// `Durability=`
    package var durability = Durability.process
    /// `Keep=`: how long a run is remembered after its end; nil: for ever.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// `KeepOutput=`: the same for what it printed.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// `MaxRuns=`: the oldest ended runs beyond so many go; nil: as many as there are.
    package var runCountMax: Int64?
    /// `KeepFiles=`: how long files of results wait for who asked for them; nil: for ever.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// `MaxSize=`: the oldest runs go when the file is larger, in bytes; nil: as large as its disk.
    package var byteCountMax: Int64? = 1 << 30

    /// What is built in.
    package init() {}

    /// Takes in one assignment.
    ///
    /// - Throws: ``ConfigurationProblem`` when there is no such key, or the value is none for it; nothing changes then.
    mutating func take(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        let builtIn = HistorySettings()
        switch assignment.key {
        case "Durability":
            if assignment.value.isEmpty {
                durability = builtIn.durability
            } else if let word = Durability(rawValue: assignment.value) {
                durability = word
            } else {
                throw assignment.problem("it takes process or power, and '\(assignment.value)' is neither")
            }
        case "Keep": try set(&keep, builtIn.keep, assignment)
        case "KeepOutput": try set(&keepOutput, builtIn.keepOutput, assignment)
        case "MaxRuns":
            let isUnlimited = assignment.value.isEmpty || assignment.value == "infinity"
            // The newest run always stays: from its number the next one's follows.
            runCountMax = isUnlimited ? nil : Int64(try assignment.count(in: 1...1_000_000_000))
        case "KeepFiles": try set(&keepFiles, builtIn.keepFiles, assignment)
        case "MaxSize":
            byteCountMax = assignment.value.isEmpty ? builtIn.byteCountMax : try assignment.size()
        default: throw assignment.problem("there is no such key in [History], ignoring it")
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
