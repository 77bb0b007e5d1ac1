import IntentSharedTypes

extension IntentParameter where Value.ValueType == IntentCurrencyAmount {
    /// Returns the catalogue's type for an amount in one of the given currencies, or for a list of such amounts.
    static func amount(in codes: [String]) -> IntentSharedTypes.ValueType {
        narrowed(to: .currencyAmount(codes: codes))
    }
}

extension IntentParameter where Value.ValueType: AppEnum {
    /// Returns the catalogue's type for the given cases of an enumeration, or for a list of such cases.
    static func subset(_ values: [Value.ValueType]) -> IntentSharedTypes.ValueType {
        narrowed(to: .enumeration(values.map(\.enumerationCase)))
    }
}

extension IntentParameter {
    private static func narrowed(to element: IntentSharedTypes.ValueType) -> IntentSharedTypes.ValueType {
        Value._intentValueCoding.type?.isArray == true ? .array(element) : element
    }
}

extension IntentSharedTypes.ValueType {
    var isArray: Bool { if case .array = self { true } else { false } }
}

extension NumberRange {
    init(_ bounds: (lowerBound: Int, upperBound: Int)) {
        self.init(lowerBound: Double(bounds.lowerBound), upperBound: Double(bounds.upperBound))
    }

    init(_ bounds: (lowerBound: Double, upperBound: Double)) {
        self.init(lowerBound: bounds.lowerBound, upperBound: bounds.upperBound)
    }
}
