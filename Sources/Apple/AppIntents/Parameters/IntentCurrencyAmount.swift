public import Foundation
import IntentSharedTypes

/// An amount of money, which is sent as a string: `12.50 EUR`.
///
/// Source: Apple's IntentCurrencyAmount page.
public struct IntentCurrencyAmount: Sendable, Hashable, Codable {
    /// The amount as a number.
    public let amount: Decimal
    /// The currency's ISO 4217 code.
    public let currencyCode: String

    /// Creates an amount in a currency.
    public init(amount: Decimal, currencyCode: String) {
        self.amount = amount
        self.currencyCode = currencyCode
    }
}

extension IntentCurrencyAmount: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<IntentCurrencyAmount> {
        _IntentValueCoding(.currencyAmount(codes: [])) { value, _ in
            guard value.amount.isFinite else { throw InvalidValue("is not a finite number") }
            return .string("\(value.amount) \(value.currencyCode)")
        } decode: { value, _ in
            guard case .string(let text) = value else { return nil }
            let parts = text.split(scalar: " ").map(String.init)
            guard parts.count == 2, let amount = Decimal(string: parts[0], locale: nil) else { return nil }
            return IntentCurrencyAmount(amount: amount, currencyCode: parts[1])
        }
    }
}

/// A payment method.
///
/// Source: Apple's IntentPaymentMethod page.
public struct IntentPaymentMethod: Sendable, Hashable, Codable, _IntentValue {
    /// The kind of the payment method.
    public let type: PaymentMethodType
    /// The display name of the payment method.
    public let name: String
    /// A hint that distinguishes payment methods with the same name, such as the last digits of a card number.
    public let identificationHint: String?

    /// Creates a payment method.
    public init(type: PaymentMethodType, name: String, identificationHint: String? = nil) {
        self.type = type
        self.name = name
        self.identificationHint = identificationHint
    }
}

/// A person with a name and contact details. The value is sent as an object.
///
/// Source: Apple's IntentPerson page.
public struct IntentPerson: Sendable, Hashable, Codable, _IntentValue {
    /// The identifier of a person.
    public enum Identifier: Sendable, Hashable, Codable {
        /// An identifier in the contacts database.
        case contactIdentifier(String)
        /// An identifier that the app defines.
        case applicationDefined(String)
        /// The person has no identifier.
        case unknown
    }

    /// The name of a person.
    public enum Name: Sendable, Hashable, Codable {
        /// The full name as a string.
        case displayName(String)
        /// The components of the name.
        case components(PersonNameComponents)
        /// The person's name is unknown.
        case unknown

        /// The name as a string for display.
        public var displayString: String {
            switch self {
            case .displayName(let text): text
            case .components(let parts):
                [parts.namePrefix, parts.givenName, parts.middleName, parts.familyName, parts.nameSuffix]
                    .compactMap { $0 }
                    .joined(separator: " ")
            case .unknown: ""
            }
        }
    }

    /// An address by which the person can be contacted.
    public struct Handle: Sendable, Hashable, Codable {
        /// The kinds of address.
        public enum Value: Sendable, Hashable, Codable {
            /// An email address.
            case emailAddress(String)
            /// A telephone number.
            case phoneNumber(String)
            /// An address that the app defines.
            case applicationDefined(String)
        }

        /// The email address, telephone number or other address.
        public var value: Value
        /// The address's label; nil when it has none.
        public var label: Label?

        /// Creates a handle from an email address.
        public init(emailAddress: String, label: Label? = nil) {
            value = .emailAddress(emailAddress)
            self.label = label
        }

        /// Creates a handle from a telephone number.
        public init(phoneNumber: String, label: Label? = nil) {
            value = .phoneNumber(phoneNumber)
            self.label = label
        }

        /// Creates a handle from an address that the app defines.
        public init(applicationDefined: String, label: Label? = nil) {
            value = .applicationDefined(applicationDefined)
            self.label = label
        }
    }

    /// The person's identifier.
    public var identifier: Identifier
    /// The person's name.
    public var name: Name
    /// The address by which to contact the person.
    public var handle: Handle?
    /// Additional addresses by which to contact the person.
    public var aliases: [Handle]
    /// True if the person is the user of this device.
    public var isMe: Bool

    /// Creates a person.
    ///
    /// - Parameter image: Ignored on Linux.
    public init(
        identifier: Identifier,
        name: Name,
        handle: Handle?,
        aliases: [Handle] = [],
        isMe: Bool = false,
        image: DisplayRepresentation.Image? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.handle = handle
        self.aliases = aliases
        self.isMe = isMe
    }

    /// Creates a person with an address, which is also the person's display name.
    public init(handle: Handle) {
        let text =
            switch handle.value {
            case .emailAddress(let text), .phoneNumber(let text), .applicationDefined(let text): text
            }
        self.init(identifier: .unknown, name: .displayName(text), handle: handle)
    }

    /// The person's name as a string for display.
    public var displayName: String { name.displayString }
}
