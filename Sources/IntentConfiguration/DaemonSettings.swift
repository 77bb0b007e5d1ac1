package import IntentWire

/// The daemon's own configuration: `intentd.conf` and `intentd.conf.d/*.conf`.
package struct DaemonSettings: Equatable, Sendable {
    /// The clocks of runs whose app says nothing else.
    package var limits = RunLimits()
    /// `MaxRuns=`: runs at the same time.
    package var runCount = 64
    /// `MaxQueued=`: runs that wait for a place.
    package var queueCount = 1024
    /// `MaxWaiting=`: runs with an open question, which take no place.
    package var waitingCount = 256
    package var problems: [ConfigurationProblem] = []

    init(_ files: [UnitFile]) {
        problems = files.flatMap(\.problems)
        for assignment in files.flatMap(\.assignments) {
            do {
                try take(assignment)
            } catch {
                problems.append(error)
            }
        }
    }

    private mutating func take(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        switch (assignment.section, assignment.key) {
        case ("Limits", "MaxRuns"): runCount = try assignment.count(keeping: runCount)
        case ("Limits", "MaxWaiting"): waitingCount = try assignment.count(keeping: waitingCount)
        case ("Limits", "MaxQueued"): queueCount = try assignment.count(keeping: queueCount)
        case ("Limits", _):
            if try limits.take(assignment) { return }
            throw assignment.problem("there is no such key in [Limits], ignoring it")
        default:
            throw assignment.problem("there is no such key in [\(assignment.section)], ignoring it")
        }
    }
}

extension UnitFile.Assignment {
    /// The value as a number of at least one.
    fileprivate func count(keeping current: Int) throws(ConfigurationProblem) -> Int {
        guard let number = Int(value), number > 0 else {
            throw problem("'\(value)' is no number of at least 1, keeping \(current)")
        }
        return number
    }
}

extension Installation {
    /// The daemon's configuration as it is on disk now.
    package func daemon(on disk: DiskView) -> DaemonSettings {
        let paths = configurationFolders.flatMap { folder in
            let dropIns = disk.names("\(folder)/intentd.conf.d").filter { $0.hasSuffix(".conf") }
            return ["\(folder)/intentd.conf"] + dropIns.map { "\(folder)/intentd.conf.d/\($0)" }
        }
        var problems: [ConfigurationProblem] = []
        var files: [UnitFile] = []
        for path in paths {
            guard let facts = disk.facts(path), facts.isRegular else { continue }
            if let reason = facts.distrust(by: user, path: path) {
                problems.append(ConfigurationProblem(file: path, line: nil, message: "\(reason) Ignoring it."))
            } else if let text = disk.text(path) {
                files.append(UnitFile(text: text, file: path))
            } else {
                problems.append(ConfigurationProblem(file: path, line: nil, message: "cannot be read, ignoring it"))
            }
        }
        var settings = DaemonSettings(files)
        settings.problems = problems + settings.problems
        return settings
    }
}
