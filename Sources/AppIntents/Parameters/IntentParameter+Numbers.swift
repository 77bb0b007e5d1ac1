import IntentWire

extension IntentParameter where Value.ValueType == Int {
    /// A whole number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Int>,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            title: title,
            summary: description,
            default: defaultValue,
            question: requestValueDialog,
            range: NumberRange(
                lowerBound: Double(inclusiveRange.lowerBound),
                upperBound: Double(inclusiveRange.upperBound)
            )
        )
    }

    /// A whole number with a control, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}

extension IntentParameter where Value.ValueType == Double {
    /// A number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Double>,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            title: title,
            summary: description,
            default: defaultValue,
            question: requestValueDialog,
            range: NumberRange(lowerBound: inclusiveRange.lowerBound, upperBound: inclusiveRange.upperBound)
        )
    }

    /// A number with a control, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}
