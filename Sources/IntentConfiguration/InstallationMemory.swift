package import IntentWire

/// A cache of the operator's files. An edit takes effect after `reload`, as with systemd's units.
///
/// Executables are inspected each time, and unknown apps are looked up, so that new builds, new apps and removed apps need
/// no reload.
package struct InstallationMemory {
    private var settings: DaemonSettings?
    private var units: [AppName: AppUnit] = [:]
    /// Apps with grants below folders in which other apps could create links.
    private var plantedGrants: [AppName: ConfigurationProblem] = [:]
    /// True if any app has WritePaths=.
    private var hasWritableFolders = false

    package init() {}

    /// The daemon's own settings.
    package mutating func daemon(in installation: Installation, on disk: DiskView) -> DaemonSettings {
        if let settings { return settings }
        let read = installation.daemon(on: disk)
        settings = read
        return read
    }

    /// The app with its current executable and the settings that were last read.
    package mutating func app(_ name: AppName, in installation: Installation, on disk: DiskView) -> AppSearch {
        let unit: AppUnit
        if let known = units[name],
            // A changed file of commands is read again, because its programs and their sandbox belong together.
            known.command == nil || known.command == installation.commandSource(name, on: disk)
        {
            unit = known
        } else {
            units[name] = nil
            do throws(ConfigurationProblem) {
                unit = try installation.unit(of: name, under: daemon(in: installation, on: disk), on: disk)
            } catch {
                // This is not cached, so that a corrected file takes effect at once.
                return .refused(error.description)
            }
        }
        if let problem = plantedGrants[name] { return .refused(problem.description) }
        let search = installation.app(name, under: unit, on: disk)
        switch search {
        case .found:
            if units.updateValue(unit, forKey: name) == nil {
                // Checks all apps only if necessary, because that is slow in a large installation.
                if hasWritableFolders || !unit.sandbox.writePaths.isEmpty { checkGrants(on: disk) }
                if let problem = plantedGrants[name] { return .refused(problem.description) }
            }
        // Unknown names are not cached, because clients could fill the memory with them.
        case .missing: units[name] = nil
        case .refused: break
        }
        return search
    }

    /// Reads all files again. The new settings take effect only if there are no mistakes.
    ///
    /// - Returns: The mistakes that prevent the reload, in the order of the files.
    package mutating func reload(in installation: Installation, on disk: DiskView) -> [ConfigurationProblem] {
        var read = InstallationMemory()
        // A mistake in a file of commands affects that app alone, which is refused until the file is corrected.
        let problems = read.read(in: installation, on: disk).filter { !$0.file.hasSuffix(CommandSource.suffix) }
        if problems.isEmpty { self = read }
        return problems
    }

    /// Finds grants below a folder that an app may write to: the app instead of the operator would decide what is
    /// granted.
    private mutating func checkGrants(on disk: DiskView) {
        let writers = units.filter { !$0.value.sandbox.writePaths.isEmpty }.sorted { $0.key < $1.key }
        hasWritableFolders = !writers.isEmpty
        let folders = writers.flatMap { name, unit in
            unit.sandbox.writePaths.map { (app: name, written: $0, path: SystemLinks.resolve($0, on: disk)) }
        }
        plantedGrants = [:]
        guard !folders.isEmpty else { return }
        for (name, unit) in units {
            for (key, written) in unit.writtenPaths {
                let path = SystemLinks.resolve(written, on: disk)
                guard let folder = folders.first(where: { path.utf8.starts(with: ($0.path + "/").utf8) }) else {
                    continue
                }
                plantedGrants[name] = ConfigurationProblem(
                    file: "\(name).conf",
                    line: nil,
                    message: """
                        \(key)=: '\(written)' lies below '\(folder.written)', in which \(folder.app) may write \
                        (WritePaths=) and put a link to any other place. Name a place outside of it.
                        """
                )
                break
            }
        }
    }

    private struct Position: Hashable {
        var file: String
        var line: Int?
    }

    /// Reads all files and applies all valid lines. Used at the start, when there are no earlier settings.
    ///
    /// - Returns: The mistakes, in the order of the files.
    @discardableResult
    package mutating func read(in installation: Installation, on disk: DiskView) -> [ConfigurationProblem] {
        self = InstallationMemory()
        let daemon = daemon(in: installation, on: disk)
        var problems = daemon.problems
        for name in installation.appNames(on: disk) {
            do throws(ConfigurationProblem) {
                let unit = try installation.unit(of: name, under: daemon, on: disk)
                problems += unit.problems
                units[name] = unit
            } catch {
                problems.append(error)
            }
        }
        checkGrants(on: disk)
        problems += plantedGrants.sorted { $0.key < $1.key }.map(\.value)
        // A mistake in the daemon's file may affect every app, but is reported only once.
        var known: Set<Position> = []
        return problems.filter { known.insert(Position(file: $0.file, line: $0.line)).inserted }
    }
}
