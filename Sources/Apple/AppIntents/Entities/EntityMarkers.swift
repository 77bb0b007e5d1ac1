public import Foundation

/// An entity with an id that is the same on all of a person's devices. The protocol has no effect on Linux.
///
/// Source: Apple's SyncableEntity page.
public protocol SyncableEntity: AppEntity {}

/// A value that can be inserted into a URL.
///
/// Source: Apple's CustomURLRepresentationParameterConvertible page.
public protocol CustomURLRepresentationParameterConvertible {
    /// The string to insert into a URL.
    var urlRepresentationParameter: String { get }
}

extension CustomURLRepresentationParameterConvertible where Self: AppEntity {
    public var urlRepresentationParameter: String { id.entityIdentifierString }
}

/// An entity that has a URL.
///
/// Source: Apple's URLRepresentableEntity page.
public protocol URLRepresentableEntity: AppEntity, CustomURLRepresentationParameterConvertible {
    /// The pattern of the URL.
    static var urlRepresentation: URLRepresentation { get }

    /// The type of ``urlRepresentation``.
    typealias URLRepresentation = EntityURLRepresentation<Self>
}

extension URLRepresentableEntity {
    /// The entity's URL; nil if the pattern does not produce a valid URL for this entity.
    public var urlRepresentation: URL? { URL(string: Self.urlRepresentation.text(for: self)) }
}

extension URLRepresentableIntent {
    /// The type of URL that represents an intent.
    public typealias URLRepresentation = IntentURLRepresentation<Self>
}

/// A URL that contains an intent's parameters: `"https://example.org/books/\(\.$book)"`. Ignored on Linux.
///
/// Source: Apple's IntentURLRepresentation page.
public struct IntentURLRepresentation<Intent: AppIntent>: Sendable, ExpressibleByStringInterpolation {
    /// The URL, with `${name}` in place of each parameter's value.
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: ParameterSummaryString<Intent>.StringInterpolation) {
        text = stringInterpolation.sentence
    }

    /// Creates a representation from a URL without parameters.
    public init(_ url: URL) {
        text = url.absoluteString
    }
}

extension URLRepresentableEnum {
    /// The type of URL that represents a case of an enumeration.
    public typealias URLRepresentation = EnumURLRepresentation<Self>
}

/// The URLs of an enumeration's cases. Ignored on Linux.
///
/// Source: Apple's EnumURLRepresentation page.
public struct EnumURLRepresentation<Enum: AppEnum>: Sendable, ExpressibleByDictionaryLiteral {
    let texts: [String: String]

    public init(dictionaryLiteral elements: (Enum, String)...) {
        texts = Dictionary(elements.map { ($0.0.rawValue.description, $0.1) }) { first, _ in first }
    }
}

/// A URL that contains an entity's id and properties: `"https://example.org/books/\(.id)"`.
///
/// Source: Apple's EntityURLRepresentation page.
public struct EntityURLRepresentation<Entity: AppEntity>: Sendable, ExpressibleByStringInterpolation {
    // SAFETY: key paths are immutable — guaranteed by the standard library.
    nonisolated(unsafe) private let parts: [StringInterpolation.Part]

    public init(stringLiteral value: String) {
        parts = [.text(value)]
    }

    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    func text(for entity: Entity) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .id: entity.id.entityIdentifierString
            case .value(let path): "\(entity[keyPath: path])"
            }
        }
        .joined()
    }

    /// A part of the URL other than the value of a property.
    public enum Token: Sendable {
        /// The entity's id.
        case id
    }

    /// Collects the parts of a URL.
    public struct StringInterpolation: StringInterpolationProtocol {
        enum Part {
            case text(String)
            /// The entity's id.
            case id
            case value(PartialKeyPath<Entity>)
        }

        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        /// Appends the entity's id.
        public mutating func appendInterpolation(_ token: Token) { parts.append(.id) }

        /// Appends the value of a property.
        public mutating func appendInterpolation<Value>(_ property: KeyPath<Entity, EntityProperty<Value>>) {
            parts.append(.value(property.appending(path: \EntityProperty<Value>.wrappedValue)))
        }
    }
}
