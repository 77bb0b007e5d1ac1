import IntentSharedTypes

/// An object in an app, such as a book or an account, that intents receive and return.
///
/// A caller specifies an entity by its id. Before the worker calls `perform()`, it passes the id to ``defaultQuery``.
///
/// ```swift
/// struct Book: AppEntity {
///     static let typeDisplayRepresentation: TypeDisplayRepresentation = "Book"
///     static let defaultQuery = BookQuery()
///
///     let id: Int
///     @Property(title: "Title") var title: String
///     var displayRepresentation: DisplayRepresentation { "\(title)" }
/// }
/// ```
///
/// Source: Apple's AppEntity page.
public protocol AppEntity: AppValue, DisplayRepresentable, Identifiable, _ValueOptions
where ID: EntityIdentifierConvertible, ID: Sendable, ValueType == Self, UnwrappedType == Self {
    /// The type of the query that finds entities of this type.
    associatedtype DefaultQuery: EntityQuery

    /// The query that finds entities of this type.
    static var defaultQuery: DefaultQuery { get }
    /// The authentication that a caller needs to use an entity as a value, and to receive its title and properties. The
    /// default is ``IntentAuthenticationPolicy/alwaysAllowed``. Part of a beta of Apple's SDK 27.3.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
}

extension AppEntity {
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }

    /// The `@Property` property wrapper for an entity.
    public typealias Property = EntityProperty

    public static var _intentValueCoding: _IntentValueCoding<Self> { entityCoding }

    static var _anyDefaultQuery: any EntityQuery { defaultQuery }

    static var entityCoding: _IntentValueCoding<Self> {
        var coding = _IntentValueCoding<Self>(
            .entity(
                EntityType(
                    name: persistentIdentifier,
                    title: typeDisplayRepresentation.name.text,
                    isSearchable: DefaultQuery.self is any EntityStringQuery.Type
                )
            )
        ) { entity, files in
            .object(try entity.wireMembers(files: &files))
        } decode: { _, _ in
            preconditionFailure("cannot decode an entity: only its query can resolve it")
        }
        coding.resolve = { value, _ in
            guard case .string(let text) = value else { throw InvalidValue("expects an id, got \(value.kindName)") }
            return try await entity(named: text)
        }
        return coding
    }

    /// Returns the entity's id, title and properties, in the form that callers receive.
    func wireMembers(files: inout OutgoingFiles) throws -> [String: IntentValue] {
        guard RunCaller.current.satisfies(Self.authenticationPolicy) else {
            return [
                "id": .string(id.entityIdentifierString), "title": .string(Self.typeDisplayRepresentation.name.text),
            ]
        }
        let shown = displayRepresentation
        var members: [String: IntentValue] = [
            "id": .string(id.entityIdentifierString), "title": .string(shown.title.text),
        ]
        members["subtitle"] = shown.subtitle.map { .string($0.text) }
        let properties = try EntityInspection.values(of: self, files: &files)
        if !properties.isEmpty { members["properties"] = .object(properties) }
        return members
    }

    /// Finds an entity by its id or, if the query supports it, by a search for the string.
    private static func entity(named text: String) async throws -> Self {
        if let refusal = RunCaller.current.refusal(by: authenticationPolicy) { throw InvalidValue(refusal) }
        let query = defaultQuery
        try await OptionsPreparation.prepare(query)
        if let id = ID.entityIdentifier(for: text),
            let found = try await query._entities(for: [id]).first(where: { ($0 as? Self)?.id == id }) as? Self
        {
            return found
        }
        let title = typeDisplayRepresentation.name.text
        guard let candidates = try await query._search(text)?.options else {
            throw InvalidValue("does not identify any \(title): the id '\(text)' was not found")
        }
        let exact = candidates.filter { $0.title.lowercased() == text.lowercased() }
        let matches = exact.isEmpty ? candidates : exact
        guard matches.count <= 1 else {
            let names = matches.prefix(8).map { "\($0.title) (\($0.identifierText))" }.joined(separator: ", ")
            let more = matches.count > 8 ? ", …" : ""
            throw InvalidValue("is ambiguous: '\(text)' matches \(names)\(more). Specify the id")
        }
        guard let text = matches.first?.identifierText, let id = ID.entityIdentifier(for: text),
            let found = try await query._entities(for: [id]).first as? Self
        else { throw InvalidValue("does not identify any \(title): no match for '\(text)'") }
        return found
    }

    public static func _options(matching text: String?) async throws -> _OptionList {
        let query = defaultQuery
        try await OptionsPreparation.prepare(query)
        if let text, let found = try await query._search(text) { return _OptionList(list: found) }
        return _OptionList(list: try await query._suggestions(matching: text))
    }
}

extension OptionList.Option {
    fileprivate var identifierText: String { if case .string(let text) = value { text } else { "" } }
}

/// A type that can list its values. Not for direct use by apps.
public protocol _ValueOptions {
    static func _options(matching text: String?) async throws -> _OptionList
}

/// A list of values to choose from. Not for direct use by apps.
public struct _OptionList: Sendable {
    let list: OptionList
}
