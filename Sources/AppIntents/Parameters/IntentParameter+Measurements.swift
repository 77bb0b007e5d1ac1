public import Foundation

extension IntentParameter {
    /// A number with a unit of its kind. A number alone is one in the default unit.
    public convenience init<Unit: Dimension>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        defaultValue: Double? = nil,
        defaultUnit: Unit,
        defaultUnitAdjustForLocale: Bool = false,
        supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) where Value.ValueType == Measurement<Unit>, Value.UnwrappedType == Measurement<Unit> {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                defaultUnit: defaultUnit.symbol,
                isNonNegative: !supportsNegativeNumbers
            ),
            default: defaultValue.map { Measurement(value: $0, unit: defaultUnit) }
        )
    }

    /// A number with a unit, that may be no less than zero.
    public convenience init<Unit: Dimension>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        defaultValue: Double? = nil,
        supportsNegativeNumbers: Bool,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) where Value.ValueType == Measurement<Unit>, Value.UnwrappedType == Measurement<Unit> {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                isNonNegative: !supportsNegativeNumbers
            ),
            default: defaultValue.map { Measurement(value: $0, unit: Unit.baseUnit()) }
        )
    }

    /// A number in one unit.
    public convenience init<Unit: Dimension>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        defaultValue: Double? = nil,
        unit: Unit,
        unitAdjustForLocale: Bool = false,
        supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) where Value.ValueType == Measurement<Unit>, Value.UnwrappedType == Measurement<Unit> {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                defaultUnit: unit.symbol,
                isNonNegative: !supportsNegativeNumbers
            ),
            default: defaultValue.map { Measurement(value: $0, unit: unit) }
        )
    }

    /// A number with a unit, with values from a provider.
    public convenience init<Unit: Dimension, OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        defaultUnit: Unit,
        defaultUnitAdjustForLocale: Bool = false,
        supportsNegativeNumbers: Bool = true,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) where Value.ValueType == Measurement<Unit>, Value.UnwrappedType == Measurement<Unit> {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                defaultUnit: defaultUnit.symbol,
                isNonNegative: !supportsNegativeNumbers,
                options: OptionsSource(optionsProvider)
            ),
            default: nil
        )
    }
}
