public import Foundation

/// An entity that a search index may hold. On Linux there is none: the protocol marks.
///
/// Source: Apple's IndexedEntity page.
public protocol IndexedEntity: AppEntity {}

/// An entity whose id is the same on all devices of a person. Without meaning on Linux.
///
/// Source: Apple's SyncableEntity page.
public protocol SyncableEntity: AppEntity {}

/// Something that can be written as a URL with places for properties.
///
/// Source: Apple's CustomURLRepresentationParameterConvertible page.
public protocol CustomURLRepresentationParameterConvertible {
    /// The value as a part of a URL.
    var urlRepresentationParameter: String { get }
}

extension CustomURLRepresentationParameterConvertible where Self: AppEntity {
    public var urlRepresentationParameter: String { id.entityIdentifierString }
}

/// An entity that has a URL.
///
/// Source: Apple's URLRepresentableEntity page.
public protocol URLRepresentableEntity: AppEntity, CustomURLRepresentationParameterConvertible {
    /// How the URL is written.
    static var urlRepresentation: URLRepresentation { get }

    /// How the URL is written.
    typealias URLRepresentation = EntityURLRepresentation<Self>
}

extension URLRepresentableEntity {
    /// The entity's own URL; nil when the text is none.
    public var urlRepresentation: URL? { URL(string: Self.urlRepresentation.text(for: self)) }
}

extension URLRepresentableIntent {
    /// How the URL is written.
    public typealias URLRepresentation = IntentURLRepresentation<Self>
}

/// A URL with places for an intent's parameters: `"https://example.org/books/\(\.$book)"`. Without meaning on Linux.
///
/// Source: Apple's IntentURLRepresentation page.
public struct IntentURLRepresentation<Intent: AppIntent>: Sendable, ExpressibleByStringInterpolation {
    /// The URL with `${name}` where a parameter's value stands.
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: ParameterSummaryString<Intent>.StringInterpolation) {
        text = stringInterpolation.sentence
    }

    /// A URL.
    public init(_ url: URL) {
        text = url.absoluteString
    }
}

extension URLRepresentableEnum {
    /// How the URLs of the cases are written.
    public typealias URLRepresentation = EnumURLRepresentation<Self>
}

/// The URL of each case of an enum. Without meaning on Linux.
///
/// Source: Apple's EnumURLRepresentation page.
public struct EnumURLRepresentation<Enum: AppEnum>: Sendable, ExpressibleByDictionaryLiteral {
    let texts: [String: String]

    public init(dictionaryLiteral elements: (Enum, String)...) {
        texts = Dictionary(elements.map { ($0.0.rawValue.description, $0.1) }) { first, _ in first }
    }
}

/// A URL with places for an entity's id and properties: `"https://example.org/books/\(.id)"`.
///
/// Source: Apple's EntityURLRepresentation page.
public struct EntityURLRepresentation<Entity: AppEntity>: Sendable, ExpressibleByStringInterpolation {
    // SAFETY: key paths never change — the standard library.
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

    /// What stands for the entity's id.
    public enum Token: Sendable {
        case id
    }

    /// Collects the pieces of the URL.
    public struct StringInterpolation: StringInterpolationProtocol {
        enum Part {
            case text(String)
            case id
            case value(PartialKeyPath<Entity>)
        }

        var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        /// Leaves the id's place.
        public mutating func appendInterpolation(_ token: Token) { parts.append(.id) }

        /// Leaves a property's place.
        public mutating func appendInterpolation<Value>(_ property: KeyPath<Entity, EntityProperty<Value>>) {
            parts.append(.value(property.appending(path: \EntityProperty<Value>.wrappedValue)))
        }
    }
}
