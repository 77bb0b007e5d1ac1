import IntentWire

extension IntentParameter where Value.ValueType == IntentCurrencyAmount {
    /// An amount of money in one of these currencies.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        currencyCodes: [String],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                type: Self.amount(in: currencyCodes)
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        currencyCodes: [String],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                type: Self.amount(in: currencyCodes),
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    private static func amount(in codes: [String]) -> IntentWire.ValueType {
        let narrow = IntentWire.ValueType.currencyAmount(codes: codes)
        return Value._intentValueCoding.type?.isArray == true ? .array(narrow) : narrow
    }
}
