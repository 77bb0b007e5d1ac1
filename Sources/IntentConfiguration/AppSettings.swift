package import IntentWire

/// One app as its files and its place on disk describe it.
package struct AppSettings: Equatable, Sendable {
    package var name: AppName
    package var executable: String
    package var facts: FileFacts
    package var limits: RunLimits
    /// `[Intent NAME]` sections: limits of single intents, by the name written there.
    package var intentLimits: [String: RunLimits]
    /// `[Access]`: who may run its intents.
    package var access: AccessSettings
    /// The same for single intents, by the name written there.
    package var intentAccess: [String: AccessSettings]
    /// `Environment=` and `EnvironmentFile=`: added to what every app gets.
    package var environment: [String: String]
    /// Mistakes in the app's files; what they meant keeps its default.
    package var problems: [ConfigurationProblem]
}

/// What came of looking for an app.
package enum AppSearch: Equatable, Sendable {
    case found(AppSettings)
    /// There is none of that name.
    case missing
    /// It is there and must not be used; what, why and the next step.
    case refused(String)
}

/// The contents of `APP.conf`, before the executable was looked at.
struct AppUnit {
    var executable: String?
    var limits: RunLimits
    var intentLimits: [String: RunLimits] = [:]
    var access = AccessSettings()
    var intentAccess: [String: AccessSettings] = [:]
    var environment: [String: String] = [:]
    var problems: [ConfigurationProblem] = []

    /// - Throws: ``ConfigurationProblem`` for a protection that this version does not enforce: an app must not run
    ///   without what its operator asked for.
    init(_ files: [UnitFile], defaults: RunLimits, on disk: DiskView) throws(ConfigurationProblem) {
        limits = defaults
        problems = files.flatMap(\.problems)
        let assignments = files.flatMap(\.assignments)
        // The app's own limits first: `[Intent NAME]` starts from them, wherever it stands.
        for assignment in assignments where !assignment.section.hasPrefix("Intent ") {
            try take(assignment, on: disk)
        }
        for assignment in assignments where assignment.section.hasPrefix("Intent ") {
            takeForIntent(assignment)
        }
    }

    private mutating func take(_ assignment: UnitFile.Assignment, on disk: DiskView) throws(ConfigurationProblem) {
        switch (assignment.section, assignment.key) {
        case ("App", "Executable"):
            executable = assignment.value.isEmpty ? nil : assignment.value
        case ("App", "Environment"):
            takeEnvironment(assignment)
        case ("App", "EnvironmentFile"):
            try takeEnvironmentFile(assignment, on: disk)
        case ("Access", _):
            if !access.take(assignment) { problems.append(unknown(assignment)) }
        case ("Limits", _):
            do {
                if try !limits.take(assignment) { problems.append(unknown(assignment)) }
            } catch {
                problems.append(error)
            }
        case ("Sandbox", _), ("App", "LoadCredential"), ("App", "State"), ("App", "IdleStop"):
            throw assignment.problem("this is not done by this version, and an app does not run without it")
        default:
            problems.append(unknown(assignment))
        }
    }

    private mutating func takeForIntent(_ assignment: UnitFile.Assignment) {
        let name = assignment.section.dropFirst("Intent ".count).trimmed
        var ownAccess = intentAccess[name] ?? AccessSettings()
        if ownAccess.take(assignment) {
            intentAccess[name] = ownAccess
            return
        }
        var own = intentLimits[name] ?? limits
        do {
            if try !own.take(assignment) { problems.append(unknown(assignment)) }
        } catch {
            problems.append(error)
        }
        intentLimits[name] = own
    }

    private mutating func takeEnvironment(_ assignment: UnitFile.Assignment) {
        if assignment.value.isEmpty {
            environment = [:]
            return
        }
        for word in assignment.value.split(whereSeparator: \.isWhitespace) {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                problems.append(assignment.problem("'\(word)' is not of the form NAME=VALUE, ignoring it"))
                continue
            }
            environment[String(word[..<equals])] = String(word[word.index(after: equals)...])
        }
    }

    /// A file of `NAME=VALUE` lines; with a hyphen before its path it may be missing.
    private mutating func takeEnvironmentFile(
        _ assignment: UnitFile.Assignment,
        on disk: DiskView
    ) throws(ConfigurationProblem) {
        let mayBeMissing = assignment.value.hasPrefix("-")
        let path = mayBeMissing ? String(assignment.value.dropFirst()) : assignment.value
        guard let text = disk.text(path) else {
            if mayBeMissing || path.isEmpty { return }
            throw assignment.problem("'\(path)' cannot be read, and an app does not run without its environment")
        }
        for line in text.split(separator: "\n").map(\.trimmed) where !line.hasPrefix("#") && !line.hasPrefix(";") {
            guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
                if !line.isEmpty { problems.append(assignment.problem("'\(path)' has a line that is not NAME=VALUE")) }
                continue
            }
            var value = line[line.index(after: equals)...].trimmed
            if value.count >= 2, let quote = value.first, quote == "\"" || quote == "'", value.last == quote {
                value = String(value.dropFirst().dropLast())
            }
            environment[line[..<equals].trimmed] = value
        }
    }

    private func unknown(_ assignment: UnitFile.Assignment) -> ConfigurationProblem {
        assignment.problem("there is no such key in [\(assignment.section)], ignoring it")
    }
}
