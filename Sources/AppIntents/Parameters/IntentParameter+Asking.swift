extension IntentParameter {
    /// The error to throw from `perform()` when this parameter's value is missing: the run ends with the question.
    ///
    /// Without a dialog the question is the parameter's `requestValueDialog`, or else its title.
    ///
    /// Source: Apple's IntentParameter.needsValueError page.
    public func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError {
        let text = dialog?.full.text ?? question?.full.text ?? title?.text ?? name?.asTitle
        return AppIntentError(.needsValue(of: self, question: text ?? "A value is missing."))
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
}
