public import Foundation
import IntentSharedTypes

/// An entity that has no query: it is always sent with all its properties.
///
/// Source: Apple's TransientAppEntity page.
public protocol TransientAppEntity: AppEntity where DefaultQuery == _NoEntityQuery<Self> {
    /// Creates an entity. Its properties are set afterwards.
    init()
}

extension TransientAppEntity {
    public var id: String { "" }

    public static var defaultQuery: _NoEntityQuery<Self> { _NoEntityQuery() }

    public static var _intentValueCoding: _IntentValueCoding<Self> { recordCoding }

    static var recordCoding: _IntentValueCoding<Self> {
        var coding = _IntentValueCoding<Self>(
            .object(
                ObjectType(
                    title: typeDisplayRepresentation.name.text,
                    properties: EntityInspection.properties(of: Self()).compactMap { name, property in
                        var declaration = property.declaration(named: name)
                        if !(Self.self is any GenerableEntity.Type) { declaration?.isRequired = nil }
                        return declaration
                    }
                )
            )
        ) { entity, files in
            .object(try EntityInspection.values(of: entity, files: &files))
        } decode: { _, _ in
            preconditionFailure("cannot decode a transient entity: only queries resolve the entities in its properties")
        }
        coding.resolve = { value, files in
            guard case .object(let members) = value else {
                throw InvalidValue("expects an object, got \(value.kindName)")
            }
            let entity = Self()
            for (name, property) in EntityInspection.properties(of: entity) {
                if let value = members[name] { try await property.set(value, files: files) }
            }
            return entity
        }
        return coding
    }
}

/// A transient entity that an agent fills in: an object in the schema of a tool, with the description of each property.
/// A property without a default value is required, unless its type is optional. Part of a beta of Apple's SDK 27.3.
///
/// Source: Apple's GenerableEntity page.
public protocol GenerableEntity: TransientAppEntity {}

/// The query of an entity that is never looked up by id.
public struct _NoEntityQuery<Entity: AppEntity>: EntityQuery {
    public init() {}

    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] { [] }
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// An entity that has exactly one instance, such as an app's settings.
///
/// Source: Apple's UniqueAppEntity page.
public protocol UniqueAppEntity: AppEntity where DefaultQuery: UniqueAppEntityQuery {}

extension UniqueAppEntity {
    public var id: String { Self.persistentIdentifier }
}

/// An entity that represents a file.
///
/// Source: Apple's FileEntity page.
public protocol FileEntity: AppEntity where ID == FileEntityIdentifier {
    /// The content types of the files.
    static var supportedContentTypes: [UTType] { get }
}

/// The id of a file entity: the URL of a file, or the id of a draft.
///
/// Source: Apple's FileEntityIdentifier page.
public struct FileEntityIdentifier: Hashable, Sendable, Codable, EntityIdentifierConvertible {
    private let url: URL?
    /// The draft's id; nil for a saved file.
    public let draftIdentifier: String?

    /// Returns the id of a file that has been saved.
    ///
    /// - Throws: `CocoaError.fileReadUnsupportedScheme` when the URL is not a file URL.
    public static func file(url: URL) throws -> FileEntityIdentifier {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        return FileEntityIdentifier(url: url, draftIdentifier: nil)
    }

    /// Returns the id of a file that has not been saved yet.
    public static func draft(identifier: String) -> FileEntityIdentifier {
        FileEntityIdentifier(url: nil, draftIdentifier: identifier)
    }

    /// The file's URL; nil for a draft.
    public var fileURL: URL? {
        get async throws { url }
    }

    /// True if the file has not been saved yet.
    public var isDraft: Bool { draftIdentifier != nil }

    /// The id as a string: the URL of a file, or `draft:` and the id of a draft.
    public var entityIdentifierString: String { url?.absoluteString ?? "draft:\(draftIdentifier ?? "")" }

    /// Returns the id that a string represents; nil if the string is not a valid id.
    ///
    /// - Parameter entityIdentifierString: The URL or absolute path of a file, or `draft:` and the id of a draft.
    public static func entityIdentifier(for entityIdentifierString: String) -> FileEntityIdentifier? {
        if entityIdentifierString.hasPrefix(utf8: "draft:") {
            return .draft(identifier: String(entityIdentifierString.dropFirst(scalars: 6)))
        }
        if entityIdentifierString.hasPrefix(utf8: "/") {
            return try? .file(url: URL(fileURLWithPath: entityIdentifierString))
        }
        return URL(string: entityIdentifierString).flatMap { try? .file(url: $0) }
    }
}
