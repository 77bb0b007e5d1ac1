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
        self.init(title: title, summary: description, default: defaultValue)
    }

    /// The same with a title made from the property's name.
    public convenience init(
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: nil, summary: description, default: defaultValue)
    }
}

extension IntentParameter where Value.ValueType == Int, Value.UnwrappedType == Int {
    /// A whole number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Int? = nil,
        controlStyle: IntControlStyle = .stepper,
        inclusiveRange: (lowerBound: Int, upperBound: Int),
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue) { [inclusiveRange] value in
            value >= inclusiveRange.lowerBound && value <= inclusiveRange.upperBound
                ? nil : "wants \(inclusiveRange.lowerBound) to \(inclusiveRange.upperBound), not \(value)"
        }
    }

    /// A whole number with a control, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Int? = nil,
        controlStyle: IntControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue)
    }
}

extension IntentParameter where Value.ValueType == Double, Value.UnwrappedType == Double {
    /// A number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Double? = nil,
        controlStyle: DoubleControlStyle = .stepper,
        inclusiveRange: (lowerBound: Double, upperBound: Double),
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue) { [inclusiveRange] value in
            value >= inclusiveRange.lowerBound && value <= inclusiveRange.upperBound
                ? nil : "wants \(inclusiveRange.lowerBound) to \(inclusiveRange.upperBound), not \(value)"
        }
    }

    /// A number with a control, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Double? = nil,
        controlStyle: DoubleControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue)
    }
}

extension IntentParameter where Value.ValueType == String, Value.UnwrappedType == String {
    /// Text with options for a keyboard, which have no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: String? = nil,
        inputOptions: String.IntentInputOptions,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue)
    }
}

extension IntentParameter where Value.ValueType == IntentFile, Value.UnwrappedType == IntentFile {
    /// A file; the types are for those who choose one, and are not enforced.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: IntentFile? = nil,
        supportedContentTypes: [UTType],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue)
    }

    /// The same with types by their identifiers.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: IntentFile? = nil,
        supportedTypeIdentifiers: [String],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue)
    }
}
