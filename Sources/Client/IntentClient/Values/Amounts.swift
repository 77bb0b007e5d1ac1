public import FoundationEssentials

/// A number with a unit. Messages contain it as a string, such as `5 km`.
public struct MeasuredAmount: Hashable, Sendable, Codable {
    /// The number, without the unit.
    public var value: Double
    /// The symbol of the unit; nil for the default unit of the parameter.
    public var unit: String?

    /// Creates an amount.
    public init(_ value: Double, unit: String? = nil) {
        self.value = value
        self.unit = unit
    }

    /// Decodes a number, with or without a unit: `5 km`, `5`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(scalar: " ", maxSplits: 1)
        guard let first = parts.first, let number = Double(first) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a number, with or without a unit, got '\(WireCoding.excerpt(text))'"
            )
        }
        self.init(number, unit: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// Encodes the number and the unit: `5.0 km`.
    public func encode(to encoder: any Encoder) throws {
        try "\(value)\(unit.map { " \($0)" } ?? "")".encode(to: encoder)
    }
}

/// A decimal number with a currency code. Messages contain it as a string, such as `12.50 EUR`.
public struct MoneyAmount: Hashable, Sendable, Codable {
    /// The number, without the currency.
    public var amount: Decimal
    /// The ISO 4217 code of the currency.
    public var currencyCode: String

    /// Creates an amount.
    public init(_ amount: Decimal, currencyCode: String) {
        self.amount = amount
        self.currencyCode = currencyCode
    }

    /// Decodes a decimal number and a currency code: `12.50 EUR`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let parts = text.split(scalar: " ")
        guard parts.count == 2, let number = Decimal(string: String(parts[0])) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected a number with a currency code, got '\(WireCoding.excerpt(text))'"
            )
        }
        self.init(number, currencyCode: String(parts[1]))
    }

    /// Encodes the decimal number and the currency code: `12.5 EUR`.
    public func encode(to encoder: any Encoder) throws { try "\(amount) \(currencyCode)".encode(to: encoder) }
}
