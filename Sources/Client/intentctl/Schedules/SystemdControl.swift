import Glibc
import IntentLinux

/// The systemd manager that runs schedules: the system manager for root, the user manager for other users.
struct SystemdControl {
    let isUsers: Bool

    /// Returns the systemd manager for the schedules of this process's user.
    static func current() throws(CommandFailure) -> SystemdControl {
        guard access("/run/systemd/system", F_OK) == 0 else {
            throw CommandFailure(
                .unavailable,
                code: "noSystemd",
                "this host does not run systemd, which schedules need",
                hint: "start 'intentctl run --no-input APP/INTENT' with another scheduler"
            )
        }
        return SystemdControl(isUsers: Users.own != 0)
    }

    /// The folder that contains the unit files.
    var folder: String {
        guard isUsers else { return "/etc/systemd/system" }
        let configuration = environmentText("XDG_CONFIG_HOME") ?? "\(environmentText("HOME") ?? "")/.config"
        return "\(configuration)/systemd/user"
    }

    /// The folder for unit files that a reboot removes.
    var runtimeFolder: String {
        guard isUsers else { return "/run/systemd/system" }
        return "\(environmentText("XDG_RUNTIME_DIR") ?? "/run/user/\(Users.own)")/systemd/user"
    }

    /// Runs systemctl and returns its output.
    ///
    /// - Throws: ``CommandFailure`` with the output if systemctl fails.
    @discardableResult
    func systemctl(_ arguments: String...) throws(CommandFailure) -> String {
        let (text, isSuccess) = try Self.run(["systemctl"] + (isUsers ? ["--user"] : []) + arguments)
        guard isSuccess else {
            let isUnreachable = isUsers && text.hasPrefix(utf8: "Failed to connect to ")
            throw CommandFailure(
                isUnreachable ? .unavailable : .failed,
                code: isUnreachable ? "noUserManager" : "systemctl",
                isUnreachable
                    ? "your systemd user manager, which runs your schedules, is not running: \(text)"
                    : "systemctl \(arguments.joined(separator: " ")) failed: \(text)",
                hint: isUnreachable
                    ? "use a login session, or run: loginctl enable-linger; export XDG_RUNTIME_DIR=/run/user/\(Users.own)"
                    : "'journalctl\(isUsers ? " --user" : "") -e' may show the reason"
            )
        }
        return text
    }

    /// Returns properties of a unit. The unit does not have to be loaded.
    func properties(of unit: String, _ names: [String]) throws(CommandFailure) -> [String: String] {
        let text = try systemctl("show", "--property=\(names.joined(separator: ","))", "--", unit)
        var properties: [String: String] = [:]
        for line in File.lines(of: text) {
            let parts = line.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
        }
        return properties
    }

    /// Returns the next start of each schedule with an active timer, by name. Returns none if systemd does not answer.
    func nextStarts() -> [(name: String, time: Timestamp)] {
        let names = ScheduleFolder(path: folder).names
        let units = names.map(Schedule.timerUnit(of:))
        let words =
            ["systemctl"] + (isUsers ? ["--user"] : []) + ["show", "--property=NextElapseUSecRealtime", "--"] + units
        guard !names.isEmpty, case (let text, true)? = try? Self.run(words) else { return [] }
        let times = File.lines(of: text).filter { $0.hasPrefix(utf8: "Next") }.map { line in
            line.split(scalar: "=", maxSplits: 1).last.flatMap { SystemdTime.parse($0) }
        }
        return zip(names, times).compactMap { name, time in time.map { (name, $0) } }
    }

    /// Returns the next times at which a calendar expression elapses.
    ///
    /// - Parameter base: The time after which the expression elapses; nil for the current time.
    static func nextTimes(of calendar: String, after base: Timestamp? = nil) throws(CommandFailure) -> [Timestamp] {
        let isText =
            !calendar.isEmpty && !calendar.hasPrefix(utf8: "-") && !calendar.unicodeScalars.contains { $0.value < 0x20 }
        let start = base.map { ["--base-time=@\($0.millisecondsSince1970 / 1000)"] } ?? []
        guard isText,
            case (let text, true) = try run(["systemd-analyze", "calendar", "--iterations=3"] + start + [calendar])
        else {
            throw .usage(
                "expected a systemd calendar expression, got '\(calendar)'",
                hint: "for example: 'Mon..Fri 02:30', hourly, '*-*-01 06:00 Europe/Berlin'; see systemd.time(7)"
            )
        }
        let times = SystemdTime.next(in: text)
        guard !times.isEmpty else {
            throw .usage("'\(calendar)' never elapses again", hint: "choose times in the future")
        }
        return times
    }

    /// Runs a systemd program so that it prints times in UTC and messages in English.
    private static func run(_ words: [String]) throws(CommandFailure) -> (String, isSuccess: Bool) {
        do throws(SystemError) {
            return try ChildProcess.output(
                of: "/usr/bin/env",
                arguments: ["TZ=UTC", "LC_ALL=C", "SYSTEMD_COLORS=0", "SYSTEMD_PAGER="] + words
            )
        } catch {
            throw CommandFailure(
                .unavailable,
                code: "system",
                "cannot run \(words[0]): \(error)",
                hint: "install systemd"
            )
        }
    }
}

/// Parses the timestamps in systemd's output, which are in UTC.
package enum SystemdTime {
    /// Parses a time such as `Tue 2026-11-24 02:30:00 UTC`. Returns nil for any other string, such as `n/a`.
    package static func parse(_ text: some StringProtocol) -> Timestamp? {
        let parts = Substring(text).split(scalar: " ")
        guard parts.count == 4, parts[3] == "UTC" else { return nil }
        return Moment.parse("\(parts[1])T\(parts[2])Z", now: Moment.now)
    }

    /// Returns the times in the output of `systemd-analyze calendar`. The labels of the times differ between releases.
    package static func next(in text: String) -> [Timestamp] {
        File.lines(of: text).compactMap { line in
            let parts = line.split(scalar: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let label = parts[0].trimmed
            return label == "Next elapse" || label.hasPrefix(utf8: "Iter") ? parse(parts[1]) : nil
        }
    }
}
