extension AppIntent {
    /// Asks the person to confirm the run, with a view. Not for direct use by apps: the product SwiftUI calls it.
    public func _requestConfirmation(
        actionName: ConfirmationActionName,
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws {
        try await Self.confirm(dialog, actionName, view.shown)
    }

    /// Asks the person to choose one of several options, with a view. Not for direct use by apps: the product SwiftUI calls
    /// it.
    public func _requestChoice(
        between options: [IntentChoiceOption],
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> IntentChoiceOption {
        try await Self.choose(options, dialog, view.shown)
    }
}
