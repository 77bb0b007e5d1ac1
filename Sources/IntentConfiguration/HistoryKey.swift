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
                What accepted and ended runs survive.
                With
                .Cm process ,
                they survive any death of intentd, in memory that the launcher keeps until they are on disk a moment later.
                With
                .Cm power ,
                they survive a power failure, too, and every run waits for the disk.
                It takes effect when intentd starts.
                """
            )
        case .keep:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keep),
                example: "90d",
                """
                How long an ended run is remembered.
                """
            )
        case .keepOutput:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keepOutput),
                example: "1d",
                """
                How long the output of an ended run is kept.
                """
            )
        case .keepFiles:
            return SettingManual(
                .span,
                standard: SettingManual.span(builtIn.keepFiles),
                example: "12h",
                """
                How long result files are kept that no client fetches.
                """
            )
        case .maxRuns:
            return SettingManual(
                .limitedCount(Self.counts),
                standard: builtIn.runCountMax.map { "\($0)" } ?? "infinity",
                example: "100000",
                """
                The number of runs beyond which the oldest ended runs are removed.
                """
            )
        case .maxSize:
            return SettingManual(
                .size,
                standard: SettingManual.size(builtIn.byteCountMax),
                example: "10G",
                """
                The size of the history and of all result files beyond which the oldest ended runs are removed.
                """
            )
        }
    }
}
