/// The job that systemd is performing for a unit, as far as a service that receives SIGTERM needs it.
///
/// systemd sends SIGTERM both for a stop and for a restart. Only the unit's job distinguishes them (systemd.unit(5),
/// org.freedesktop.systemd1(5)).
package enum UnitJob: Equatable, Sendable {
    /// The unit is stopped: `systemctl stop`, a shutdown, a conflict.
    case stop
    /// The unit is restarted: `systemctl restart`.
    case restart
    /// There is no job: the signal did not come from systemd, and `Restart=` decides what follows.
    case none
    /// The job could not be queried, for this reason.
    case unknown(String)

    /// The relevant part of an entry that `ListJobs` returns.
    package struct Listed: Equatable, Sendable {
        package var unit: String
        /// The type as `systemctl list-jobs` shows it.
        package var type: String

        package init(unit: String, type: String) {
            self.unit = unit
            self.type = type
        }
    }

    /// Finds the job of a unit. systemd has at most one per unit.
    package init(of unit: String, among jobs: [Listed]) {
        switch jobs.first(where: { $0.unit == unit })?.type {
        case "stop": self = .stop
        // A pending start brings the unit back like a restart.
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
