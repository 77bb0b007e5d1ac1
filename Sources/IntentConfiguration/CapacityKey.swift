/// Numbers in `[Limits]`, which `intentd.conf` sets for all apps and an app's file for that app.
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
                The number of concurrent runs of an app, of all users together.
                Further runs wait in the backlog.
                """
            )
        case .spare:
            return SettingManual(
                .count(range),
                standard: standard,
                example: "0",
                """
                The number of workers that are kept ready for an app and a user, so that a run begins at once.
                They are made while runs follow each other within
                .Cm IdleStop= ,
                and end after that time without a run.
                """
            )
        }
    }
}
