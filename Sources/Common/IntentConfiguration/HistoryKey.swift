/// The keys of `[History]` in `intentd.conf`.
enum HistoryKey: String, TabledKey {
    case durability = "Durability"
    case keep = "Keep"
    case keepOutput = "KeepOutput"
    case keepFiles = "KeepFiles"
    case maxRuns = "MaxRuns"
    case maxSize = "MaxSize"

    static let counts = 1...1_000_000_000

    /// The key's description and parser.
    var setting: Setting<HistorySettings> {
        let builtIn = HistorySettings()
        return switch self {
        case .durability:
            Setting(
                \.durability,
                .choice(HistorySettings.Durability.allCases.map(\.rawValue)),
                standard: builtIn.durability.rawValue,
                example: "power",
                """
                The failures that the records of accepted and ended runs survive.
                With
                .Cm process ,
                they survive if intentd crashes or is killed, because the launcher keeps them in memory until intentd
                has written them to the disk.
                With
                .Cm power ,
                they also survive a power failure, and every run waits for the disk.
                A change takes effect when intentd starts.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                try assignment.parsed(as: "'process' or 'power'", HistorySettings.Durability.init)
            }
        case .keep:
            .span(
                \.keep,
                example: "90d",
                "The time for which the record of an ended run is kept."
            )
        case .keepOutput:
            .span(
                \.keepOutput,
                example: "1d",
                "The time for which the output of an ended run is kept."
            )
        case .keepFiles:
            .span(
                \.keepFiles,
                example: "12h",
                "The time for which result files that no client discards are kept."
            )
        case .maxRuns:
            Setting(
                \.runCountMax,
                .limitedCount(Self.counts),
                standard: builtIn.runCountMax.map { "\($0)" } ?? "infinity",
                example: "100000",
                """
                The maximum number of recorded runs.
                If it is exceeded, the oldest ended runs of the user with the most runs are removed.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                // The minimum is 1, because the number of the next run is derived from the newest run.
                assignment.value == "infinity" ? nil : Int64(try assignment.count(in: Self.counts))
            }
        case .maxSize:
            .size(
                \.byteCountMax,
                example: "10G",
                """
                The maximum size of the history and of all result files.
                If it is exceeded, the oldest result files, and then the oldest ended runs, are removed of the user who
                keeps the most.
                """
            )
        }
    }
}
