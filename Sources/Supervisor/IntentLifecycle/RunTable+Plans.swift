import IntentHash
package import IntentLauncherMessages

/// Agents' shortcuts: a person approves the whole once, and the approval covers its steps.
///
/// The question for the approval shows the steps, and its digest covers them, the values, and the versions of the apps that
/// perform them. A step is asked again if
/// - its app has another version than at the time of the request,
/// - it destroys data, or `Confirm=` applies to it, and a value of it comes from an earlier step or an answer, which the
///   person has not seen,
/// - another user than the approver of the whole must confirm it (`Confirm=`), or
/// - it performs another shortcut, with steps that the question did not show.
/// The rules for agents, the user's access and the secrets of a step are those of any request of an agent.
extension RunTable {
    /// Returns true if a person must approve an agent's request for a shortcut without an operator's file: if they would have to
    /// approve one of its steps. A step of an app that has not described its intents counts as one that needs approval.
    func needsApproval(_ plan: ShortcutPlan) -> Bool {
        // The shortcut that a step performs is approved by itself.
        let count = plan.steps.count { if case .perform(_, let intent, _) = $0.work { !intent.isEmpty } else { false } }
        let known = declared(by: plan)
        return known.count < count || known.contains { $1.asksAPerson(before: $2) }
    }

    /// Keeps the approval that a person has given to a shortcut, for its steps.
    mutating func keepApproval(of id: RunID) -> [Action] {
        guard let run = runs[id], run.isOfAgent, run.standingApproval == nil, let notice = run.lastAnswer,
            notice.question == Self.approvalNumber, shortcuts.contains(id)
        else { return [] }
        shortcuts[id]?.machine.approve(with: notice)
        return storeNotes(of: id)
    }

    /// Returns the approval of a shortcut that covers the run of one of its steps, or of the undo of one; nil if a person must
    /// approve the run itself.
    func approval(ofShortcutOf run: Run) -> AnswerNotice? {
        guard let id = run.shortcut, let live = shortcuts[id], let parent = runs[id], let key = run.accepted.key,
            var notice = live.machine.notes.approval, run.app.shortcut == nil,
            parent.app.shortcut?.versions[run.app.name.text] == run.app.version
        else { return nil }
        let rule = run.app.confirmRule(for: run.intent)
        let isHarmless =
            (run.app.agentRule(for: run.intent).effect ?? run.intent.effect) != .destroys && rule == .caller
        if let step = StepKey(key) {
            let plan = live.machine.plan
            guard isHarmless || plan.step(step.step).map(plan.hasKnownValues) == true,
                rule == .caller || rule == parent.app.confirmRule(for: parent.intent)
            else { return nil }
        } else if !isHarmless {
            // The values of an undo come from the run that registered it.
            return nil
        }
        notice.standing = StandingApproval(
            run: id,
            app: parent.app.name.text,
            intent: parent.intent.name,
            user: notice.user,
            text: "the steps of the shortcut's run \(id)",
            remaining: .zero
        )
        return notice
    }

    /// Returns true if a step of the plan destroys data.
    func destroys(_ plan: ShortcutPlan) -> Bool {
        declared(by: plan).contains { _, app, intent in
            app.agentRule(for: intent).effect ?? intent.effect == .destroys
        }
    }

    /// Returns the strictest rule for confirmations that the steps of a shortcut have in common: a user who may confirm all of
    /// them may approve the whole. Steps with another rule are asked again.
    func confirmRule(for plan: ShortcutPlan) -> ConfirmRule {
        declared(by: plan).map { $1.confirmRule(for: $2) }.first { $0 != .caller } ?? .caller
    }

    /// Returns the rules that permit users to run the intent of a run. Only its owner may request a plan or a user's own shortcut,
    /// but another user who may run each of its steps may confirm it.
    func access(to run: Run) -> [AccessRule] {
        guard let shortcut = run.app.shortcut, shortcut.isPersonal else { return [run.app.access(to: run.intent)] }
        let steps = declared(by: shortcut.plan)
        let count = shortcut.plan.steps.count { if case .perform = $0.work { true } else { false } }
        // The rules of a step are unknown if its app is not installed, has not described its intents, or is another shortcut.
        return steps.count == count ? steps.map { $1.access(to: $2) } : [.only(users: [], groups: [])]
    }

    /// Returns the intents of the steps, without those of apps that have not described their intents.
    private func declared(by plan: ShortcutPlan) -> [(step: ShortcutPlan.Step, app: InstalledApp, IntentDeclaration)] {
        plan.steps.compactMap { step -> (step: ShortcutPlan.Step, app: InstalledApp, IntentDeclaration)? in
            guard case .perform(let name, let intent, _) = step.work, !intent.isEmpty,
                let app = AppName(name).flatMap({ installed[$0] }), let catalog = apps[app.name]?.catalog(of: app),
                case .intent(let declared) = catalog.intent(named: intent)
            else { return nil }
            // An operator's rules that do not fit the catalogue refuse the app.
            return (try? app.fitted(to: catalog)).map { (step, $0, declared) }
        }
    }

    /// Returns the reason why a person cannot approve a plan, because it contains the value of a secret parameter, or nil.
    func refusal(ofSecretsIn plan: ShortcutPlan) -> ErrorReport? {
        for (step, app, intent) in declared(by: plan) {
            guard case .perform(_, _, let values) = step.work,
                let secret = app.secretNames(of: intent).intersection(values.keys).min()
            else { continue }
            return ErrorReport(
                .notPermitted,
                "step '\(step.name)': a person must approve the run, and cannot see the value of '\(secret)', which is secret",
                hint: "omit the value if the run can ask for it; otherwise, a person must perform the intent"
            )
        }
        return nil
    }
}

extension InstalledApp {
    /// The name of the app of shortcuts that a request contains (``PerformRequest/plan``).
    package static let planName: AppName = {
        guard let name = AppName("plan") else { preconditionFailure("the name of plans is no app's name") }
        return name
    }()

    /// A shortcut without an operator's file: a user's own, or that of one request.
    package static func personal(
        _ name: AppName,
        _ shortcut: InstalledShortcut,
        of owner: Caller,
        limits: RunLimits
    ) -> InstalledApp {
        var app = InstalledApp(
            name: name,
            executable: "",
            fingerprint: Fingerprint(FileVersion(device: 0, inode: 0, byteCount: 0, modifiedNanoseconds: 0)),
            limits: limits.ofShortcut
        )
        app.access = .only(users: [owner], groups: [])
        // Each step has the rules of its app.
        app.agents.allowance = .all
        app.shortcut = shortcut
        app.shortcut?.isPersonal = true
        return app
    }

    /// A digest of the version of the app's executable, and of the file that describes its intents.
    package var version: String {
        let files = [fingerprint.executable, fingerprint.commandFile].compactMap(\.self)
        let words = files.map { "\($0.device) \($0.inode) \($0.byteCount) \($0.modifiedNanoseconds)" }
        return SHA256.hexadecimal(of: words.joined(separator: "; ").utf8)
    }

    /// Returns true if a person must approve an agent's request for an intent.
    ///
    /// A program with `Undo=` is not exempt like an `UndoableIntent`, which itself takes back what it did: `Undo=` names another intent,
    /// which may do no more than compensate.
    func asksAPerson(before intent: IntentDeclaration) -> Bool {
        let rule = agentRule(for: intent)
        return rule.asksAPerson(
            before: rule.effect ?? intent.effect,
            isUndoable: intent.isUndoable && fingerprint.commandFile == nil
        )
    }
}
