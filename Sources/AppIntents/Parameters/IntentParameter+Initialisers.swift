extension IntentParameter {
    /// A parameter with a title, and a default that makes it optional to the caller.
    ///
    /// - Parameters:
    ///   - requestValueDialog: What a person is asked when the value is missing.
    ///   - inputConnectionBehavior: Without meaning on Linux.
    public convenience init(
        title: LocalizedStringResource,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }

    /// The same with a title made from the property's name.
    public convenience init(
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: nil, summary: description, default: defaultValue, question: requestValueDialog)
    }

    /// A list with how many elements a widget shows, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }

    /// The same by the size of a widget.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: [IntentWidgetFamily: IntentCollectionSize],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}
