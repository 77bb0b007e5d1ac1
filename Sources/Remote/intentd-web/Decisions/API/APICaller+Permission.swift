import IntentConfiguration
package import IntentProtocol

/// What a caller with a token may do. intentd decides what its user may do.
extension APICaller {
    /// True if the token permits the intent, or, without an intent, any intent of the app.
    package func permits(_ app: String, _ intent: String? = nil) -> Bool {
        allowed.map { WebToken.allows($0, app: app, intent: intent) } ?? true
    }

    /// True if the token permits a request of this type, which has no run in its path. The answers to lists contain what
    /// the token permits (``permitted(_:)``).
    package func permits(request type: String) -> Bool {
        guard let allowed, !allowed.contains("*") else { return true }
        return [
            "status", "list", "describe", "runs", "history", "story", "logs", "cancel", "question", "answer", "fetch",
            "discardFiles", "revoke",
        ].contains(type)
    }

    package var refusal: ErrorReport {
        ErrorReport(
            .notPermitted,
            "the token does not permit this",
            hint:
                "its patterns are \((allowed ?? []).joined(separator: " ")): 'intentctl token new --allow' permits others"
        )
    }

    /// Returns the part of an answer that the token permits; nil for an answer about an app that it does not permit.
    package func permitted(_ answer: ClientAnswer) -> ClientAnswer? {
        guard allowed != nil else { return answer }
        switch answer {
        case .apps(let apps): return .apps(apps.compactMap(permitted))
        case .app(let app): return permitted(app).map { .app($0) }
        case .runs(let runs): return .runs(runs.filter { permits($0.app, $0.intent) })
        case .history(var page):
            page.runs.removeAll { !permits($0.app, $0.intent) }
            page.heads = nil
            return .history(page)
        case .status(var status):
            (status.standingApprovals, status.outdatedRuns) = (nil, nil)
            status.problems = status.problems?.filter { $0.app.map { permits($0) } ?? true }
            return .status(status)
        case .hello, .accepted, .ended, .watching, .asking, .answerAccepted, .revoked, .ticket, .filesReceived, .files,
            .filesDiscarded, .story, .logs, .startFailureNoted, .pruned, .imported, .metrics, .reloaded, .upgrading,
            .shortcutAdded, .shortcuts, .shortcutRemoved, .refused:
            return answer
        }
    }

    private func permitted(_ app: AppDescription) -> AppDescription? {
        guard permits(app.name) else { return nil }
        var app = app
        app.catalog?.intents.removeAll { !permits(app.name, $0.name) }
        return app
    }
}
