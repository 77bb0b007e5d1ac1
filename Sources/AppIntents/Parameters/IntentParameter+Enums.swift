import IntentWire

extension IntentParameter where Value.ValueType: AppEnum {
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
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                type: Self.narrowed(to: supportedValues)
            ),
            default: defaultValue
        )
    }

    /// The same with the cases last.
    @_disfavoredOverload
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        supportedValues: [Value.ValueType]
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                type: Self.narrowed(to: supportedValues)
            ),
            default: defaultValue
        )
    }

    private static func narrowed(to values: [Value.ValueType]) -> IntentWire.ValueType {
        let narrow = IntentWire.ValueType.enumeration(values.map(\.enumerationCase))
        return Value._intentValueCoding.type?.isArray == true ? .array(narrow) : narrow
    }
}

extension IntentWire.ValueType {
    var isArray: Bool { if case .array = self { true } else { false } }
}
