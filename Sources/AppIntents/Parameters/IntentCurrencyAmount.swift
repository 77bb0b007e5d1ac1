public import Foundation
import IntentWire

/// An amount of money; travels as text: `12.50 EUR`.
///
/// Source: Apple's IntentCurrencyAmount page.
public struct IntentCurrencyAmount: Sendable, Hashable, Codable {
    /// How much.
    public let amount: Decimal
    /// Of what: a code of ISO 4217.
    public let currencyCode: String

    public init(amount: Decimal, currencyCode: String) {
        self.amount = amount
        self.currencyCode = currencyCode
    }
}

extension IntentCurrencyAmount: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<IntentCurrencyAmount> {
        _IntentValueCoding(.currencyAmount(codes: [])) { value, _ in
            guard value.amount.isFinite else { throw UnfitValue("is no number") }
            return .string("\(value.amount) \(value.currencyCode)")
        } decode: { value, _ in
            guard case .string(let text) = value else { return nil }
            let parts = text.split(separator: " ").map(String.init)
            guard parts.count == 2, let amount = Decimal(string: parts[0], locale: nil) else { return nil }
            return IntentCurrencyAmount(amount: amount, currencyCode: parts[1])
        }
    }
}

/// A way to pay.
///
/// Source: Apple's IntentPaymentMethod page.
public struct IntentPaymentMethod: Sendable, Hashable, Codable, _IntentValue {
    /// The kind of a way to pay.
    public enum PaymentMethodType: String, Sendable, Hashable, Codable {
        case unknown
        case applePay
        case checking
        case savings
        case brokerage
        case debit
        case credit
        case prepaid
        case store
    }

    /// The kind.
    public let type: PaymentMethodType
    /// What it is called.
    public let name: String
    /// What tells it from others of the name: the last digits of a card.
    public let identificationHint: String?

    public init(type: PaymentMethodType, name: String, identificationHint: String? = nil) {
        self.type = type
        self.name = name
        self.identificationHint = identificationHint
    }
}

/// A person: a name, and where to reach them. Travels as an object.
///
/// Source: Apple's IntentPerson page.
public struct IntentPerson: Sendable, Hashable, Codable, _IntentValue {
    /// Who it is, for the app.
    public enum Identifier: Sendable, Hashable, Codable {
        /// In the person's contacts.
        case contactIdentifier(String)
        /// In the app.
        case applicationDefined(String)
        /// Nobody has named it.
        case unknown
    }

    /// What the person is called.
    public enum Name: Sendable, Hashable, Codable {
        case displayName(String)
        case components(PersonNameComponents)
        /// Nobody has told it.
        case unknown

        /// The name as people read it.
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

    /// What a person chooses from on Apple's systems. Without meaning on Linux.
    public enum ParameterMode: Sendable, Hashable {
        case contact
        case email
        case phone
        case emailOrPhone
    }

    /// Where to reach the person.
    public struct Handle: Sendable, Hashable, Codable {
        /// What the text is.
        public enum Value: Sendable, Hashable, Codable {
            case emailAddress(String)
            case phoneNumber(String)
            case applicationDefined(String)
        }

        /// What a person calls this way.
        public enum Label: String, Sendable, Hashable, Codable {
            case home, work, mobile, main, other, school
        }

        /// The address or number.
        public var value: Value
        /// What it is called.
        public var label: Label?

        public init(emailAddress: String, label: Label? = nil) {
            value = .emailAddress(emailAddress)
            self.label = label
        }

        public init(phoneNumber: String, label: Label? = nil) {
            value = .phoneNumber(phoneNumber)
            self.label = label
        }

        public init(applicationDefined: String, label: Label? = nil) {
            value = .applicationDefined(applicationDefined)
            self.label = label
        }
    }

    public var identifier: Identifier
    public var name: Name
    public var handle: Handle?
    public var aliases: [Handle]
    /// True: it is the one whose system this is.
    public var isMe: Bool

    /// - Parameter image: Without meaning on Linux.
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

    /// A person of whom only an address is known.
    public init(handle: Handle) {
        let text =
            switch handle.value {
            case .emailAddress(let text), .phoneNumber(let text), .applicationDefined(let text): text
            }
        self.init(identifier: .unknown, name: .displayName(text), handle: handle)
    }

    /// The name as people read it.
    public var displayName: String { name.displayString }
}
