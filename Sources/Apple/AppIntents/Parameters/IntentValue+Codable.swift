import Foundation
import IntentCommandLine
import IntentSharedTypes

extension _IntentValue where Self: Codable, ValueType == Self, UnwrappedType == Self {
    /// The coding that sends values of a `Codable` type as JSON.
    public static var _intentValueCoding: _IntentValueCoding<Self> { .codable }
}

// These extensions resolve an ambiguity: an entity or enumeration that is also `Codable` is sent as an entity or
// enumeration, not as JSON.
extension AppEntity where Self: Codable {
    public static var _intentValueCoding: _IntentValueCoding<Self> { entityCoding }
}

extension TransientAppEntity where Self: Codable {
    public static var _intentValueCoding: _IntentValueCoding<Self> { recordCoding }
}

extension AppEnum where Self: Codable {
    public static var _intentValueCoding: _IntentValueCoding<Self> { enumCoding }
}

extension _IntentValueCoding where Value: Codable, Value.UnwrappedType == Value {
    static var codable: Self {
        Self(.object(ObjectType(title: String(describing: Value.self)))) { value, _ in
            do {
                let json = StreamSafeText.stabilize(Array(try JSONEncoder().encode(value)))
                return IntentValue(try WireCoding.decodeFile(JSONValue.self, from: json))
            } catch {
                throw InvalidValue("cannot be encoded as JSON: \(error)")
            }
        } decode: { value, _ in
            do {
                return try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(PlainJSON(value: value)))
            } catch {
                throw InvalidValue("expects a \(Value.self) as JSON: \(ErrorMessage.decoding(error))")
            }
        }
    }
}

/// A value as plain JSON. An object becomes a JSON object with the same members.
struct PlainJSON: Encodable {
    let value: IntentValue

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .int(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values.map(PlainJSON.init))
        case .object(let members): try container.encode(members.mapValues(PlainJSON.init))
        case .file: throw InvalidValue("cannot contain a file")
        }
    }
}

extension ErrorMessage {
    /// Describes which part of the JSON is invalid, and why.
    static func decoding(_ error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String {
            keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        }
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): return "'\(path(context.codingPath + [key]))' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? context.debugDescription : "'\(path(context.codingPath))': \(context.debugDescription)"
        default: return "\(error)"
        }
    }
}
