import Glibc
import IntentCommands
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The installed apps and the daemon's settings, read from the files on each call.
///
/// Must be used only on the event loop's thread. Each mistake in a file is logged only once between two reloads.
final class AppDirectory {
    /// True if the daemon serves only one user.
    var isOfOneUser = false
    private let installation: Installation
    private let journal: Journal
    private var memory = InstallationMemory()
    private var accounts = LocalAccounts()
    private var memberships = GroupMemberships()
    /// The most recently read settings of each app, with a version number.
    private var revisions: [AppName: (settings: AppSettings, number: UInt64)] = [:]
    /// The apps with these settings. An app is absent if a rule names accounts, which can change independently.
    private var installedApps: [AppName: InstalledApp] = [:]
    /// Mistakes that were found in the daemon's own files when it started. Empty after a successful reload, because a
    /// mistake in these files makes a reload fail.
    private var ownProblems: [ConfigurationProblem] = []
    /// The mistakes that were found when the apps' files were last read.
    private var appProblems: [AppName: [ConfigurationProblem]] = [:]
    /// Apps that cannot be used, with the reasons.
    private(set) var refused: [AppName: String] = [:]
    /// Probable mistakes in valid files, such as a name that matches no app.
    private(set) var doubts: [String] = []
    /// The shortcuts as their files described them when they were last read.
    var shortcuts: [AppName: (facts: FileFacts, file: Result<ShortcutFile, CommandFileProblems>)] = [:]
    /// The shortcuts that users have stored.
    var ownShortcuts: () -> OwnShortcuts = { OwnShortcuts() }
    /// The shortcuts of texts that were read, by digest.
    var readTexts: [String: ShortcutFile] = [:]
    /// Mistakes that have been logged.
    private var logged: Set<ConfigurationProblem> = []
    /// The recorded catalogues of a private daemon's apps.
    private(set) var catalogs = CatalogRecords()

    /// - Parameter catalogFolder: The folder with the user's records of catalogues; nil for a daemon that uses no
    ///   records. A private daemon creates the directory while its launcher starts, so that reading delays no run.
    init(_ installation: Installation, catalogsIn catalogFolder: String? = nil, journal: Journal) {
        self.installation = installation
        self.journal = journal
        guard let catalogFolder else { return }
        for app in findApps() {
            if let settings = revisions[app.name]?.settings { catalogs.read(app, settings, in: catalogFolder) }
        }
    }

