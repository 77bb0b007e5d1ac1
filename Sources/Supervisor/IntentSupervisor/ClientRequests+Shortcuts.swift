import IntentHash
import IntentLauncherMessages
import IntentLifecycle

/// The shortcuts that users store for themselves, and those of single requests.
extension ClientRequests {
    func addShortcut(_ shortcut: OwnShortcutText, _ session: ClientSession, _ id: UInt64) {
        if let refusal = refusal(ofStoringFor: session) { return session.refuse(id, refusal) }
        if let refusal = recorder.refusal(of: session.owner) { return session.refuse(id, refusal) }
        do throws(ErrorReport) {
            let entry = try apps.entry(shortcut, of: session.owner)
            if apps.isHidden(entry, groups: session.groups) {
                let message = "an installed app has the name '\(shortcut.name)'"
                throw ErrorReport(.badRequest, message, hint: "rename the file")
            }
            pass(.addShortcut(entry), session, id)
        } catch {
            session.refuse(id, error)
        }
    }

    func listShortcuts(_ session: ClientSession, _ id: UInt64) {
        let all = decisions.table.ownShortcuts.all(of: session.owner).map { entry in
            var description = entry.description
            description.isHidden = apps.isHidden(entry, groups: session.groups).trueOrNil
            return description
        }
        session.send(.answer(id: id, .shortcuts(all)))
    }

    func removeShortcut(_ name: String, _ session: ClientSession, _ id: UInt64) {
        if let refusal = refusal(ofStoringFor: session) { return session.refuse(id, refusal) }
        pass(.removeShortcut(name: name), session, id)
    }

    /// A person must not find steps of an agent under a name that the person trusts.
    private func refusal(ofStoringFor session: ClientSession) -> ErrorReport? {
        if session.agent != nil {
            let hint = "a person stores it with 'intentctl shortcut add FILE'"
            return ErrorReport(.notPermitted, "agents may not store shortcuts", hint: hint)
        }
        return session.fleet == .none ? nil : ErrorReport(.notPermitted, "a fleet stores no shortcuts of users")
    }

    /// Finds the app of a request. A plan becomes a shortcut of its own.
    func lookUp(_ perform: inout PerformRequest, _ session: ClientSession) throws(ErrorReport) -> AppLookup {
        let lookup: AppLookup
        if let text = perform.plan {
            guard perform.app.isEmpty, perform.intent.isEmpty, perform.query == nil, session.fleet == .none else {
                let hint = "leave out 'app', 'intent' and 'query'"
                throw ErrorReport(.badRequest, "'plan': expected a request for nothing else", hint: hint)
            }
            let app = try apps.plan(text, of: session.owner)
            (perform.app, perform.intent) = (app.name.text, app.shortcut?.catalog.intents.first?.name ?? "")
            // Another plan with the key of this one is another request.
            perform.key = perform.key.map { "plan:\(SHA256.hexadecimal(of: text.utf8).prefix(scalars: 16)):\($0)" }
            lookup = .found(app)
        } else {
            let isUndoOfPlan = perform.app == InstalledApp.planName.text && perform.key.flatMap(UndoKey.init) != nil
            let known = apps.lookUp(perform.app, for: session.owner, groups: session.groups)
            if isUndoOfPlan, case .unknown = known {
                lookup = .found(apps.undoingPlan(perform.intent, of: session.owner))
            } else {
                lookup = known
            }
        }
        return session.agent != nil || perform.entryPoint == .mcp ? apps.withVersions(lookup) : lookup
    }
}
