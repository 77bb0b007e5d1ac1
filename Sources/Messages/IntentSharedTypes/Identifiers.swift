/// The identifier of a run: ten characters of Crockford's base 32 in lower case, from 50 random bits.
public struct RunID: Hashable, Sendable {
    /// The identifier's bits, five for each character. The first character encodes the lowest five bits.
    private let bits: UInt64

    private static let characterCount = 10
    private static let alphabet: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"

    /// Creates the identifier from random bits. The upper 14 bits are ignored.
    public init(randomBits bits: UInt64) {
        self.bits = bits & (1 << (5 * UInt64(Self.characterCount)) - 1)
    }

    /// Parses a run's identifier; nil if the string is not a valid identifier.
    ///
    /// Parsing is strict because the identifier becomes a component of file paths and journal fields.
    public init?(_ text: some StringProtocol) {
        var bits: UInt64 = 0
        var count: UInt64 = 0
        for byte in text.utf8 {
            guard count < Self.characterCount, let digit = Self.digit(byte) else { return nil }
            bits |= digit << (5 * count)
            count += 1
        }
        guard count == Self.characterCount else { return nil }
        self.bits = bits
    }

    /// The identifier as ten characters.
    public var text: String {
        String(unsafeUninitializedCapacity: Self.characterCount) { bytes in
            Self.alphabet.withUTF8Buffer { alphabet in
                for index in 0..<Self.characterCount {
                    bytes[index] = alphabet[Int(bits >> (5 * UInt64(index)) & 31)]
                }
            }
            return Self.characterCount
        }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        alphabet.withUTF8Buffer { $0.firstIndex(of: byte).map { UInt64($0) } }
    }
}

/// The identifier of a `perform` request, chosen by the client. Requests with the same identifier from one caller refer
/// to the same run.
///
/// The identifier has 128 bits, written as 32 hexadecimal digits in lower case.
public struct RequestID: Hashable, Sendable {
    /// The bits of the first 16 digits.
    private let high: UInt64
    private let low: UInt64

    private static let digitCount = 32
    private static let digits: StaticString = "0123456789abcdef"

    /// Creates a random identifier.
    public init() {
        self.init(randomBits: .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    package init(randomBits high: UInt64, _ low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses a request's identifier; nil if the string is not a valid identifier.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.digitCount else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for byte in text.utf8 {
            guard let digit = Self.digit(byte) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | digit
        }
        self.init(randomBits: high, low)
    }

    /// The identifier as 32 hexadecimal digits.
    public var text: String {
        String(unsafeUninitializedCapacity: Self.digitCount) { bytes in
            Self.digits.withUTF8Buffer { digits in
                for index in 0..<Self.digitCount {
                    let word = index < 16 ? high : low
                    let shift = 60 - 4 * (index % 16)
                    bytes[index] = digits[Int(word >> shift & 15)]
                }
            }
            return Self.digitCount
        }
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        default: nil
        }
    }
}

/// The name of an app: the file name of its executable, or of the file that declares its intents (intentd.command(5))
/// without the suffix. The name is safe to use as a path component.
///
/// A name consists of 1 to 64 of the characters `A-Z a-z 0-9 . _ -` and does not start with a dot or a hyphen.
public struct AppName: Hashable, Sendable, Comparable {
    /// The name as a string of 1 to 64 ASCII characters.
    public let text: String

    /// Creates an app name; nil if the string is not a valid name.
    public init?(_ text: some StringProtocol) {
        guard (1...64).contains(text.utf8.count), let first = text.utf8.first else { return nil }
        guard first != UInt8(ascii: "."), first != UInt8(ascii: "-") else { return nil }
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }) else { return nil }
        self.text = String(text)
    }

    public static func < (left: AppName, right: AppName) -> Bool { left.text < right.text }
}

extension RunID: CustomStringConvertible {
    public var description: String { text }
}

extension AppName: CustomStringConvertible {
    public var description: String { text }
}

extension RunID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.identifier("a run's identifier", Self.init)
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension RequestID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.identifier("a request's identifier of 32 hexadecimal digits", Self.init)
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension AppName: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.identifier("an app's name", Self.init)
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension Decoder {
    fileprivate func identifier<Identifier>(_ form: String, _ make: (String) -> Identifier?) throws -> Identifier {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = make(text) else {
            throw DecodingError.problem("expected \(form), got '\(WireCoding.excerpt(text))'", at: container.codingPath)
        }
        return identifier
    }
}

/// The number that `intentd` assigns to a worker's slot. It is valid from the worker's launch until the slot is
/// released.
public struct SlotID: Hashable, Sendable, Codable {
    /// The slot number. `intentd` never uses a number twice with the same launcher.
    public let number: UInt64

    /// Creates a slot identifier from its number.
    public init(number: UInt64) {
        self.number = number
    }

    public init(from decoder: any Decoder) throws {
        number = try decoder.singleValueContainer().decode(UInt64.self)
    }

    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
}
