extension IntentParameter {
    /// The error to throw from `perform()` when this parameter's value is missing: the run ends with the question.
    ///
    /// Without a dialog the question is the parameter's `requestValueDialog`, or else its title.
    ///
    /// Source: Apple's IntentParameter.needsValueError page.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        let text = dialog ?? traits.question
        return AppIntentError(.unanswered(OpenQuestion(.value, of: self, text?.full.text ?? titleText)))
    }

    /// ``needsValueError(_:)`` without words of its own.
    ///
    /// Source: the sample on Apple's AppIntent page, which throws it.
    public var needsValue: AppIntentError { needsValueError() }

    /// The earlier name of ``needsValueError(_:)``.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    @available(*, deprecated, renamed: "needsValueError(_:)")
    public func requestValue(_ dialog: IntentDialog? = nil) -> any Error {
        needsValueError(dialog)
    }

    /// Asks for a value, and goes on with it.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's IntentParameter.requestValue page.
    public func requestValue(_ dialog: IntentDialog? = nil) async throws -> Value.ValueType {
        throw needsValueError(dialog)
    }

    /// The error to throw from `perform()` when several values may be meant.
    ///
    /// Source: Apple's IntentParameter.needsDisambiguationError page.
    public func needsDisambiguationError(
        among items: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) -> AppIntentError {
        let text = (dialog ?? traits.disambiguation ?? traits.question)?.full.text ?? titleText
        let choices = items.map { IntentItem(describing: $0).title.text }
        return AppIntentError(.unanswered(OpenQuestion(.choice, of: self, text, choices: choices)))
    }

    /// Asks which of several values is meant, and goes on with it.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's IntentParameter.requestDisambiguation page.
    public func requestDisambiguation(
        among itemsToDisambiguate: [Value.ValueType],
        dialog: IntentDialog? = nil
    ) async throws -> Value.ValueType {
        throw needsDisambiguationError(among: itemsToDisambiguate, dialog: dialog)
    }

    /// Asks whether a value is the one that is meant.
    ///
    /// - Throws: The question, as long as nobody can answer it; the run then ends with it.
    ///
    /// Source: Apple's IntentParameter.requestConfirmation page.
    public func requestConfirmation(
        for itemToConfirm: Value.ValueType,
        dialog: IntentDialog? = nil
    ) async throws -> Bool {
        let shown = IntentItem(describing: itemToConfirm).title.text
        let text = dialog?.full.text ?? "\(titleText): \(shown)?"
        throw AppIntentError(.unanswered(OpenQuestion(.confirmation, of: self, text, choices: [shown])))
    }

    private var titleText: String { traits.title?.text ?? name?.asTitle ?? "A value is missing." }
}
