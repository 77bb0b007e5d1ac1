extension AppIntent {
    /// Asks whether to go on.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation() async throws {
        throw Self.unconfirmed(nil, .continue)
    }

    /// Asks whether to go on, in words of the app.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog
    ) async throws {
        throw Self.unconfirmed(dialog, actionName)
    }

    /// Asks whether a result is the one that is wanted.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        result: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        throw Self.unconfirmed((result as? any DialogCarrying)?.dialog, confirmationActionName)
    }

    /// The earlier spelling.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        output: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        throw Self.unconfirmed((output as? any DialogCarrying)?.dialog, confirmationActionName)
    }

    /// Asks whether to go on, with a snippet that is shown on Apple's systems.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        snippetIntent: Snippet
    ) async throws {
        throw Self.unconfirmed(dialog, actionName)
    }

    /// Asks for one of several options.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's AppIntent.requestChoice page.
    public func requestChoice(
        between options: [IntentChoiceOption],
        dialog: IntentDialog? = nil
    ) async throws -> IntentChoiceOption {
        throw AppIntentError(
            .unanswered(
                OpenQuestion(
                    .choice,
                    dialog?.full.text ?? Self.title.text,
                    choices: options.filter { $0.style != .cancel }.map(\.title.text)
                )
            )
        )
    }

    private static func unconfirmed(_ dialog: IntentDialog?, _ action: ConfirmationActionName) -> AppIntentError {
        AppIntentError(
            .unanswered(
                OpenQuestion(
                    .confirmation,
                    dialog?.full.text ?? "\(title.text)?",
                    choices: [action.acceptLabel.text, action.denyLabel.text]
                )
            )
        )
    }

    /// One of the options of ``requestChoice(between:dialog:)``.
    public typealias Option = IntentChoiceOption
}
