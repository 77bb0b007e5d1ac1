import IntentLinux

/// The name and contents of one of a schedule's files.
package struct ScheduleUnitFile: Equatable, Sendable {
    package var name: String
    package var text: String
}

extension Schedule {
    /// All files of the schedule. The timer is last, so that a timer never exists without the unit that it starts.
    package var files: [ScheduleUnitFile] {
        var files = [ScheduleUnitFile(name: serviceUnit, text: serviceText)]
        switch overlap {
        case .skip: break
        case .queue, .cancel: files.append(ScheduleUnitFile(name: overlapUnit, text: overlapText))
        }
        if let user { files.append(ScheduleUnitFile(name: failureUnit, text: failureText(of: user))) }
        return files + [ScheduleUnitFile(name: timerUnit, text: timerText)]
    }

    /// The names of all files that the schedule can have, for every value of ``overlap``.
    package var fileNames: [String] { [timerUnit, overlapUnit, failureUnit, serviceUnit] }

    private var timerText: String {
        """
        \(head)
        [Unit]
        Description=Schedule \(name) of intentd
        Documentation=man:intentctl-schedule(1)

        [Timer]
        OnCalendar=\(calendar)
        Persistent=\(missed == .run)
        AccuracySec=1s
        RandomizedDelaySec=\(jitterSeconds ?? 0)
        Unit=\(startUnit)

        [Install]
        WantedBy=timers.target

        """
    }

    /// The contents of the unit that starts the service.
    ///
    /// The start job of a oneshot unit lasts until the unit's run has ended. After= makes the next start wait for that
    /// job, and systemd merges additional starts into the waiting job.
    private var overlapText: String {
        let control = user == nil ? "systemctl --user" : "systemctl"
        let verb = overlap == .queue ? "start" : "restart"
        return """
            \(head)
            [Unit]
            Description=Start of the schedule \(name) of intentd
            Documentation=man:intentctl-schedule(1)\(overlap == .queue ? "\nAfter=\(serviceUnit)" : "")

            [Service]
            Type=oneshot
            ExecStart=\(control) \(verb) --no-block \(serviceUnit)

            """
    }

    /// Without the user, systemd starts no command of the schedule's own unit, not even one with the prefix `+`.
    private func failureText(of user: String) -> String {
        """
        \(head)
        [Unit]
        Description=Report of a failed start of the schedule \(name) of intentd
        Documentation=man:intentctl-schedule(1)

        [Service]
        Type=oneshot
        Environment=\(UnitWord.quote("USER=\(user)"))
        ExecStart=\(failureLine(start: "MONITOR_INVOCATION_ID"))

        """
    }

    private var serviceText: String {
        """
        \(head)
        [Unit]
        Description=Run of the schedule \(name) of intentd
        Documentation=man:intentctl-schedule(1)
        # Without Wants=: a schedule must not start a service that the operator has stopped.
        After=intentd.socket\(user == nil ? "" : "\nOnFailure=\(failureUnit)")
        # A start that intentd cannot accept is repeated until intentd accepts it.
        StartLimitIntervalSec=0

        [Service]
        Type=oneshot
        \(([ownerLines] + credentialLines).joined(separator: "\n"))
        ExecStart=\(commandLine)
        # A start without a run is reported to [Notify], by root for a user who cannot connect.
        ExecStopPost=\(failureLine("-+", start: "INVOCATION_ID"))
        # Stopping this unit cancels the run (SIGINT) and waits for its clean-up.
        KillSignal=SIGINT
        TimeoutStopSec=1min
        # Restart if no run has begun: no intentd (69), or no slot, process id or memory (75). Other failures are final.
        Restart=on-failure
        RestartPreventExitStatus=\(Self.finalStatuses)
        RestartSec=1min

        """
    }

    private var ownerLines: String {
        guard let user else { return "NoNewPrivileges=yes" }
        // systemd reads the user's groups at each start, so that a user who has left the group intentd cannot connect.
        var lines = ["User=\(user.replacing(utf8: "%", with: "%%"))", "NoNewPrivileges=yes"]
        // Drop all capabilities unless the user is root, which may have to open other users' files.
        if Accounts.user(user) != 0 { lines.append("CapabilityBoundingSet=") }
        return (lines + Self.hardening).joined(separator: "\n")
    }

    private var credentialLines: [String] {
        credentials.sorted { $0.key < $1.key }.map { name, path in
            "LoadCredential=\(name):\(path.replacing(utf8: "%", with: "%%"))"
        }
    }

    /// Restrictions that are possible because intentctl only opens files and connects to a socket.
    private static let hardening = [
        "ProtectSystem=full", "ProtectControlGroups=yes", "ProtectKernelLogs=yes", "ProtectKernelModules=yes",
        "ProtectKernelTunables=yes", "ProtectClock=yes", "ProtectHostname=yes", "PrivateDevices=yes",
        "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "RestrictNamespaces=yes", "RestrictRealtime=yes",
        "RestrictSUIDSGID=yes", "LockPersonality=yes", "MemoryDenyWriteExecute=yes", "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service", "SystemCallErrorNumber=EPERM",
    ]

    /// The exit statuses after which systemd does not restart the unit, for RestartPreventExitStatus=.
    private static let finalStatuses: String = {
        let again: [ExitCode] = [.done, .unavailable, .tryLater]
        let codes = ExitCode.allCases.filter { !again.contains($0) }.map { "\($0.rawValue)" }
        // EXEC, GROUP and USER are systemd's own failures. If a signal killed intentctl, a run may have been in
        // progress.
        let others = ["EXEC", "GROUP", "USER", "SIGABRT", "SIGBUS", "SIGILL", "SIGKILL", "SIGSEGV", "SIGTRAP"]
        return (codes + others).joined(separator: " ")
    }()

    /// The command line for ExecStart=.
    private var commandLine: String {
        let before = [program] + location + ["run", "--no-input", "--key"]
        let after = options + credentials.keys.sorted().map { "--credential=\($0)" } + ["\(app)/\(intent)"] + parameters
        return (before.map(UnitWord.quote) + [key("INVOCATION_ID")] + after.map(UnitWord.quote)).joined(separator: " ")
    }

    /// - Parameters:
    ///   - prefix: The prefix of the program (systemd.service(5), "COMMAND LINES").
    ///   - start: The variable with the invocation id of the start.
    private func failureLine(_ prefix: String = "", start: String) -> String {
        let words = [prefix + program] + location + ["run", "--failed-start", "--key"]
        return (words.map(UnitWord.quote) + [key(start), UnitWord.quote("\(app)/\(intent)")]).joined(separator: " ")
    }

    /// The key names the schedule in the run's record. systemd inserts the invocation id, so each start has its own run.
    private func key(_ start: String) -> String { "\"\(keyPrefix)${\(start)}\"" }

    /// The options that select the daemon.
    private var location: [String] {
        if let socket { return ["--socket", socket] }
        return isUsers ? ["--user"] : []
    }
}

/// Quotes words in the syntax of ExecStart= (systemd.service(5), "COMMAND LINES").
package enum UnitWord {
    /// Returns the string as one word in which systemd expands nothing.
    package static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": quoted += "\\\\"
            case "\"": quoted += "\\\""
            // Escape the characters that start a specifier or a variable.
            case "%": quoted += "%%"
            case "$": quoted += "$$"
            case "\0"..<" ", "\u{7F}":
                quoted += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Returns false for a string that contains a Unicode noncharacter, such as U+FFFF. systemctl can neither show nor
    /// stop a unit that contains a noncharacter.
    package static func canHold(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains($0.value) }
    }
}
