/// The settings for history (`[History]`).
package struct HistorySettings: Equatable, Sendable, DefaultSettings {
    package enum Durability: String, Sendable, CaseIterable {
        /// A recorded run survives if intentd crashes or is killed.
        case process
        /// A recorded run also survives a power failure.
        case power
    }

    /// The failures that a recorded run survives (`Durability=`).
    package var durability = Durability.process
    /// The time for which an ended run is kept (`Keep=`); nil to keep it forever.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// The time for which an ended run's output is kept (`KeepOutput=`); nil to keep it as long as the run.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// The maximum number of runs (`MaxRuns=`); nil for no limit. If it is exceeded, the oldest ended runs are removed.
    package var runCountMax: Int64?
    /// The time for which result files that no client discards are kept (`KeepFiles=`); nil to keep them as long as the
    /// run.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// The maximum size in bytes (`MaxSize=`); nil for no limit. If it is exceeded, the oldest runs are removed.
    package var byteCountMax: Int64? = 1 << 30

    /// Creates the built-in defaults.
    package init() {}

    /// Applies an assignment.
    ///
    /// - Throws: ``ConfigurationProblem`` for an unknown key or an invalid value. In that case, no setting is changed.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        guard try apply(assignment, as: HistoryKey.self) else {
            throw assignment.unknownKey.ignorable
        }
    }
}
