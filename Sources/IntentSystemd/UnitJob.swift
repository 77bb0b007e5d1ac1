/// What systemd is about to do with a unit, as far as a service that was told to end must know.
///
/// SIGTERM comes at the end of a stop and in the middle of a restart alike: only the unit's job tells which
/// (systemd.unit(5), org.freedesktop.systemd1(5)).
package enum UnitJob: Equatable, Sendable {
    /// The unit shall be gone: `systemctl stop`, a shutdown, a conflict.
    case stop
    /// The unit shall be there again: `systemctl restart`.
    case restart
    /// Nothing: whoever sent the signal was not systemd, and `Restart=` decides what comes next.
    case none
    /// It could not be asked, for this reason.
    case unknown(String)

    /// One line of what `ListJobs` answers, as far as it matters here.
    package struct Listed: Equatable, Sendable {
        package var unit: String
        /// As `systemctl list-jobs` shows it.
        package var type: String

        package init(unit: String, type: String) {
            self.unit = unit
            self.type = type
        }
    }

    /// The job of a unit among all that there are; systemd keeps one for each unit.
    package init(of unit: String, among jobs: [Listed]) {
        switch jobs.first(where: { $0.unit == unit })?.type {
        case "stop": self = .stop
        // A start that waits behind this end brings the unit back as a restart does.
        case "restart", "try-restart", "start": self = .restart
        case .some, nil: self = .none
        }
    }
}

extension UnitJob: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stop: "its unit stops"
        case .restart: "its unit restarts"
        case .none: "its unit has no job"
        case .unknown(let reason): "its unit's job is not known (\(reason))"
        }
    }
}
