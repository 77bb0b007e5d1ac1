/// The `[Limits]` keys that set an app's number of runs and number of spares. `intentd.conf` sets the defaults, and an
/// app's file overrides them.
enum CapacityKey: String, SettingKey {
    case maxRunsPerApp = "MaxRunsPerApp"
    case spare = "Spare"

    var path: KeyPath<DaemonSettings, Int> {
        switch self {
        case .maxRunsPerApp: \.runCountPerApp
        case .spare: \.spareCount
        }
    }

    var range: ClosedRange<Int> {
        switch self {
        case .maxRunsPerApp: 1...DaemonSettings.countMax
        case .spare: 0...64
        }
    }

    var manual: SettingManual {
        let standard = "\(DaemonSettings.builtIn[keyPath: path])"
        switch self {
        case .maxRunsPerApp:
            return SettingManual(
                .count(range),
                standard: standard,
                example: "4",
                """
                The maximum number of concurrent runs of an app, for all users together.
                Additional runs wait in the backlog.
                From 2, one user has at most one run less, so that another user can always begin a run of the app.
                """
            )
        case .spare:
            return SettingManual(
                .count(range),
                standard: standard,
                example: "0",
                """
                The number of workers that are kept ready for each pair of app and user, so that a run begins at once.
                Workers are prepared as long as each run follows the previous one within
                .Cm IdleStop= ,
                and stopped after that time without a run.
                """
            )
        }
    }
}
