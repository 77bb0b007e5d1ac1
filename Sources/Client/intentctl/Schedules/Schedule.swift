import FoundationEssentials
import IntentConfiguration
import IntentLinux

/// The rule for a schedule that starts before its previous run has ended.
package enum ScheduleOverlap: String, CaseIterable, Codable, Sendable {
    /// systemd drops the start.
    case skip
    /// systemd starts one more run after the previous run, even if several starts were due.
    case queue
    /// systemd cancels the previous run, waits for its clean-up, and starts the new run.
    case cancel
}

/// The rule for starts that systemd missed while the host was off.
package enum MissedStart: String, CaseIterable, Codable, Sendable {
    /// systemd starts one run at the next boot, even if it missed several starts.
    case run
    case skip
}

/// An intent, its values, and the times at which systemd performs it. Each unit file of a schedule contains the
/// schedule as JSON.
package struct Schedule: Codable, Equatable, Sendable {
    /// The name, which is part of the units' names.
    package var name: String
    /// A calendar expression (systemd.time(7)) with its time zone.
    package var calendar: String
    package var app: String
    package var intent: String
    /// The options of 'run', except those that select the daemon.
    package var options: [String]
    /// The intent's parameters, as arguments of 'run'.
    package var parameters: [String]
    /// The paths of the secret values, by parameter. systemd reads the files at each start.
    package var credentials: [String: String] = [:]
    package var overlap = ScheduleOverlap.skip
    package var missed = MissedStart.run
    package var jitterSeconds: Int64?
    /// The owner of a system timer's runs; nil for a timer in the user's own systemd.
    package var user: String?
    /// The socket of intentd. Nil for the default socket of the system's intentd or, with `isUsers`, of the user's own
    /// intentd.
    package var socket: String?
    /// True if the user's own intentd performs the runs.
    package var isUsers = false
    /// The path of the intentctl that the service executes.
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

    /// Returns true for a name that can be part of unit names, file names and run keys. The name cannot contain '@',
    /// which has a special meaning in the names of the schedule's units.
    package static func isName(_ name: String) -> Bool {
        guard name.utf8.first?.isASCIILetterOrDigit == true, name.utf8.count <= nameByteLimit else { return false }
        return name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_.-".utf8.contains($0) }
    }

    package static let nameByteLimit = 64

    // MARK: Units

    private static let prefix = ScheduleFile.prefix

    package static func timerUnit(of name: String) -> String { "\(prefix)\(name).timer" }

    package var timerUnit: String { Self.timerUnit(of: name) }
    /// The unit that performs the intent.
    package var serviceUnit: String { "\(Self.prefix)\(name).service" }
    /// The unit that starts the service even if the previous run has not ended. `skip` does not need this unit, because
    /// systemd ignores the start of an active unit.
    package var overlapUnit: String { "\(Self.prefix)\(name)@overlap.service" }
    /// The unit that reports a start for which systemd could not change to the user, for example because the account was
    /// removed.
    package var failureUnit: String { "\(Self.prefix)\(name)@failure.service" }
    /// The unit that the timer starts.
    package var startUnit: String {
        switch overlap {
        case .skip: serviceUnit
        case .queue, .cancel: overlapUnit
        }
    }

    /// Returns the name of the schedule to which a timer file belongs, or nil for any other file.
    package static func name(ofTimer file: String) -> String? {
        guard file.hasPrefix(utf8: prefix), file.hasSuffix(utf8: ".timer") else { return nil }
        let name = String(file.dropFirst(scalars: prefix.scalarCount).dropLast(scalars: ".timer".scalarCount))
        return isName(name) ? name : nil
    }

    /// The key prefix for this schedule's runs.
    package var keyPrefix: String { ScheduleKey.prefix(of: name) }

    // MARK: Record

    private static let marker = ScheduleFile.marker

    /// The first lines of each of the schedule's files.
    package var head: String {
        """
        # 'intentctl schedule' wrote this file. 'intentctl schedule remove \(name)' removes it.
        \(Self.marker)\(JSONValue(self).text())
        """
    }

    /// Reads the schedule from a unit file. Returns nil for a file that `schedule` did not write.
    package init?(unitText: String) {
        guard let line = File.lines(of: unitText).prefix(2).last, line.hasPrefix(utf8: Self.marker),
            let schedule = try? WireCoding.decodeFile(
                Schedule.self,
                from: Array(line.utf8.dropFirst(Self.marker.utf8.count))
            )
        else { return nil }
        self = schedule
    }
}