    /// All mistakes: first those in the daemon's own files, then those in the apps' files, ordered by app.
    var problems: [ConfigurationProblem] {
        ownProblems + appProblems.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The settings of intentd.conf.
    var daemon: DaemonSettings { memory.daemon(in: installation, on: .kernel) }

    var appNames: [AppName] { installation.appNames(on: .kernel) }

    /// Reads the daemon's settings for the first time, and logs their mistakes.
    func readSettings() -> DaemonSettings {
        let settings = memory.daemon(in: installation, on: .kernel)
        ownProblems = settings.problems
        for problem in ownProblems { log(problem, .warning) }
        return settings
    }

    /// Reads all files again. A mistake in any of them leaves all settings unchanged.
    ///
    /// - Returns: The new settings, or the mistakes, which are logged.
    func reload() -> Result<DaemonSettings, ConfigurationProblems> {
        let problems = memory.reload(in: installation, on: .kernel)
        guard problems.isEmpty else {
            for problem in problems { log(problem, .error) }
            return .failure(ConfigurationProblems(problems: problems))
        }
        ownProblems = []
        logged = []
        return .success(memory.daemon(in: installation, on: .kernel))
    }

    /// Returns the mistakes in the files on the disk, also in files that have changed since the last reload. Mistakes because
    /// of which an app is refused are omitted.
    func problemsOnDisk() -> [ConfigurationProblem] {
        var read = InstallationMemory()
        return read.read(in: installation, on: .kernel).filter { problem in
            !refused.values.contains { $0.contains(utf8: problem.description) }
        }
    }

    /// Returns every app that can be used. Afterwards, ``refused`` contains the other apps.
    func findApps() -> [InstalledApp] {
        refused = [:]
        appProblems = [:]
        let names = appNames
        let found = names.compactMap(app)
        let known = Set(found.map(\.name)).union(refused.keys)
        let daemon = memory.daemon(in: installation, on: .kernel)
        let ignored = installation.ignoredFiles(on: .kernel)
        doubts =
            ignored.map(\.description) + Self.unknownNames(of: daemon, apps: known)
            + names.filter { !known.contains($0) }.compactMap { Self.unmatched($0, ignored: ignored) }
            + found.flatMap { app -> [String] in
                guard let settings = revisions[app.name]?.settings else { return [] }
                return
                    (Self.unknownAccounts(of: settings.unit)
                    + Self.unknownApps(of: settings.unit, under: daemon, apps: known))
                    .map { "\(app.name): \($0)" }
            }
        for doubt in doubts where logged.insert(ConfigurationProblem(file: "", line: nil, message: doubt)).inserted {
            journal.write(.warning, doubt)
        }
        return found
    }

    /// Returns the user that performs notifications, with the user's groups; nil if `User=` in `[Notify]` names an
    /// unknown user.
    func notifyUser() -> (caller: Caller, groups: Set<UInt32>)? {
        let name = daemon.notifyUser
        guard let user = name.map(Accounts.user) ?? geteuid() else { return nil }
        let account = accounts.name(of: user)
        return (.local(user: user, account: account), groups(of: account))
    }

    /// Returns an account with its present groups (``GroupMemberships``), or the caller of a realm; nil if the uid has
    /// another account now.
    func owner(uid: UInt32, account: String) -> (caller: Caller, groups: Set<UInt32>)? {
        if let caller = realmCaller(account), caller.uid == uid { return (caller, []) }
        guard accounts.name(of: uid) == account else { return nil }
        return (.local(user: uid, account: account), groups(of: account))
    }

    /// Returns true if an account of this host has the name.
    func hasAccount(named name: String) -> Bool { accounts.hasAccount(named: name) }

    /// Returns the account with a name, and its groups; nil if it does not exist.
    func user(named name: String) -> (caller: Caller, groups: Set<UInt32>)? {
        Accounts.user(name).flatMap { owner(uid: $0, account: accounts.name(of: $0)) }
    }

    // MARK: Agents

    /// Determines which user a client acts for, from the user and groups of the client's process. The rules are `User=`
    /// and `For=` in `[Agents]`, and `User=` in `[Fleet]` and `[Web]`.
    func actor(_ user: Caller, groups: Set<UInt32>) -> Actor {
        let daemon = daemon
        let settings = daemon.agents
        guard agentUsers.contains(user.uid) else {
            if daemon.fleetUser.flatMap(Accounts.user) == user.uid { return .fleet }
            return daemon.web.user.flatMap(Accounts.user) == user.uid ? .web : .person
        }
        guard let name = settings.person else { return .agent(for: user, groups: groups) }
        guard let person = Accounts.user(name) else { return .agentWithoutUser }
        let account = accounts.name(of: person)
        return .agent(for: .local(user: person, account: account), groups: self.groups(of: account))
    }

    private func groups(of account: String) -> Set<UInt32> {
        memberships.groups(of: account, at: ClockReading.monotonicNanoseconds())
    }

    /// `User=` in `[Agents]`: the uids of agents.
    var agentUsers: Set<UInt32> {
        Set(daemon.agents.users.compactMap(Accounts.user))
    }

    /// `[Web]`: the service of the HTTP API.
    var web: WebSettings { memory.daemon(in: installation, on: .kernel).web }

    /// `AllowRoots=`: the folders from which agents may pass files; nil for any folder.
    var agentRoots: [String]? { daemon.agents.roots }

    // MARK: One app

    /// Looks up an app for a user. The error for an unknown name suggests an app that the user may run.
    ///
    /// An app that the user may run takes precedence over a shortcut that the user has stored.
    func lookUp(_ text: String, for user: Caller, groups: Set<UInt32>) -> AppLookup {
        let lookup = lookUp(text)
        switch lookup {
        case .refused: return lookup
        case .found(let app) where app.isOpen(to: user, groups: groups): return lookup
        case .found, .unknown: if let own = ownApp(text, of: user) { return .found(own) }
        }
        guard case .unknown(let name, _) = lookup else { return lookup }
        let open = appNames.compactMap(app).filter { $0.isOpen(to: user, groups: groups) }
        let own = ownShortcuts().all(of: user).map(\.shortcut.name)
        return .unknown(name: name, installed: open.map(\.name.text) + own)
    }

    func lookUp(_ text: String) -> AppLookup {
        let unknown = { AppLookup.unknown(name: text, installed: self.appNames.map(\.text)) }
        guard let name = AppName(text) else { return unknown() }
        switch search(name) {
        case .found(let settings):
            if let app = installedApps[name], revisions[name]?.settings == settings { return .found(app) }
            return .found(installed(settings))
        case .missing: return unknown()
        case .refused(let reason): return .refused(message: "\(name): \(reason)")
        }
    }

    /// Returns the app with the given name, or nil if it is missing or cannot be used.
    func app(_ name: AppName) -> InstalledApp? {
        let search = search(name)
        refused[name] = nil
        switch search {
        case .found(let settings): return installed(settings)
        case .missing: return nil
        case .refused(let reason):
            refused[name] = reason
            let problem = ConfigurationProblem(file: name.text, line: nil, message: reason)
            if logged.insert(problem).inserted {
                journal.write(.warning, "\(name) cannot be used: \(reason)", .appUnusable, [("INTENT_APP", name.text)])
            }
            return nil
        }
    }

    private func search(_ name: AppName) -> AppSearch {
        let search = memory.app(name, in: installation, on: .kernel)
        guard case .found(let settings) = search, case .failure(let problems)? = shortcut(settings) else {
            return search
        }
        return .refused(problems.description)
    }

    private func installed(_ settings: AppSettings) -> InstalledApp {
        appProblems[settings.name] = settings.unit.problems.isEmpty ? nil : settings.unit.problems
        for problem in settings.unit.problems where logged.insert(problem).inserted { log(problem, .warning) }
        var app = InstalledApp(
            name: settings.name,
            executable: settings.executable,
            fingerprint: InstalledApp.Fingerprint(
                InstalledApp.FileVersion(settings.facts),
                commandFile: settings.unit.command.map { InstalledApp.FileVersion($0.facts) }
            ),
            limits: settings.unit.limits
        )
        app.access = rule(settings.unit.access)
        app.confirm = rule(settings.unit.confirm)
        app.runCountMax = settings.unit.capacity.runCountMax
        app.concurrency = settings.unit.concurrency
        app.hasSharedState = settings.unit.state == .shared
        app.spareCount = settings.unit.capacity.spareCount
        // A server without a limit has no spares.
        let memory = min(settings.unit.sandbox.memoryMax ?? .max, 1 << 50)
        app.spareMemory = settings.unit.sandbox.startsServer ? memory : 0
        app.idleStop = settings.unit.idleStop
        app.secretNames = settings.unit.secretNames
        app.notify = settings.unit.notify
        app.retry = settings.unit.retry
        app.agents = rule(settings.unit.agents)
        app.fleet = settings.unit.fleet.rule(settings.unit.retry)
        app.intentRules = Dictionary(
            uniqueKeysWithValues: settings.unit.intents.map { ($0, rules($1, of: $0, settings.unit)) }
        )
        app.grants = settings.unit.sandbox.grants
        app.settings = settings.unit.settings
        app.settingsFile = installation.settingsFile(of: settings.name)
        app.revision = revision(of: settings)
        if case .success(let file)? = shortcut(settings) {
            app.shortcut = InstalledShortcut(plan: file.plan, catalog: file.catalog, isRequestedOften: true)
            app.limits = app.limits.ofShortcut
        }
        installedApps[settings.name] = settings.unit.namesAccounts ? nil : app
        return app
    }

    private func rules(_ settings: IntentSettings, of intent: String, _ app: AppUnit) -> IntentRules {
        var rules = IntentRules()
        rules.limits = settings.limits
        rules.access = settings.access.map { rule($0) }
        rules.confirm = settings.confirm.map { rule($0) }
        rules.concurrency = settings.concurrency
        rules.secretNames = settings.secretNames
        rules.notify = settings.notify
        rules.retry = settings.retry
        rules.agents = settings.agents.map { rule($0) }
        if settings.allowHosts != nil {
            rules.sandbox = IntentRules.OwnSandbox(section: intent, grants: app.sandbox(ofIntent: intent).grants)
        }
        if settings.fleet != nil || settings.retry != nil {
            rules.fleet = (settings.fleet ?? app.fleet).rule(settings.retry ?? app.retry)
        }
        return rules
    }

    /// Returns the maximum number of bytes that a run of the app may write, or nil if there is no limit.
    func diskMax(of app: AppName) -> Int64? { revisions[app]?.settings.unit.sandbox.diskMax }

    /// Returns the version number of the app's settings. The number increases when the settings change.
    private func revision(of settings: AppSettings) -> UInt64 {
        let known = revisions[settings.name]
        if let known, known.settings == settings { return known.number }
        let number = (known?.number ?? 0) + 1
        revisions[settings.name] = (settings, number)
        return number
    }

    /// Resolves account and group names to ids. A rule with only unknown names permits no user.
    private func rule(_ settings: AccessSettings) -> AccessRule {
        guard settings.isRestricted else { return .everybody }
        return .only(
            users: distantUsers(settings.users).union(
                numbers(settings.users.filter { !$0.contains(utf8: "@") }, Accounts.user).map { (user, name) in
                    // A number permits any account with that uid, but not the users of a service with that uid. A name
                    // permits only the account that currently has the name.
                    let isAccount = UInt32(name) == nil || services.contains(user)
                    return Caller.local(user: user, account: isAccount ? accounts.name(of: user) : "")
                }
            ),
            groups: Set(numbers(settings.groups, Accounts.group).map(\.number))
        )
    }

    private func rule(_ settings: ConfirmSettings) -> ConfirmRule {
        guard settings.isByOther else { return .caller }
        return settings.groups.map { .members(of: Set(numbers($0, Accounts.group).map(\.number))) } ?? .other
    }

    /// Returns the rule with the default for `Allow=`. In a daemon for one user, agents may request all intents,
    /// because that user can approve their runs. In other daemons, agents may request only intents that read data.
    private func rule(_ settings: AgentRule) -> AgentRule {
        var rule = settings
        if rule.allowance == nil { rule.allowance = isOfOneUser ? .all : .reading }
        return rule
    }

    /// Resolves the user names of `Weight=` to ids. An unknown name has no effect.
    func weights(_ weights: [UserWeight]) -> [Caller: Int] {
        weights.reduce(into: [:]) { result, weight in
            guard let user = Accounts.user(weight.user) else { return }
            let account = UInt32(weight.user) == nil ? accounts.name(of: user) : ""
            result[.local(user: user, account: account)] = weight.weight
        }
    }

    private func numbers(_ names: [String], _ find: (String) -> UInt32?) -> [(number: UInt32, name: String)] {
        names.compactMap { name in find(name).map { ($0, name) } }
    }

    // MARK: Mistakes

    /// Logs a mistake in a file, with the journal fields that systemd uses for mistakes in configuration. A warning
    /// states whether the line is ignored. An error does not, because a reload with a mistake changes nothing.
    private func log(_ problem: ConfigurationProblem, _ level: Journal.Level) {
        var fields = [("CONFIG_FILE", problem.file)]
        if let line = problem.line { fields.append(("CONFIG_LINE", String(line))) }
        let isIgnored = problem.isIgnorable && level == .warning
        journal.write(level, "\(problem)\(isIgnored ? ", ignoring it" : "")", .badConfiguration, fields)
    }
}

/// The mistakes that made a reload fail.
struct ConfigurationProblems: Error {
    let problems: [ConfigurationProblem]

    private static let shownCount = 20

    /// The error for the operator, with the first 20 mistakes.
    var report: ErrorReport {
        var lines = problems.prefix(Self.shownCount).map(\.description)
        if problems.count > Self.shownCount { lines.append("and \(problems.count - Self.shownCount) more") }
        return ErrorReport(
            .badConfiguration,
            lines.joined(separator: "\n"),
            hint: "the settings are unchanged: correct the files, then reload again"
        )
    }
}

extension InstalledApp.FileVersion {
    fileprivate init(_ facts: FileFacts) {
        self.init(
            device: facts.device,
            inode: facts.inode,
            byteCount: facts.byteCount,
            modifiedNanoseconds: facts.modifiedNanoseconds
        )
    }
}
