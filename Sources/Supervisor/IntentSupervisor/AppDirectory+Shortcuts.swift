import IntentCommands
import IntentConfiguration
import IntentDaemon
import IntentHash
import IntentLauncherMessages
import IntentLifecycle

/// Shortcuts of files, shortcuts that users have stored, and shortcuts of single requests.
extension AppDirectory {
    /// Returns the shortcut that an app's file describes; nil for an app that runs a program.
    func shortcut(_ settings: AppSettings) -> Result<ShortcutFile, CommandFileProblems>? {
        guard settings.unit.command?.isShortcut == true else { return nil }
        if let known = shortcuts[settings.name], known.facts == settings.facts { return known.file }
        let path = settings.executable
        let file = Result { () throws(CommandFileProblems) in
            guard let bytes = DiskView.kernel.bytes(path) else {
                let problem = ConfigurationProblem(file: path, line: nil, message: "cannot read the file")
                throw CommandFileProblems(problems: [problem])
            }
            return try ShortcutFile(bytes, file: path)
        }
        shortcuts[settings.name] = (settings.facts, file)
        return file
    }

    // MARK: Texts

    /// Returns the shortcut of one request.
    func plan(_ text: String, of user: Caller) throws(ErrorReport) -> InstalledApp {
        personal(InstalledApp.planName, try read(text, file: "plan"), of: user)
    }

    /// Returns the app of plans for a request that undoes the run of a plan, which needs no steps: the runs of the steps have
    /// registered what undoes them.
    func undoingPlan(_ intent: String, of user: Caller) -> InstalledApp {
        let declaration = IntentDeclaration(name: intent, title: intent, traits: [.progressReporting, .cancellable])
        let shortcut = InstalledShortcut(
            plan: ShortcutPlan(title: intent),
            catalog: IntentCatalog(intents: [declaration])
        )
        return .personal(InstalledApp.planName, shortcut, of: user, limits: daemon.limits)
    }

    /// Checks a shortcut that a user stores.
    func entry(_ shortcut: OwnShortcutText, of user: Caller) throws(ErrorReport) -> OwnShortcuts.Entry {
        guard AppName(shortcut.name) != nil, shortcut.name != InstalledApp.planName.text else {
            throw ErrorReport(
                .badRequest,
                "'name': expected the name of an app, got '\(WireCoding.excerpt(shortcut.name))'",
                hint: "rename the file"
            )
        }
        guard (shortcut.path ?? "").utf8.count <= 4096 else {
            throw ErrorReport(.badRequest, "'path': expected at most 4096 bytes")
        }
        let file = try read(shortcut.text, file: "\(shortcut.name)\(ShortcutFile.suffix)")
        return OwnShortcuts.Entry(shortcut, of: user, intent: file.name, title: file.plan.title)
    }

    /// Returns a shortcut that a user has stored, as an app.
    func ownApp(_ name: String, of user: Caller) -> InstalledApp? {
        ownShortcuts().entry(name, of: user).flatMap(app)
    }

    /// Returns the shortcuts that a user has stored, without those with the name of an installed app that the user may run.
    func ownApps(of user: Caller, groups: Set<UInt32>) -> [InstalledApp] {
        ownShortcuts().all(of: user).filter { !isHidden($0, groups: groups) }.compactMap(app)
    }

    /// Returns true if an installed app takes precedence over a shortcut.
    func isHidden(_ entry: OwnShortcuts.Entry, groups: Set<UInt32>) -> Bool {
        switch lookUp(entry.shortcut.name) {
        case .found(let app): app.isOpen(to: entry.owner, groups: groups)
        case .refused: true
        case .unknown: false
        }
    }

    /// Adds the versions of the apps that perform the steps of a shortcut, for an approval of the whole.
    func withVersions(_ lookup: AppLookup) -> AppLookup {
        guard case .found(var app) = lookup, let shortcut = app.shortcut else { return lookup }
        for step in shortcut.plan.steps {
            guard case .perform(let name, _, _) = step.work, app.shortcut?.versions[name] == nil,
                case .found(let other) = lookUp(name)
            else { continue }
            app.shortcut?.versions[name] = other.version
        }
        return .found(app)
    }

    private func app(_ entry: OwnShortcuts.Entry) -> InstalledApp? {
        // An update of intentd can have made the syntax stricter. The user is told by 'intentctl shortcut add'.
        guard let name = AppName(entry.shortcut.name),
            let file = try? read(entry.shortcut.text, file: "\(name)\(ShortcutFile.suffix)")
        else { return nil }
        return personal(name, file, of: entry.owner)
    }

    private func personal(_ name: AppName, _ file: ShortcutFile, of user: Caller) -> InstalledApp {
        .personal(name, InstalledShortcut(plan: file.plan, catalog: file.catalog), of: user, limits: daemon.limits)
    }

    /// The number of texts that are kept after they were read.
    private static let readTextLimit = 256

    private func read(_ text: String, file: String) throws(ErrorReport) -> ShortcutFile {
        let digest = SHA256.hexadecimal(of: text.utf8)
        if let known = readTexts[digest] { return known }
        do throws(CommandFileProblems) {
            let read = try ShortcutFile(ofUser: Array(text.utf8), file: file)
            if readTexts.count >= Self.readTextLimit { readTexts = [:] }
            readTexts[digest] = read
            return read
        } catch {
            throw ErrorReport(.badRequest, error.description, hint: "see intentd.shortcut(5)")
        }
    }
}
