import IntentWire

extension IntentParameter where Value.ValueType: AppEnum {
    /// One of an enum's cases, with what a person is asked when several may be meant.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog?,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }

    /// One of some of an enum's cases; a caller's value that is another one is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        supportedValues: [Value.ValueType],
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        let narrow = IntentWire.ValueType.enumeration(supportedValues.map(\.enumerationCase))
        self.init(
            title: title,
            summary: description,
            default: defaultValue,
            question: requestValueDialog,
            type: Value._intentValueCoding.type?.isArray == true ? .array(narrow) : narrow
        )
    }
}

extension IntentWire.ValueType {
    var isArray: Bool { if case .array = self { true } else { false } }
}
