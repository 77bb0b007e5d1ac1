public import FoundationEssentials

/// A number with a unit, in the form that messages use for a measurement: `5 km`.
public struct MeasuredAmount: Hashable, Sendable, Codable {
    /// The number.
    public var value: Double
    /// The symbol of the unit; nil for the default unit of the parameter.
    public var unit: String?

    /// Creates an amount.
    public init(_ value: Double, unit: String? = nil) {
        self.value = value
        self.unit = unit
    }

    /// Decodes the form `5 km`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, let number = Double(first) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a number, with or without a unit, got '\(text)'"
            )
        }
        self.init(number, unit: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// Encodes the form `5 km`.
    public func encode(to encoder: any Encoder) throws {
        try "\(value)\(unit.map { " \($0)" } ?? "")".encode(to: encoder)
    }
}

/// A decimal number with a currency code, in the form that messages use for an amount of money: `12.50 EUR`.
public struct MoneyAmount: Hashable, Sendable, Codable {
    /// The number.
    public var amount: Decimal
    /// The ISO 4217 code of the currency.
    public var currencyCode: String

    /// Creates an amount.
    public init(_ amount: Decimal, currencyCode: String) {
        self.amount = amount
        self.currencyCode = currencyCode
    }

    /// Decodes the form `12.50 EUR`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(separator: " ")
        guard parts.count == 2, let number = Decimal(string: String(parts[0])) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a number with a currency code, got '\(text)'"
            )
        }
        self.init(number, currencyCode: String(parts[1]))
    }

    /// Encodes the form `12.50 EUR`.
    public func encode(to encoder: any Encoder) throws { try "\(amount) \(currencyCode)".encode(to: encoder) }
}
