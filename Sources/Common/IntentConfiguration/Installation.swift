package import IntentLauncherMessages

/// The folders that contain apps and settings, and the required owner of the files.
package struct Installation: Equatable, Sendable {
    /// The folders with apps. Later folders take precedence.
    package var appFolders: [String]
    /// The folders with `APP.conf` and `APP.conf.d/*.conf`. Later folders override earlier folders.
    package var unitFolders: [String]
    /// The folders with the daemon's own files. Later folders override earlier folders.
    package var configurationFolders: [String]
    /// The folders with intentd.command(5) files. Later folders take precedence.
    package var commandFolders: [String]
    /// The folders with intentd.shortcut(5) files. Later folders take precedence.
    package var shortcutFolders: [String]
    /// The executables and intentd.command(5) files that are given on the command line. Each of them is an app, with
    /// its settings in the file `PATH.conf`.
    package var executables: [String]
    /// The path of intentd-command, which performs the intents of intentd.command(5) files; nil to refuse the apps that
    /// these files describe.
    package var commandProgram: String?
    /// The user who may own the files besides root; nil to check only that no other user has write permission. The
    /// launcher cannot check owners: in its user namespace, root and all other unmapped users have the same uid.
    package var user: UInt32?

    package init(
        appFolders: [String],
        unitFolders: [String] = [],
        configurationFolders: [String] = [],
        commandFolders: [String] = [],
        shortcutFolders: [String] = [],
        executables: [String] = [],
        user: UInt32?
    ) {
        self.appFolders = appFolders
        self.unitFolders = unitFolders
        self.configurationFolders = configurationFolders
        self.commandFolders = commandFolders
        self.shortcutFolders = shortcutFolders
        self.executables = executables
        self.user = user
    }

    /// Returns the installation of the system service.
    package static func system(user: UInt32?) -> Installation {
        Installation(
            appFolders: ["/usr/lib/intentd/apps", "/usr/local/lib/intentd/apps"],
            unitFolders: ["/usr/lib/intentd/apps.d", "/etc/intentd/apps.d"],
            configurationFolders: ["/etc/intentd"],
            commandFolders: ["/usr/lib/intentd/commands.d", "/etc/intentd/commands.d"],
            shortcutFolders: ["/usr/lib/intentd/shortcuts.d", "/etc/intentd/shortcuts.d"],
            user: user
        )
    }

    /// Returns the installation of a user's own daemon.
    package static func user(home: String, user: UInt32) -> Installation {
        Installation(
            appFolders: ["\(home)/.local/lib/intentd/apps"],
            unitFolders: ["\(home)/.config/intentd/apps.d"],
            configurationFolders: ["\(home)/.config/intentd"],
            commandFolders: ["\(home)/.config/intentd/commands.d"],
            shortcutFolders: ["\(home)/.config/intentd/shortcuts.d"],
            user: user
        )
    }

    /// Adds the apps of this host, and those that files beside a named shortcut describe, because the steps of the
    /// shortcut perform their intents.
    package mutating func addAppsOfShortcuts() {
        let named = executables.filter { $0.hasSuffix(utf8: CommandSource.shortcutSuffix) }
        guard !named.isEmpty, appFolders.isEmpty, commandFolders.isEmpty else { return }
        let system = Installation.system(user: user)
        (appFolders, unitFolders) = (system.appFolders, system.unitFolders)
        commandFolders = system.commandFolders + named.map { Self.folder(of: $0) }
        shortcutFolders = system.shortcutFolders + named.map { Self.folder(of: $0) }
    }

    /// Reads an app from the disk.
    package func app(_ name: AppName, on disk: DiskView) -> AppSearch {
        do throws(ConfigurationProblem) {
            return app(name, under: try unit(of: name, under: daemon(on: disk), on: disk), on: disk)
        } catch {
            return .refused(error.description)
        }
    }

    /// Returns the names of all apps, sorted.
    package func appNames(on disk: DiskView) -> [AppName] {
        var names = Set(executables.compactMap { AppName(Self.appName(of: $0)) })
        for folder in appFolders {
            for name in disk.names(folder) ?? [] where Self.executable(named: name, in: folder, on: disk) != nil {
                if let name = AppName(name) { names.insert(name) }
            }
        }
        for (folders, suffix) in [(unitFolders, ".conf")] + describingFolders {
            for file in folders.flatMap({ disk.names($0) ?? [] }) where file.hasSuffix(utf8: suffix) {
                if let name = AppName(file.dropLast(scalars: suffix.scalarCount)) { names.insert(name) }
            }
        }
        return names.sorted()
    }

    /// Returns the path of the file in which the operator can change an app's settings, whether it exists or not.
    package func settingsFile(of name: AppName) -> String {
        let own = namedExecutable(name)
        if let own, own.hasSuffix(utf8: CommandSource.suffix) { return own }
        return (own ?? unitFolders.last.map { "\($0)/\(name)" } ?? name.text) + ".conf"
    }

    /// Returns a problem for each file that an operator may have intended for intentd, but that has no effect because of
    /// its name.
    package func ignoredFiles(on disk: DiskView) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        func note(_ path: String, _ reason: String) {
            problems.append(ConfigurationProblem(file: path, line: nil, message: "the file has no effect: \(reason)"))
        }
        func names(_ folder: String) -> [String] { (disk.names(folder) ?? []).filter { !Self.isBackup($0) } }
        func checkDropIns(_ folder: String) {
            for name in names(folder) where !name.hasSuffix(utf8: ".conf") {
                note("\(folder)/\(name)", "the name of a drop-in must end in .conf")
            }
        }
        let appRule = "the name of an app has only letters, digits, '.', '_' and '-', and at most 64 of them"
        for (folders, suffix) in [(unitFolders, ".conf")] + describingFolders {
            for folder in folders {
                for name in names(folder) {
                    let path = "\(folder)/\(name)"
                    if suffix == ".conf", disk.facts(path)?.isFolder == true {
                        if name.hasSuffix(utf8: ".conf.d") {
                            checkDropIns(path)
                        } else {
                            note(path, "the name of a folder with drop-ins must end in .conf.d")
                        }
                    } else if !name.hasSuffix(utf8: suffix) {
                        note(path, "its name must end in \(suffix)")
                    } else if disk.facts(path) == nil {
                        note(path, "it is a link to a file that does not exist")
                    } else if AppName(String(name.dropLast(scalars: suffix.scalarCount))) == nil {
                        note(path, appRule)
                    }
                }
            }
        }
        for folder in appFolders {
            for name in names(folder) where AppName(name) == nil { note("\(folder)/\(name)", appRule) }
        }
        for folder in configurationFolders { checkDropIns("\(folder)/intentd.conf.d") }
        return problems
    }

    /// Returns true for files that editors and package managers leave behind, which have no effect by convention.
    private static func isBackup(_ name: String) -> Bool {
        name.hasPrefix(utf8: ".") || name.hasPrefix(utf8: "README") || name.hasSuffix(utf8: "~")
            || name.split(scalar: ".").dropFirst().contains { part in
                ["bak", "orig", "rej", "swp", "disabled"].contains(part)
                    || ["dpkg-", "ucf-", "rpm"].contains { part.hasPrefix(utf8: $0) }
            }
    }

    // MARK: Private

    /// The folders with files that describe intents, by the suffix of the files.
    private var describingFolders: [([String], String)] {
        [(commandFolders, CommandSource.suffix), (shortcutFolders, CommandSource.shortcutSuffix)]
    }

    /// Whether the owner and permissions of a file are checked.
    private enum Trust {
        /// The file is not checked, because its path is given on the command line.
        case asNamed
        /// The file was found in a folder. Only root and the installation's user may be able to change it.
        case ownersOnly
    }

    /// Reads an app's files. Returns the defaults if the app has no files.
    ///
    /// - Throws: The problem that prevents the app from running.
    func unit(
        of name: AppName,
        under defaults: DaemonSettings,
        on disk: DiskView
    ) throws(ConfigurationProblem) -> AppUnit {
        let command = try command(name, on: disk)
        // The settings in the app author's file (intentd.command(5)) are applied first, so that the operator's files
        // override them.
        let file = command.map { UnitFile($0.bytes, file: $0.source.path) }
        let own = file?.settings
        func unit(of files: [UnitFile]) throws(ConfigurationProblem) -> AppUnit {
            let usesTerminal = file?.usesTerminal ?? false
            return try AppUnit(
                files,
                command: command?.source,
                usesTerminal: usesTerminal,
                startsServer: file?.declaresServer ?? false,
                defaults: defaults,
                on: disk
            )
        }
        if let path = namedExecutable(name) {
            let files = try [own].compactMap(\.self) + read([path + ".conf"], trust: .asNamed, on: disk)
            return try unit(of: files)
        }
        let (paths, problems) = paths(of: "\(name).conf", in: unitFolders, on: disk)
        if let problem = problems.first { throw problem }
        let files = try [own].compactMap(\.self) + read(paths, trust: .ownersOnly, on: disk)
        return try unit(of: files)
    }

    /// Returns the paths of a configuration file and its drop-ins `NAME.d/*.conf` in several folders, in the order in
    /// which they are applied.
    ///
    /// - Returns: The paths, and the problems with the folders. A folder that cannot be listed is a problem, because it
    ///   may contain rules for access or the sandbox.
    func paths(
        of name: String,
        in folders: [String],
        on disk: DiskView
    ) -> (paths: [String], problems: [ConfigurationProblem]) {
        var paths: [String] = []
        var problems: [ConfigurationProblem] = []
        for folder in folders {
            let dropInFolder = "\(folder)/\(name).d"
            for folder in [folder, dropInFolder] {
                // Check the folder as well, because a user with write permission for it could replace a file after the
                // check.
                guard let reason = disk.facts(folder)?.distrust(by: user, path: folder) else { continue }
                problems.append(ConfigurationProblem(file: folder, line: nil, message: reason))
            }
            let dropIns = disk.names(dropInFolder)
            if dropIns == nil {
                problems.append(ConfigurationProblem(file: dropInFolder, line: nil, message: "cannot list the folder"))
            }
            paths.append("\(folder)/\(name)")
            paths += (dropIns ?? []).filter { $0.hasSuffix(utf8: ".conf") }.map { "\(dropInFolder)/\($0)" }
        }
        return (paths, problems)
    }

    /// Returns the intentd.command(5) file that describes an app's intents, with its contents. Returns nil for an app
    /// that has its own executable.
    ///
    /// - Throws: The problem that prevents the file from being used.
    private func command(
        _ name: AppName,
        on disk: DiskView
    ) throws(ConfigurationProblem) -> (source: CommandSource, bytes: [UInt8])? {
        guard let source = commandSource(name, on: disk) else { return nil }
        let path = source.path
        func problem(_ message: String) -> ConfigurationProblem {
            ConfigurationProblem(file: path, line: nil, message: message)
        }
        guard source.facts.isRegular else { throw problem("expected a regular file") }
        if namedExecutable(name) == nil {
            if let reason = distrust(path, source.facts, on: disk) { throw problem(reason) }
            if let other = find(name, on: disk) {
                throw problem("the executable '\(other.path)' is an app of the same name. Rename one of them.")
            }
            if let other = commandSources(name, on: disk).dropFirst().first {
                throw problem("the file '\(other.path)' describes an app of the same name. Rename one of them.")
            }
        }
        guard let bytes = disk.bytes(path) else { throw problem("cannot read the file") }
        return (source, bytes)
    }

    /// Returns the path and the current facts of the intentd.command(5) file that describes an app's intents. Returns
    /// nil for an app that has its own executable.
    package func commandSource(_ name: AppName, on disk: DiskView) -> CommandSource? {
        if let named = namedExecutable(name) {
            guard CommandSource.suffixes.contains(where: { named.hasSuffix(utf8: $0) }) else { return nil }
            return disk.facts(named).map { CommandSource(path: named, facts: $0) }
        }
        return commandSources(name, on: disk).first
    }

    /// Returns the file of each kind that describes an app's intents. More than one is a mistake.
    private func commandSources(_ name: AppName, on disk: DiskView) -> [CommandSource] {
        describingFolders.compactMap { folders, suffix in
            folders.reversed().lazy.compactMap { folder -> CommandSource? in
                let path = "\(folder)/\(name)\(suffix)"
                return disk.facts(path).map { CommandSource(path: path, facts: $0) }
            }.first
        }
    }

    private func read(
        _ paths: [String],
        trust: Trust,
        on disk: DiskView
    ) throws(ConfigurationProblem) -> [UnitFile] {
        var files: [UnitFile] = []
        for path in paths {
            guard let facts = disk.facts(path) else {
                // A folder entry without a file is a link to a missing file. The app must not run, because the missing
                // file may contain rules for its access or sandbox.
                guard disk.names(Self.folder(of: path))?.contains(Self.lastComponent(path)) != true else {
                    throw ConfigurationProblem(file: path, line: nil, message: "the target of the link does not exist")
                }
                continue
            }
            guard facts.isRegular else {
                throw ConfigurationProblem(file: path, line: nil, message: "expected a regular file")
            }
            if trust == .ownersOnly, let reason = facts.distrust(by: user, path: path) {
                throw ConfigurationProblem(file: path, line: nil, message: reason)
            }
            guard let bytes = disk.bytes(path) else {
                throw ConfigurationProblem(file: path, line: nil, message: "cannot read the file")
            }
            files.append(UnitFile(bytes, file: path))
        }
        return files
    }

    private func namedExecutable(_ name: AppName) -> String? {
        executables.first { Self.appName(of: $0) == name.text }
    }

    /// Returns the app with the settings from its files and its current executable.
    func app(_ name: AppName, under unit: AppUnit, on disk: DiskView) -> AppSearch {
        if let file = unit.command, file.isShortcut {
            return .found(AppSettings(name: name, executable: file.path, facts: file.facts, unit: unit))
        }
        // The owner of intentd-command is not checked, because it is installed together with intentd.
        let path = unit.command == nil ? namedExecutable(name) : commandProgram
        let executable: String
        var facts: FileFacts?
        if unit.command != nil, path == nil {
            return .refused("the program intentd-command was not found. Reinstall the intentd package.")
        }
        if let given = path ?? unit.executable {
            executable = given
            facts = disk.facts(given)
        } else if let found = find(name, on: disk) {
            (executable, facts) = found
        } else {
            return .missing
        }
        guard let facts else {
            return .refused("no executable at '\(executable)'. Check Executable= in \(name).conf.")
        }
        guard facts.isExecutable else {
            let next =
                executable.hasSuffix(utf8: ".intents")
                ? "It is a file of command intents. Move it to \(commandFolders.last ?? "the folder of --commands")."
                : "Make it executable: chmod +x '\(executable)'."
            return .refused("'\(executable)' is not an executable file. \(next)")
        }
        if path == nil, let reason = distrust(executable, facts, on: disk) { return .refused(reason) }
        return .found(AppSettings(name: name, executable: executable, facts: facts, unit: unit))
    }

    /// Returns an error message if other users can change a file or its folder; nil otherwise.
    private func distrust(_ path: String, _ facts: FileFacts, on disk: DiskView) -> String? {
        let folder = Self.folder(of: path)
        return facts.distrust(by: user, path: path) ?? disk.facts(folder)?.distrust(by: user, path: folder)
    }

    private func find(_ name: AppName, on disk: DiskView) -> (path: String, facts: FileFacts)? {
        for folder in appFolders.reversed() {
            if let found = Self.executable(named: name.text, in: folder, on: disk) { return found }
        }
        return nil
    }

    /// Returns the executable of an app in a folder: `FOLDER/APP`, or `FOLDER/APP/APP` for an app with resources.
    private static func executable(
        named name: String,
        in folder: String,
        on disk: DiskView
    ) -> (path: String, facts: FileFacts)? {
        let path = "\(folder)/\(name)"
        guard let facts = disk.facts(path) else { return nil }
        if facts.isRegular { return (path, facts) }
        let inner = "\(path)/\(name)"
        guard facts.isFolder, let facts = disk.facts(inner), facts.isRegular else { return nil }
        return (inner, facts)
    }

    /// Returns the name of the app for an executable or a file that is given on the command line.
    private static func appName(of path: String) -> String {
        let name = lastComponent(path)
        guard let suffix = CommandSource.suffixes.first(where: { name.hasSuffix(utf8: $0) }) else { return name }
        return String(name.dropLast(scalars: suffix.scalarCount))
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(scalar: "/").last.map { String($0) } ?? path
    }

    private static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), end > path.startIndex else { return "/" }
        return String(Substring(path.utf8[..<end]))
    }
}
