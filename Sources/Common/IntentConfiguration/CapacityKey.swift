/// An app's number of runs and number of spares.
package struct CapacitySettings: Equatable, Sendable, DefaultSettings {
    /// The maximum number of concurrent runs (`MaxRunsPerApp=`).
    package var runCountMax = 32
    /// The number of spares (`Spare=`).
    package var spareCount = 2

    package init() {}
}

/// The `[Limits]` keys of ``CapacitySettings``. `intentd.conf` sets the defaults, and an app's file overrides them.
enum CapacityKey: String, TabledKey {
    case maxRunsPerApp = "MaxRunsPerApp"
    case spare = "Spare"

    var setting: Setting<CapacitySettings> {
        switch self {
        case .maxRunsPerApp:
            .count(
                \.runCountMax,
                in: 1...DaemonSettings.countMax,
                example: "4",
                """
                The maximum number of concurrent runs of an app, for all users together.
                Additional runs wait in the backlog.
                From 2, one user has at most one run less, so that another user can always begin a run of the app.
                """
            )
        case .spare:
            .count(
                \.spareCount,
                in: 0...64,
                example: "0",
                """
                The number of workers that are kept ready for each pair of app and user, so that a run begins at once.
                Workers are prepared as long as each run follows the previous one within
                .Cm IdleStop= ,
                and stopped after that time without a run.
                Unless the number is 0, an app of Swift or of programs has at least one worker for each step of a shortcut
                that was performed within that time, up to 16 and while there is room.
                """
            )
        }
    }
}
