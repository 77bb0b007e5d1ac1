import Glibc
import IntentConfiguration
import IntentLinux

/// Reports a start of a schedule that did not result in a run, at the end of the schedule's unit (`run --failed-start` in
/// `ExecStopPost=`).
///
/// The unit's user may have lost access to intentd, and intentd may not run. Root therefore reports the start for that
/// user, or keeps the report in the state folder until intentd starts.
package struct FailedStart {
    /// Why the start did not result in a run.
    package let message: String
    /// True if systemd repeats the start.
    let isRepeated: Bool

    /// - Parameter environment: The variables that systemd sets for `ExecStopPost=`, or for a unit of `OnFailure=` with the
    ///   prefix `MONITOR_` (systemd.exec(5)).
    /// - Returns: Nil if the unit ended in another way, for example with the end of a run.
    package init?(_ environment: (String) -> String?) {
        func value(_ name: String) -> String? { environment(name) ?? environment("MONITOR_\(name)") }
        guard value("EXIT_CODE") == "exited", let status = value("EXIT_STATUS").flatMap({ Int32($0) }) else {
            return nil
        }
        let reason: String
        switch ExitCode(rawValue: status) {
        case .unavailable: reason = "intentd did not answer"
        case .tryLater: reason = "intentd was busy"
        case .notPermitted: reason = "its user may not connect to intentd, or may not perform the intent"
        case .usage, .badInput, .notFound, .configuration: reason = "intentctl exited with status \(status)"
        // systemd could not execute intentctl: see "PROCESS EXIT CODES" in systemd.exec(5).
        case nil where status >= 200: reason = "systemd could not start the unit (status \(status))"
        case .done, .failed, .crashed, .resourceLimit, .unanswered, .timeout, .clientDisconnected, .userCancelled,
            .serviceStopped, nil:
            return nil
        }
        isRepeated = status == ExitCode.unavailable.rawValue || status == ExitCode.tryLater.rawValue
        message =
            reason + (isRepeated ? "; systemd repeats the start every minute" : "; its unit's journal has the error")
    }

    /// Reports the start, unless systemd repeats it and intentd answers.
    static func report(_ options: RunOptions, over connect: () async throws -> IntentConnection) async throws
        -> ExitCode
    {
        guard case .installed(let app, let intent) = options.target, let key = options.key,
            let file = ScheduleFile.failureName(ofKey: key)
        else {
            throw CommandFailure.usage(
                "--failed-start needs APP/INTENT and --key schedule:NAME:START",
                hint: HelpText.pointer(.run)
            )
        }
        guard let failed = FailedStart(environmentText) else { return .done }
        var failure = StartFailure(app: app, intent: intent, key: key, message: failed.message)
        if Users.own == 0 { failure.userName = environmentText("USER") }
        do {
            let connection = try await connect()
            defer { connection.close() }
            if !failed.isRepeated { try await connection.reportStartFailure(failure) }
        } catch {
            guard Users.own == 0 else { throw error }
            try keep(failure, as: file)
        }
        return .done
    }

    /// Writes a report for intentd's next start. Follows no link, because the folder belongs to another user.
    private static func keep(_ failure: StartFailure, as name: String) throws {
        let folder = try File.open(ScheduleFile.stateFolder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let new = ".\(name)"
        try File.remove(new, in: folder.rawValue)
        let file = try File.create(new, in: folder.rawValue, permissions: 0o644)
        // intentd's user reads the file, whatever the umask is.
        try syscall("fchmod") { fchmod(file.rawValue, 0o644) }
        try File.write(file.rawValue, Array(JSONValue(failure).text().utf8)[...])
        try File.sync(file.rawValue)
        try File.rename(new, to: name, in: folder.rawValue)
    }
}
