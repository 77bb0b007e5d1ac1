public import AppIntents

extension _ShownView {
    /// Creates the view that a result or a question shows.
    package init(of view: some View) {
        // SAFETY: only the closure below uses the view, once, on the main actor — ensured by the callers, which do not
        // keep the view.
        nonisolated(unsafe) let view = view
        self.init { parts in try _SnippetCanvas.element(of: view, with: &parts) }
    }
}

extension AppIntent {
    /// Shows a view, and asks the person to confirm the run.
    ///
    /// - Parameters:
    ///   - conditions: The conditions under which the person is asked; empty to always ask.
    ///   - actionName: The action to confirm.
    ///   - dialog: The question. If nil, the question is the intent's title with a question mark.
    ///   - showDialogAsPrompt: Ignored on Linux, where the question is always shown.
    ///   - content: The view that clients show before the question.
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation(conditions:actionName:dialog:showDialogAsPrompt:content:) page.
    public func requestConfirmation<Content: View>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        @ViewBuilder content: () -> Content
    ) async throws {
        guard conditions._areMet else { return }
        try await _requestConfirmation(actionName: actionName, dialog: dialog, view: _ShownView(of: content()))
    }

    /// Shows a view, and asks the person to confirm the run.
    ///
    /// - Parameters:
    ///   - conditions: The conditions under which the person is asked; empty to always ask.
    ///   - actionName: The action to confirm.
    ///   - dialog: The question. If nil, the question is the intent's title with a question mark.
    ///   - showDialogAsPrompt: Ignored on Linux, where the question is always shown.
    ///   - view: The view that clients show before the question.
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Content: View>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        view: Content
    ) async throws {
        guard conditions._areMet else { return }
        try await _requestConfirmation(actionName: actionName, dialog: dialog, view: _ShownView(of: view))
    }

    /// Shows a view, and asks the person to choose one of several options.
    ///
    /// - Parameters:
    ///   - options: The options. The list must not be empty.
    ///   - dialog: The question. If nil, the question is the intent's title.
    ///   - content: The view that clients show before the question.
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question; an error when the list of options is empty.
    ///
    /// Source: Apple's AppIntent.requestChoice(between:dialog:content:) page.
    public func requestChoice<Content: View>(
        between options: [IntentChoiceOption],
        dialog: IntentDialog? = nil,
        @ViewBuilder content: () -> Content
    ) async throws -> IntentChoiceOption {
        try await _requestChoice(between: options, dialog: dialog, view: _ShownView(of: content()))
    }

    /// Shows a view, and asks the person to choose one of several options.
    ///
    /// - Parameters:
    ///   - options: The options. The list must not be empty.
    ///   - dialog: The question. If nil, the question is the intent's title.
    ///   - view: The view that clients show before the question.
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question; an error when the list of options is empty.
    ///
    /// Source: Apple's AppIntent.requestChoice(between:dialog:view:) page.
    public func requestChoice<Content: View>(
        between options: [IntentChoiceOption],
        dialog: IntentDialog? = nil,
        view: Content
    ) async throws -> IntentChoiceOption {
        try await _requestChoice(between: options, dialog: dialog, view: _ShownView(of: view))
    }
}
