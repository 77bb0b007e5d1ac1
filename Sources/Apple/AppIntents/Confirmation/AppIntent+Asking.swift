import IntentSharedTypes

extension AppIntent {
    /// Asks the person to confirm the run.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation() async throws {
        try await Self.confirm(nil, .continue)
    }

    /// Asks the person to confirm the run, with a dialog.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog
    ) async throws {
        guard conditions._areMet else { return }
        try await Self.confirm(dialog, actionName)
    }

    /// Asks the person to confirm a result.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        result: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        let followUp = result.followUp
        try await Self.confirm(followUp?.dialog, confirmationActionName, followUp?.snippet)
    }

    /// Asks the person to confirm a result. This is an earlier form of
    /// ``requestConfirmation(conditions:actionName:dialog:)``.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Result: IntentResult>(
        output: Result,
        confirmationActionName: ConfirmationActionName = .continue,
        showPrompt: Bool = true
    ) async throws {
        let followUp = output.followUp
        try await Self.confirm(followUp?.dialog, confirmationActionName, followUp?.snippet)
    }

    /// Asks the person to confirm the run, with the view of a snippet intent.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question.
    ///
    /// Source: Apple's AppIntent.requestConfirmation page.
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        snippetIntent: Snippet
    ) async throws {
        guard conditions._areMet else { return }
        try await Self.confirm(dialog, actionName, ShownSnippet(performing: snippetIntent))
    }

    /// Asks the person to confirm the run, with the view of a snippet intent, then performs that intent again and
    /// returns its value.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question; the error that the snippet intent throws.
    ///
    /// Source: Apple documents two overloads. Apps use this overload, which returns the value.
    @discardableResult
    public func requestConfirmation<Snippet: SnippetIntent>(
        conditions: ConfirmationConditions = [],
        actionName: ConfirmationActionName = .continue,
        dialog: IntentDialog? = nil,
        showDialogAsPrompt: Bool = true,
        snippetIntent: Snippet
    ) async throws -> Snippet.PerformResult.Value where Snippet.PerformResult: ReturnsValue {
        if conditions._areMet { try await Self.confirm(dialog, actionName, ShownSnippet(performing: snippetIntent)) }
        return try await snippetIntent(donate: false)
    }

    /// Asks the person to choose one of several options.
    ///
    /// - Throws: `CancellationError` when the person declines; an error that contains the question when no client can
    ///   answer the question; an error when the list of options is empty.
    ///
    /// Source: Apple's AppIntent.requestChoice page.
    public func requestChoice(
        between options: [IntentChoiceOption],
        dialog: IntentDialog? = nil
    ) async throws -> IntentChoiceOption {
        try await Self.choose(options, dialog)
    }

    static func choose(
        _ options: [IntentChoiceOption],
        _ dialog: IntentDialog?,
        _ snippet: ShownSnippet? = nil
    ) async throws -> IntentChoiceOption {
        guard !options.isEmpty else {
            throw RunError("cannot ask for a choice: the list of options is empty", code: "noChoice")
        }
        let shown = options.prefix(AskedQuestion.choiceLimit)
        let cases = shown.enumerated().map { index, option in
            EnumerationCase(
                value: "\(index + 1)",
                title: option.title.text.bounded(to: 256),
                style: option.style.wireStyle
            )
        }
        var question = AskedQuestion(
            .choice,
            dialog?.full.text ?? title.text,
            title: title.text,
            // Options that cancel the run are listed last, where people expect them.
            type: .enumeration(cases.filter { $0.style != .cancel } + cases.filter { $0.style == .cancel }),
            choices: options.filter { $0.style != .cancel }.map(\.title.text)
        )
        question.question.snippet = try await snippet?.ofQuestion
        let chosen = try await question.ask { answer in
            guard case .string(let value) = answer, let number = Int(value), shown.indices.contains(number - 1) else {
                throw InvalidValue("must be one of the options")
            }
            return shown[number - 1]
        }
        if chosen.style == .cancel { throw CancellationError() }
        return chosen
    }

    static func confirm(
        _ dialog: IntentDialog?,
        _ action: ConfirmationActionName,
        _ snippet: ShownSnippet? = nil
    ) async throws {
        let (accept, deny) = (action.acceptLabel.text, action.denyLabel.text)
        var question = AskedQuestion(
            .confirmation,
            dialog?.full.text ?? "\(title.text)?",
            title: title.text,
            type: .bool,
            choices: [accept, deny]
        )
        question.question.acceptLabel = accept.bounded(to: 256)
        question.question.denyLabel = deny.bounded(to: 256)
        question.question.isDestructive = action.isDestructive.trueOrNil
        question.question.snippet = try await snippet?.ofQuestion
        let isConfirmed = try await question.ask { $0 == .bool(true) }
        guard isConfirmed else { throw CancellationError() }
    }

    /// An option that is passed to ``requestChoice(between:dialog:)``.
    public typealias Option = IntentChoiceOption
}

extension ConfirmationConditions {
    /// True if the person must be asked: no condition is given, or one of them is met. The source of a request is
    /// uncertain if an agent requested the run.
    /// Not for direct use by apps: the SwiftUI product reads it.
    public var _areMet: Bool { isEmpty || contains(.lowConfidenceSource) && RunCaller.current.isUncertain }
}
