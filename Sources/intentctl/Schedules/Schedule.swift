import FoundationEssentials
import IntentClient
import IntentLinux

/// What a start of a schedule does while the previous run has not ended.
package enum ScheduleOverlap: String, CaseIterable, Codable, Sendable {
    /// Drops the start.
    case skip
    /// Performs one more run afterwards, however many starts came due.
    case queue
    /// Cancels the previous run, then begins.
    case cancel
}

/// What becomes of a start that was missed while the host was off.
package enum MissedStart: String, CaseIterable, Codable, Sendable {
    /// One run at the next boot, however many starts were missed.
    case run
    case skip
}

/// A schedule: an intent, its values, and when systemd performs it. The schedule's own unit files record it.
package struct Schedule: Codable, Equatable, Sendable {
    /// Part of the names of the units.
    package var name: String
    /// An expression of systemd.time(7), with its time zone.
    package var calendar: String
    package var app: String
    package var intent: String
    /// The options of 'run', without the words that select the daemon.
    package var options: [String]
    /// The parameters of the intent, as on the command line of 'run'.
    package var parameters: [String]
    package var overlap = ScheduleOverlap.skip
    package var missed = MissedStart.run
    package var jitterSeconds: Int64?
    /// The user who performs the runs of a system timer; nil for a timer of a user's own systemd.
    package var user: String?
    /// The socket of intentd; nil for the system's, or for the user's own if `isUsers`.
    package var socket: String?
    /// True when runs are requests to the user's own intentd.
    package var isUsers = false
    /// The path of intentctl.
    package var program: String

    package init(
        name: String,
        calendar: String,
        app: String,
        intent: String,
        options: [String] = [],
        parameters: [String] = [],
        program: String
    ) {
        self.name = name
        self.calendar = calendar
        self.app = app
        self.intent = intent
        self.options = options
        self.parameters = parameters
        self.program = program
    }

    /// True for a name that can be part of a unit's name, of a file's name and of a run's key. There is no '@', which
    /// separates the schedule's own units.
    package static func isName(_ name: String) -> Bool {
        let isPlain = { (byte: UInt8) -> Bool in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        guard let first = name.utf8.first, isPlain(first), name.utf8.count <= nameByteLimit else { return false }
        return name.utf8.allSatisfy { isPlain($0) || "_.-".utf8.contains($0) }
    }

    package static let nameByteLimit = 64

    // MARK: Units

    private static let prefix = "intent-schedule-"

    package static func timerUnit(of name: String) -> String { "\(prefix)\(name).timer" }

    package var timerUnit: String { Self.timerUnit(of: name) }
    /// The unit that performs the intent.
    package var serviceUnit: String { "\(Self.prefix)\(name).service" }
    /// The unit that starts the service while the previous run may not have ended. systemd itself ignores a start of an
    /// active unit, so `skip` needs none.
    package var overlapUnit: String { "\(Self.prefix)\(name)@overlap.service" }
    /// The unit that the timer starts.
    package var startUnit: String {
        switch overlap {
        case .skip: serviceUnit
        case .queue, .cancel: overlapUnit
        }
    }

    /// The name of the schedule with this timer; nil for another file.
    package static func name(ofTimer file: String) -> String? {
        guard file.hasPrefix(prefix), file.hasSuffix(".timer") else { return nil }
        let name = String(file.dropFirst(prefix.count).dropLast(".timer".count))
        return isName(name) ? name : nil
    }

    /// The beginning of the keys of this schedule's runs.
    package var keyPrefix: String { "schedule:\(name):" }

    // MARK: Record

    /// The beginning of the line that records the schedule. Files without this line are not the schedule's.
    private static let marker = "# intentctl-schedule: "

    /// The first lines of every file of the schedule.
    package var head: String {
        """
        # 'intentctl schedule' wrote this file. 'intentctl schedule remove \(name)' removes it.
        \(Self.marker)\(JSONValue(self).text())
        """
    }

    /// The schedule that a unit file records; nil for a file that `schedule` did not write.
    package init?(unitText: String) {
        guard let line = File.lines(of: unitText).prefix(2).last, line.hasPrefix(Self.marker),
            let schedule = try? JSONDecoder().decode(
                Schedule.self,
                from: Data(line.utf8.dropFirst(Self.marker.utf8.count))
            )
        else { return nil }
        self = schedule
    }
}
