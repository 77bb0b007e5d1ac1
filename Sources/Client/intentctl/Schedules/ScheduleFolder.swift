import Glibc
import IntentLinux

/// The folder that contains systemd's unit files, including those of schedules.
package struct ScheduleFolder {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The names of the schedules, sorted. Timers that `schedule` did not write are omitted.
    package var names: [String] {
        ((try? File.names(in: path)) ?? []).compactMap(Schedule.name(ofTimer:)).filter {
            (try? schedule(named: $0)) != nil
        }
    }

    /// - Throws: ``CommandFailure`` if the schedule does not exist, or if `schedule` did not write its timer.
    package func schedule(named name: String) throws(CommandFailure) -> Schedule {
        guard Schedule.isName(name) else { throw Self.badName(name) }
        let timer = "\(path)/\(Schedule.timerUnit(of: name))"
        guard let text = try? File.text(at: timer) else {
            let near = NearestName.opening(for: name, among: names)
            throw CommandFailure(
                .notFound,
                code: "unknownSchedule",
                "unknown schedule '\(name)'",
                hint: near + "'intentctl schedule list' lists \(Users.own == 0 ? "the system's" : "your") schedules"
            )
        }
        guard let schedule = Schedule(unitText: text), schedule.name == name else { throw Self.foreign(timer) }
        return schedule
    }

    /// Writes the files of a schedule. Replaces each file atomically, so that systemd never reads an incomplete file.
    ///
    /// - Parameter name: The only file to write; nil for all files.
    package func write(_ schedule: Schedule, only name: String? = nil) throws(CommandFailure) {
        try checkAuthor(of: schedule)
        let files = schedule.files.filter { name == nil || $0.name == name }
        do throws(SystemError) {
            try File.makeFolders(path, permissions: 0o755)
            let folder = try File.open(path, O_RDONLY | O_DIRECTORY)
            for file in files {
                // Write to a temporary file, which systemd ignores because its name has no unit suffix.
                let new = ".\(file.name).new"
                try File.remove(new, in: folder.rawValue)
                let descriptor = try File.create(new, in: folder.rawValue, permissions: 0o644)
                try File.write(descriptor.rawValue, Array(file.text.utf8)[...])
                try File.sync(descriptor.rawValue)
                try File.rename(new, to: file.name, in: folder.rawValue)
            }
            // Remove files that only an earlier schedule with the same name needed, because its overlap was different.
            for name in schedule.fileNames where !files.contains(where: { $0.name == name }) {
                try File.remove(name, in: folder.rawValue)
            }
            try File.sync(folder.rawValue)
        } catch {
            throw Self.failed("write", error)
        }
    }

    /// Removes the files of a schedule, starting with the timer.
    ///
    /// - Parameter runtime: The folder of systemd that is emptied at a reboot, for the unit of a live run. Without its
    ///   file, the unit would have the default settings, and its start timeout would end the run.
    package func remove(_ schedule: Schedule, keepingRunIn runtime: String? = nil) throws(CommandFailure) {
        try checkAuthor(of: schedule)
        if let runtime { try ScheduleFolder(path: runtime).write(schedule, only: schedule.serviceUnit) }
        do throws(SystemError) {
            let folder = try File.open(path, O_RDONLY | O_DIRECTORY)
            for name in schedule.fileNames { try File.remove(name, in: folder.rawValue) }
            try File.sync(folder.rawValue)
        } catch {
            throw Self.failed("remove", error)
        }
    }

    /// - Throws: ``CommandFailure`` if `schedule` did not write one of the schedule's files.
    package func checkAuthor(of schedule: Schedule) throws(CommandFailure) {
        for name in schedule.fileNames {
            let file = "\(path)/\(name)"
            var status = stat()
            // Do not follow a symbolic link. It may be a mask (systemctl mask), which is not a file of the schedule.
            guard lstat(file, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT == S_IFREG, let text = try? File.text(at: file),
                Schedule(unitText: text) != nil
            else { throw Self.foreign(file) }
        }
    }

    package static func badName(_ name: String) -> CommandFailure {
        .usage(
            "expected a name of at most \(Schedule.nameByteLimit) letters, digits, '_', '.' and '-' that begins with a letter "
                + "or digit, got '\(name)'",
            hint: "for example: nightly-backup"
        )
    }

    private static func foreign(_ file: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            code: "foreignFile",
            "cannot change '\(file)': 'intentctl schedule' did not write it",
            hint: "choose another name, or move the file"
        )
    }

    private static func failed(_ verb: String, _ error: SystemError) -> CommandFailure {
        CommandFailure(
            .system,
            "cannot \(verb) the schedule's files: \(error)",
            hint: "check the permissions of the folder and the free space on its disk"
        )
    }
}
