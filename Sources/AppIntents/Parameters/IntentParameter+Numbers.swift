import IntentWire

extension IntentParameter where Value.ValueType == Int {
    /// A whole number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Int>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map {
                    NumberRange(lowerBound: Double($0.lowerBound), upperBound: Double($0.upperBound))
                }
            ),
            default: defaultValue
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
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same within bounds, with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Int>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map {
                    NumberRange(lowerBound: Double($0.lowerBound), upperBound: Double($0.upperBound))
                },
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }
}

extension IntentParameter where Value.ValueType == Double {
    /// A number within bounds; a caller's value outside is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Double>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map { NumberRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) }
            ),
            default: defaultValue
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
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same within bounds, with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Double>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map { NumberRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) },
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }
}
