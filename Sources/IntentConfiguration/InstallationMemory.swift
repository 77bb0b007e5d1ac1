package import IntentWire

/// What was read of the operator's files, good until the next reading: an edit holds from `reload` on, as with systemd's
/// own units.
///
/// Executables are looked at each time, and an app that is not known yet is looked for: a new build, a new app and an app
/// that is gone need no word to anybody.
package struct InstallationMemory {
    private var settings: DaemonSettings?
    private var units: [AppName: AppUnit] = [:]
    /// Apps whose grants lie where apps may put links.
    private var plantedGrants: [AppName: ConfigurationProblem] = [:]
    /// An app may write in some folder of the host: WritePaths=.
    private var hasWritableFolders = false

    package init() {}

    /// The daemon's own settings.
    package mutating func daemon(in installation: Installation, on disk: DiskView) -> DaemonSettings {
        if let settings { return settings }
        let read = installation.daemon(on: disk)
        settings = read
        return read
    }

    /// The app of that name: its executable as it is now, its files as they were read last.
    package mutating func app(_ name: AppName, in installation: Installation, on disk: DiskView) -> AppSearch {
        let unit: AppUnit
        if let known = units[name] {
            unit = known
        } else {
            do throws(ConfigurationProblem) {
                unit = try installation.unit(of: name, under: daemon(in: installation, on: disk), on: disk)
            } catch {
                // Not kept: nothing would be gained by an app that cannot run staying so.
                return .refused(error.description)
            }
        }
        if let problem = plantedGrants[name] { return .refused(problem.description) }
        let search = installation.app(name, under: unit, on: disk)
        switch search {
        case .found:
            if units.updateValue(unit, forKey: name) == nil {
                // Looking at all apps for each new one would take a large installation long.
                if hasWritableFolders || !unit.sandbox.writePaths.isEmpty { checkGrants(on: disk) }
                if let problem = plantedGrants[name] { return .refused(problem.description) }
            }
        // Names that clients make up would fill the memory.
        case .missing: units[name] = nil
        case .refused: break
        }
        return search
    }

    /// Reads all files again. What is new holds when none of them has a mistake; else everything stays as it was.
    ///
    /// - Returns: The mistakes, in the order of the files.
    package mutating func reload(in installation: Installation, on disk: DiskView) -> [ConfigurationProblem] {
        var read = InstallationMemory()
        let problems = read.read(in: installation, on: disk)
        if problems.isEmpty { self = read }
        return problems
    }

    /// Finds what is read for an app below a folder that an app may write in: what is there is the app's choice, not the operator's.
    private mutating func checkGrants(on disk: DiskView) {
        let writers = units.filter { !$0.value.sandbox.writePaths.isEmpty }.sorted { $0.key < $1.key }
        hasWritableFolders = !writers.isEmpty
        let folders = writers.flatMap { name, unit in
            unit.sandbox.writePaths.map { (app: name, written: $0, path: SystemLinks.resolve($0, on: disk)) }
        }
        plantedGrants = [:]
        guard !folders.isEmpty else { return }
        for (name, unit) in units {
            for (key, written) in unit.places {
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

    private struct Place: Hashable {
        var file: String
        var line: Int?
    }

    /// Reads all files, and goes by what can be understood of them: for a start, when there is nothing to stay with.
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
        // One in the daemon's file may keep every app from running, and is said once.
        var known: Set<Place> = []
        return problems.filter { known.insert(Place(file: $0.file, line: $0.line)).inserted }
    }
}
