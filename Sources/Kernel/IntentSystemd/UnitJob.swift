/// The job that systemd is performing for a unit, reduced to the information that a service needs when it receives
/// SIGTERM.
///
/// systemd sends SIGTERM for both a stop and a restart. Only the unit's job distinguishes the two (systemd.unit(5),
/// org.freedesktop.systemd1(5)).
package enum UnitJob: Equatable, Sendable {
    /// The unit is being stopped, by `systemctl stop`, a shutdown or a conflict.
    case stop
    /// The unit is being restarted, by `systemctl restart`.
    case restart
    /// The unit has no job. systemd did not send the signal, and `Restart=` determines whether the unit restarts.
    case none
    /// The job could not be queried. The string is the reason.
    case unknown(String)

    /// The relevant fields of an entry in the reply to `ListJobs`.
    package struct Listed: Equatable, Sendable {
        package var unit: String
        /// The type as `systemctl list-jobs` shows it.
        package var type: String

        package init(unit: String, type: String) {
            self.unit = unit
            self.type = type
        }
    }

    /// Finds the job of a unit. A unit has at most one job.
    package init(of unit: String, among jobs: [Listed]) {
        switch jobs.first(where: { $0.unit == unit })?.type {
        case "stop": self = .stop
        // After a pending start, the unit runs again, as after a restart.
        case "restart", "try-restart", "start": self = .restart
        case .some, nil: self = .none
        }
    }
}

extension UnitJob: CustomStringConvertible {
    package var description: String {
        switch self {
        case .stop: "its unit is being stopped"
        case .restart: "its unit is being restarted"
        case .none: "its unit has no job"
        case .unknown(let reason): "its unit's job is unknown (\(reason))"
        }
    }
}
