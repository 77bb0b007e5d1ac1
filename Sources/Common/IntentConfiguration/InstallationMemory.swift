package import IntentLauncherMessages

/// A cache of the settings in the configuration files. Changes to the files take effect after a reload, as in systemd.
///
/// Executables are inspected on every use, and apps that are not in the cache are looked up on the disk. A new build,
/// a new app or a removed app therefore requires no reload, and neither does a changed file of `EnvironmentFile=`.
package struct InstallationMemory {
    private var settings: DaemonSettings?
    private var units: [AppName: AppUnit] = [:]
    /// The errors for apps with unsafe grants. A grant is unsafe if an app can create links in a parent folder of the
    /// granted path.
    private var unsafeGrants: [AppName: ConfigurationProblem] = [:]
    /// True if any app sets `WritePaths=`.
    private var hasWritableFolders = false

    package init() {}

    /// Returns the daemon's own settings.
    package mutating func daemon(in installation: Installation, on disk: DiskView) -> DaemonSettings {
        if let settings { return settings }
        let read = installation.daemon(on: disk)
        settings = read
        return read
    }

    /// Returns the app with its current executable and its cached settings.
    package mutating func app(_ name: AppName, in installation: Installation, on disk: DiskView) -> AppSearch {
        let unit: AppUnit
        if let known = units[name],
            // Read an intentd.command(5) file again when it has changed, because its programs and its sandbox settings
            // must be from the same version.
            known.command == nil || known.command == installation.commandSource(name, on: disk),
            // A file of EnvironmentFile= belongs to the host, not to the settings: a run sees it as it is.
            known.environmentFiles.allSatisfy({ disk.facts($0.key) == $0.value })
        {
            unit = known
        } else {
            units[name] = nil
            do throws(ConfigurationProblem) {
                unit = try installation.unit(of: name, under: daemon(in: installation, on: disk), on: disk)
            } catch {
                // Do not cache the problem, so that a corrected file takes effect immediately.
                return .refused(error.description)
            }
        }
        if let problem = unsafeGrants[name] { return .refused(problem.description) }
        let search = installation.app(name, under: unit, on: disk)
        switch search {
        case .found:
            if units.updateValue(unit, forKey: name) == nil {
                // Check the grants only if an app may write to a folder, because the check resolves the paths of all
                // apps.
                if hasWritableFolders || !unit.sandbox.writePaths.isEmpty { checkGrants(on: disk) }
                if let problem = unsafeGrants[name] { return .refused(problem.description) }
            }
        // Do not cache unknown names, because clients could fill the memory with them.
        case .missing: units[name] = nil
        case .refused: break
        }
        return search
    }

    /// Reads all files again. If a file contains an error, the previous settings stay in effect.
    ///
    /// - Returns: The errors that prevent the reload, in the order of the files.
    package mutating func reload(in installation: Installation, on disk: DiskView) -> [ConfigurationProblem] {
        var read = InstallationMemory()
        // An error in an intentd.command(5) file does not prevent the reload. Requests for its app are refused.
        let problems = read.read(in: installation, on: disk).filter { problem in
            !CommandSource.suffixes.contains { problem.file.hasSuffix(utf8: $0) }
        }
        if problems.isEmpty { self = read }
        return problems
    }

    /// Finds grants below a folder to which an app may write. With a link in that folder, the app could redirect the
    /// grant to other files.
    private mutating func checkGrants(on disk: DiskView) {
        let writers = units.filter { !$0.value.sandbox.writePaths.isEmpty }.sorted { $0.key < $1.key }
        hasWritableFolders = !writers.isEmpty
        let folders = writers.flatMap { name, unit in
            unit.sandbox.writePaths.map { (app: name, written: $0, path: SystemLinks.resolve($0, on: disk)) }
        }
        unsafeGrants = [:]
        guard !folders.isEmpty else { return }
        for (name, unit) in units {
            for (key, written) in unit.writtenPaths {
                let path = SystemLinks.resolve(written, on: disk)
                guard let folder = folders.first(where: { path.hasPrefix(utf8: $0.path + "/") }) else {
                    continue
                }
                unsafeGrants[name] = ConfigurationProblem(
                    file: "\(name).conf",
                    line: nil,
                    message: """
                        \(key)=: '\(written)' is below '\(folder.written)', to which \(folder.app) may write \
                        (WritePaths=). \(folder.app) could replace the path with a link to other files. Use a path \
                        outside that folder.
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

    /// Reads all files and applies the valid lines. Used when a daemon starts and has no previous settings.
    ///
    /// - Returns: The errors, in the order of the files.
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
        problems += unsafeGrants.sorted { $0.key < $1.key }.map(\.value)
        // Report an error in the daemon's files only once, even if it affects every app.
        var known: Set<Position> = []
        return problems.filter { known.insert(Position(file: $0.file, line: $0.line)).inserted }
    }
}
