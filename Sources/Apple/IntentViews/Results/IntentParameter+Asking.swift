public import AppIntents

extension IntentParameter {
    /// Shows a view, asks the person for a value, and returns the value.
    ///
    /// - Parameters:
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue<Content: View>(
        _ dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Value.ValueType {
        try await _requestValue(dialog, view: _ShownView(of: view))
    }

    /// Shows a view, asks the person for a value, and returns the value.
    ///
    /// - Parameters:
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue<Content: View>(
        _ dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Value.ValueType {
        try await _requestValue(dialog, view: _ShownView(of: view()))
    }

    /// Shows a view, asks the person to choose one of several values, and returns the chosen value.
    ///
    /// - Parameters:
    ///   - itemsToDisambiguate: The values. If the list is empty, the person may enter any value.
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation<Content: View>(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Value.ValueType {
        try await _requestDisambiguation(among: itemsToDisambiguate, dialog: dialog, view: _ShownView(of: view))
    }

    /// Shows a view, asks the person to choose one of several values, and returns the chosen value.
    ///
    /// - Parameters:
    ///   - itemsToDisambiguate: The values. If the list is empty, the person may enter any value.
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation<Content: View>(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Value.ValueType {
        try await _requestDisambiguation(among: itemsToDisambiguate, dialog: dialog, view: _ShownView(of: view()))
    }

    /// Shows a view, and asks the person whether a value is correct. Returns false if the person answers no.
    ///
    /// - Parameters:
    ///   - itemToConfirm: The value.
    ///   - dialog: The question; nil for a question that contains the parameter's title and the value.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestConfirmation(for:dialog:view:) page.
    public func requestConfirmation<Content: View>(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Bool {
        try await _requestConfirmation(for: itemToConfirm, dialog: dialog, view: _ShownView(of: view))
    }

    /// Shows a view, and asks the person whether a value is correct. Returns false if the person answers no.
    ///
    /// - Parameters:
    ///   - itemToConfirm: The value.
    ///   - dialog: The question; nil for a question that contains the parameter's title and the value.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestConfirmation(for:dialog:view:) page.
    public func requestConfirmation<Content: View>(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Bool {
        try await _requestConfirmation(for: itemToConfirm, dialog: dialog, view: _ShownView(of: view()))
    }
}

extension IntentParameterContext {
    /// Shows a view, asks the person for a value, and returns the value.
    ///
    /// - Parameters:
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestValue page.
    public func requestValue<Content: View>(
        _ dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Value.ValueType {
        try await _requestValue(dialog, view: _ShownView(of: view))
    }

    /// Shows a view, asks the person for a value, and returns the value.
    ///
    /// - Parameters:
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestValue page.
    public func requestValue<Content: View>(
        _ dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Value.ValueType {
        try await _requestValue(dialog, view: _ShownView(of: view()))
    }

    /// Shows a view, asks the person to choose one of several values, and returns the chosen value.
    ///
    /// - Parameters:
    ///   - itemsToDisambiguate: The values. If the list is empty, the person may enter any value.
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestDisambiguation page.
    public func requestDisambiguation<Content: View>(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Value.ValueType {
        try await _requestDisambiguation(among: itemsToDisambiguate, dialog: dialog, view: _ShownView(of: view))
    }

    /// Shows a view, asks the person to choose one of several values, and returns the chosen value.
    ///
    /// - Parameters:
    ///   - itemsToDisambiguate: The values. If the list is empty, the person may enter any value.
    ///   - dialog: The question; nil for the parameter's own question.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestDisambiguation page.
    public func requestDisambiguation<Content: View>(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Value.ValueType {
        try await _requestDisambiguation(among: itemsToDisambiguate, dialog: dialog, view: _ShownView(of: view()))
    }

    /// Shows a view, and asks the person whether a value is correct. Returns false if the person answers no.
    ///
    /// - Parameters:
    ///   - itemToConfirm: The value.
    ///   - dialog: The question; nil for a question that contains the parameter's title and the value.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestConfirmation(for:dialog:view:) page.
    public func requestConfirmation<Content: View>(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> Bool {
        try await _requestConfirmation(for: itemToConfirm, dialog: dialog, view: _ShownView(of: view))
    }

    /// Shows a view, and asks the person whether a value is correct. Returns false if the person answers no.
    ///
    /// - Parameters:
    ///   - itemToConfirm: The value.
    ///   - dialog: The question; nil for a question that contains the parameter's title and the value.
    ///   - view: The view that clients show before the question.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled.
    ///
    /// Source: Apple's IntentParameterContext.requestConfirmation(for:dialog:view:) page.
    public func requestConfirmation<Content: View>(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil,
        @ViewBuilder view: () -> Content
    ) async throws -> Bool {
        try await _requestConfirmation(for: itemToConfirm, dialog: dialog, view: _ShownView(of: view()))
    }
}
