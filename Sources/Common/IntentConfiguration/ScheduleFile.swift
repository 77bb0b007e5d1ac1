import IntentLauncherMessages

/// The unit files that `intentctl schedule` writes, and the record of the schedule in each of them.
package enum ScheduleFile {
    /// The start of the name of each unit.
    package static let prefix = "intent-schedule-"
    /// The start of the line that contains the schedule as JSON. A file without this line belongs to no schedule.
    package static let marker = "# intentctl-schedule: "
    /// The folder of the system's schedules.
    package static let systemFolder = "/etc/systemd/system"

    /// The folder of the system's intentd.
    package static let stateFolder = "/var/lib/intentd"
    /// The start of the name of each file in the state folder that reports a start without a run (``StartFailure``).
    package static let failurePrefix = "start-failure-"

    /// Returns the name of the file that reports starts with keys like this one: each schedule has one, because
    /// systemd repeats a start.
    package static func failureName(ofKey key: String) -> String? {
        guard let name = ScheduleKey.name(in: key), name.utf8.count <= 200, !name.contains(utf8: "/") else {
            return nil
        }
        return failurePrefix + name
    }

    /// What a schedule performs, and as which user.
    package struct Target: Decodable, Equatable, Sendable {
        package var name: String
        package var app: String
        package var intent: String
        package var user: String?
        /// The paths of the secret values, by the name of the parameter's option.
        package var credentials: [String: String]?
    }

    /// The maximum number of credentials that are opened for a run.
    package static let credentialLimit = 64

    /// Returns the target of a schedule; nil if the folder has no such schedule.
    package static func target(_ name: String, in folder: String, on disk: DiskView) -> Target? {
        guard !name.contains(utf8: "/"), let bytes = disk.bytes("\(folder)/\(prefix)\(name).timer") else { return nil }
        return target(in: bytes).flatMap { $0.name.utf8.elementsEqual(name.utf8) ? $0 : nil }
    }

    private static func target(in bytes: [UInt8]) -> Target? {
        let line = bytes.split(separator: UInt8(ascii: "\n")).prefix(2).first { $0.starts(with: marker.utf8) }
        return line.flatMap { try? WireCoding.decodeFile(Target.self, from: Array($0.dropFirst(marker.utf8.count))) }
    }

    /// Returns the targets of the schedules in a folder of units, in the order of their names.
    package static func targets(in folder: String, on disk: DiskView) -> [Target] {
        (disk.names(folder) ?? []).filter { $0.hasPrefix(utf8: prefix) && $0.hasSuffix(utf8: ".timer") }.compactMap {
            name in
            disk.bytes("\(folder)/\(name)").flatMap(target)
        }
    }
}
