import IntentConfiguration
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire

/// Apps as they are on disk at the moment of a request.
extension Supervisor {
    func lookUp(_ text: String, for session: ClientSession) -> AppLookup {
        let lookup = lookUp(text)
        guard case .unknown(let name, _) = lookup else { return lookup }
        let apps = installation.appNames(on: .kernel).compactMap(installedApp)
        let open = apps.filter { $0.isOpen(to: session.user, groups: session.groups) }
        return .unknown(name: name, installed: open.map(\.name.text))
    }

    func lookUp(_ text: String) -> AppLookup {
        let unknown = { AppLookup.unknown(name: text, installed: self.installation.appNames(on: .kernel).map(\.text)) }
        guard let name = AppName(text) else { return unknown() }
        switch memory.app(name, in: installation, on: .kernel) {
        case .found(let settings): return .found(installed(settings))
        case .missing: return unknown()
        case .refused(let reason): return .refused(message: "\(name): \(reason)")
        }
    }

    func installedApp(_ name: AppName) -> InstalledApp? {
        let search = memory.app(name, in: installation, on: .kernel)
        refusedApps[name] = nil
        switch search {
        case .found(let settings): return installed(settings)
        case .missing: return nil
        case .refused(let reason):
            refusedApps[name] = reason
            let problem = ConfigurationProblem(file: name.text, line: nil, message: reason)
            if knownProblems.insert(problem).inserted {
                journal.write(.warning, "not listed: \(problem)", .appUnusable, [("INTENT_APP", name.text)])
            }
            return nil
        }
    }

    private func installed(_ settings: AppSettings) -> InstalledApp {
        appProblems[settings.name] = settings.problems.isEmpty ? nil : settings.problems
        for problem in settings.problems where knownProblems.insert(problem).inserted { log(problem, .warning) }
        return InstalledApp(
            name: settings.name,
            executable: settings.executable,
            fingerprint: InstalledApp.Fingerprint(
                device: settings.facts.device,
                inode: settings.facts.inode,
                byteCount: settings.facts.byteCount,
                modifiedNanoseconds: settings.facts.modifiedNanoseconds
            ),
            limits: settings.limits,
            intentLimits: settings.intentLimits,
            access: rule(settings.access, of: settings.name),
            intentAccess: settings.intentAccess.mapValues { rule($0, of: settings.name) },
            confirm: rule(settings.confirm, of: settings.name),
            intentConfirm: settings.intentConfirm.mapValues { rule($0, of: settings.name) },
            runCountMax: settings.runCountMax,
            spareCount: settings.spareCount,
            idleStop: settings.idleStop,
            secretNames: settings.secretNames,
            intentSecretNames: settings.intentSecretNames,
            grants: settings.sandbox.grants,
            revision: revision(of: settings)
        )
    }

    /// The number of this version of an app's files.
    private func revision(of settings: AppSettings) -> UInt64 {
        let known = revisions[settings.name]
        if let known, known.settings == settings { return known.number }
        let number = (known?.number ?? 0) + 1
        revisions[settings.name] = (settings, number)
        return number
    }

    /// Names made numbers; one that nobody has allows nobody.
    private func rule(_ settings: AccessSettings, of app: AppName) -> AccessRule {
        guard settings.isRestricted else { return .everybody }
        return .only(
            users: Set(
                numbers(settings.users, of: app, Accounts.user).map { (user, name) in
                    // A number names any account with that uid; a name, that account alone.
                    Caller.local(user: user, account: UInt32(name) == nil ? accounts.name(of: user) : "")
                }
            ),
            groups: Set(numbers(settings.groups, of: app, Accounts.group).map(\.number))
        )
    }

    private func rule(_ settings: ConfirmSettings, of app: AppName) -> ConfirmRule {
        guard settings.isByOther else { return .asker }
        return settings.groups.map { .members(of: Set(numbers($0, of: app, Accounts.group).map(\.number))) } ?? .other
    }

    private func numbers(_ names: [String], of app: AppName, _ find: (String) -> UInt32?) -> [(
        number: UInt32, name: String
    )] {
        names.compactMap { name in
            if let number = find(name) { return (number, name) }
            let problem = ConfigurationProblem(
                file: "\(app).conf",
                line: nil,
                message: "[Access]: there is no '\(name)'"
            )
            if knownProblems.insert(problem).inserted { journal.write(.warning, "\(problem)") }
            return nil
        }
    }
}
