import IntentWire

extension AppIntent {
    /// Asks whether to go on.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation() async throws {
        try await Self.confirm(nil, .continue)
    }

    /// Asks whether to go on, in words of the app.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog
    ) async throws {
        try await Self.confirm(dialog, actionName)
    }

    /// Asks whether a result is the one that is wanted.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        result: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        try await Self.confirm(result.carried?.dialog, confirmationActionName)
    }

    /// The earlier spelling.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        output: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        try await Self.confirm(output.carried?.dialog, confirmationActionName)
    }

    /// Asks whether to go on, with a snippet that is shown on Apple's systems.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        snippetIntent: Snippet
    ) async throws {
        try await Self.confirm(dialog, actionName)
    }

    /// The same with the value that the snippet's intent returns, performed once the person has said yes.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it; what the
    ///   snippet's intent throws.
    ///
    /// Source: the name has two pages at Apple's, and apps take the value of the second.
    @discardableResult
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        snippetIntent: Snippet
    ) async throws -> Snippet.PerformResult.Value where Snippet.PerformResult: ReturnsValue {
        try await Self.confirm(dialog, actionName)
        return try await snippetIntent()
    }

    /// Asks for one of several options.
    ///
    /// - Throws: `CancellationError` when the person says no; the question when nobody is there to answer it; an error
    ///   when there is nothing to choose from.
    ///
    /// Source: Apple's AppIntent.requestChoice page.
    public func requestChoice(
        between options: [IntentChoiceOption],
        dialog: IntentDialog? = nil
    ) async throws -> IntentChoiceOption {
        guard !options.isEmpty else { throw RunError("there is nothing to choose from", code: "noChoice") }
        let shown = options.prefix(OpenQuestion.choiceLimit)
        let cases = shown.enumerated().map { index, option in
            EnumerationCase(
                value: "\(index + 1)",
                title: option.title.text.bounded(to: 256),
                style: option.style.wireStyle
            )
        }
        let question = OpenQuestion(
            .choice,
            dialog?.full.text ?? Self.title.text,
            title: Self.title.text,
            // What ends the run stands last, where people look for it.
            type: .enumeration(cases.filter { $0.style != .cancel } + cases.filter { $0.style == .cancel }),
            choices: options.filter { $0.style != .cancel }.map(\.title.text)
        )
        let chosen = try await question.asked { answer in
            guard case .string(let value) = answer, let number = Int(value), shown.indices.contains(number - 1) else {
                throw UnfitValue("takes one of the options")
            }
            return shown[number - 1]
        }
        if chosen.style == .cancel { throw CancellationError() }
        return chosen
    }

    private static func confirm(_ dialog: IntentDialog?, _ action: ConfirmationActionName) async throws {
        let (accept, deny) = (action.acceptLabel.text, action.denyLabel.text)
        var question = OpenQuestion(
            .confirmation,
            dialog?.full.text ?? "\(title.text)?",
            title: title.text,
            type: .bool,
            choices: [accept, deny]
        )
        question.question.acceptLabel = accept.bounded(to: 256)
        question.question.denyLabel = deny.bounded(to: 256)
        question.question.isDestructive = action.isDestructive ? true : nil
        let isConfirmed = try await question.asked { $0 == .bool(true) }
        guard isConfirmed else { throw CancellationError() }
    }

    /// One of the options of ``requestChoice(between:dialog:)``.
    public typealias Option = IntentChoiceOption
}
