/// The keys of `[History]` in `intentd.conf`.
enum HistoryKey: String, SettingKey {
    case durability = "Durability"
    case keep = "Keep"
    case keepOutput = "KeepOutput"
    case keepFiles = "KeepFiles"
    case maxRuns = "MaxRuns"
    case maxSize = "MaxSize"

    static let counts = 1...1_000_000_000

    var manual: SettingManual {
        let builtIn = HistorySettings()
        switch self {
        case .durability:
            return SettingManual(
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
            )
        case .keep:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keep),
                example: "90d",
                "The time for which the record of an ended run is kept."
            )
        case .keepOutput:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keepOutput),
                example: "1d",
                "The time for which the output of an ended run is kept."
            )
        case .keepFiles:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keepFiles),
                example: "12h",
                "The time for which result files that no client fetches are kept."
            )
        case .maxRuns:
            return SettingManual(
                .limitedCount(Self.counts),
                standard: builtIn.runCountMax.map { "\($0)" } ?? "infinity",
                example: "100000",
                """
                The maximum number of recorded runs.
                If it is exceeded, the oldest ended runs of the user with the most runs are removed.
                """
            )
        case .maxSize:
            return SettingManual(
                .size,
                standard: SettingManual.size(builtIn.byteCountMax),
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
