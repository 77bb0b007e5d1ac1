/// Stores the caller's own shortcuts, and reads the steps of a shortcut's run.
extension IntentConnection {
    /// Performs a shortcut that is not installed.
    ///
    /// - Parameters:
    ///   - plan: The text of the shortcut (intentd.shortcut(5)).
    ///   - values: The values of its parameters.
    ///   - files: The files to which the values refer.
    /// - Throws: ``IntentClientError`` with code `badRequest` and every mistake in the text, or the errors of
    ///   ``perform(_:files:)``.
    public func perform(
        plan: String,
        values: [String: IntentValue] = [:],
        files: [RunFile] = [],
        onDisconnect: DisconnectRule = .cancel
    ) async throws -> IntentRun {
        let request = PerformRequest(app: "", intent: "", values: values, onDisconnect: onDisconnect, plan: plan)
        return try await perform(request, files: files)
    }

    /// Stores a shortcut for the caller, in place of an earlier one of its name.
    ///
    /// - Throws: ``IntentClientError`` with code `badRequest` and every mistake in the text, or with code `busy` when the
    ///   caller has no room for it.
    public func addShortcut(_ shortcut: OwnShortcutText) async throws -> OwnShortcut {
        try await link.answer(to: .addShortcut(shortcut)) {
            if case .shortcutAdded(let added) = $0 { added } else { nil }
        }
    }

    /// Returns the shortcuts that the caller has stored, by name.
    public func ownShortcuts() async throws -> [OwnShortcut] {
        try await link.answer(to: .shortcuts) { if case .shortcuts(let all) = $0 { all } else { nil } }
    }

    /// Removes a shortcut that the caller has stored.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownApp` when the caller has stored no shortcut of that name.
    public func removeShortcut(named name: String) async throws {
        _ = try await link.answer(to: .removeShortcut(name: name)) {
            if case .shortcutRemoved(let name) = $0 { name } else { nil }
        }
    }

    /// Returns the runs of a shortcut's steps, and the runs that undo them, in the order in which they began.
    public func steps(of run: RunID) async throws -> [RecordedRun] {
        var query = HistoryQuery()
        query.shortcut = run
        return try await history(query).reversed()
    }
}
