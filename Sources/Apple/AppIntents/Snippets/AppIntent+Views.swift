extension AppIntent {
    /// Asks the person to confirm the run, with a view. Not for direct use by apps: the SwiftUI product calls it.
    public func _requestConfirmation(
        actionName: ConfirmationActionName,
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws {
        try await Self.confirm(dialog, actionName, view.shown)
    }

    /// Asks the person to choose one of several options, with a view. Not for direct use by apps: the SwiftUI product
    /// calls it.
    public func _requestChoice(
        between options: [IntentChoiceOption],
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> IntentChoiceOption {
        try await Self.choose(options, dialog, view.shown)
    }
}

extension IntentParameter {
    /// Asks the person for a value, with a view. Not for direct use by apps: the SwiftUI product calls it.
    public func _requestValue(_ dialog: IntentDialog?, view: _ShownView) async throws -> Value.ValueType {
        try await askForValue(dialog, view.shown)
    }

    /// Asks the person to choose one of several values, with a view. Not for direct use by apps: the SwiftUI product
    /// calls it.
    public func _requestDisambiguation(
        among items: [Value.ValueType],
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> Value.ValueType {
        try await askForChoice(items, dialog, view.shown)
    }

    /// Asks the person whether a value is correct, with a view. Not for direct use by apps: the SwiftUI product calls
    /// it.
    public func _requestConfirmation(
        for item: Value.ValueType,
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> Bool {
        try await askForConfirmation(item, dialog, view.shown)
    }
}

extension IntentParameterContext {
    /// Asks the person for a value, with a view. Not for direct use by apps: the SwiftUI product calls it.
    public func _requestValue(_ dialog: IntentDialog?, view: _ShownView) async throws -> Value.ValueType {
        try await ask(dialog, view.shown)
    }

    /// Asks the person to choose one of several values, with a view. Not for direct use by apps: the SwiftUI product
    /// calls it.
    public func _requestDisambiguation(
        among items: [Value.ValueType],
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> Value.ValueType {
        try await choose(items, dialog, view.shown)
    }

    /// Asks the person whether a value is correct, with a view. Not for direct use by apps: the SwiftUI product calls
    /// it.
    public func _requestConfirmation(
        for item: Value.ValueType,
        dialog: IntentDialog?,
        view: _ShownView
    ) async throws -> Bool {
        try await confirm(item, dialog, view.shown)
    }
}
