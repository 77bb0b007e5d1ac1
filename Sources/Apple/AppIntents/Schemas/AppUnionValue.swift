import IntentSharedTypes

/// Makes an enumeration valid as the type of a parameter or result. Each case must have one associated value:
///
/// ```swift
/// @UnionValue enum Destination {
///     case place(PlaceEntity)
///     case address(String)
/// }
/// ```
///
/// Callers send an object with one member, named after the case: `{"address":"Main Street 1"}`.
///
/// Source: Apple's UnionValue() page.
@attached(extension, conformances: AppUnionValue, names: named(_unionCases))
@attached(member, names: named(Cases))
public macro UnionValue() = #externalMacro(module: "IntentMacros", type: "UnionMacro")

/// An enumeration in which each case has one associated value. The ``UnionValue()`` macro adds the conformance.
///
/// Source: the protocol that Apple's UnionValue() page names.
public protocol AppUnionValue: _IntentValue where ValueType == Self, UnwrappedType == Self {
    /// The cases, without their values.
    associatedtype Cases: RawRepresentable & CaseIterable & Sendable where Cases.RawValue == String

    /// The coding of each case.
    static var _unionCases: [_UnionCase<Self>] { get }
}

/// The coding of one case of a union.
public struct _UnionCase<Union: Sendable>: Sendable {
    let name: String
    let type: @Sendable () -> IntentSharedTypes.ValueType?
    /// The closure that returns the encoded value, or nil if the union is another case.
    let encode: @Sendable (Union, inout OutgoingFiles) throws -> IntentValue?
    let decode: @Sendable (IntentValue, IncomingFiles) async throws -> Union

    /// Creates a case.
    ///
    /// - Parameters:
    ///   - make: A closure that creates a union from the value of the case.
    ///   - value: A closure that returns the value of the case, or nil if the union is another case.
    public init<Value: _IntentValue>(
        _ name: String,
        _ type: Value.Type,
        make: @escaping @Sendable (Value) -> Union,
        value: @escaping @Sendable (Union) -> Value?
    ) {
        self.name = name
        self.type = { Value._intentValueCoding.type }
        encode = { union, files in try value(union).map { try Value._intentValueCoding.encode($0, &files) } }
        decode = { wire, files in
            let coding = Value._intentValueCoding
            if let resolve = coding.resolve { return make(try await resolve(wire, files)) }
            return make(try coding.decode(wire, files))
        }
    }
}

extension AppUnionValue {
    /// A union is sent as an object with one member, named after the case.
    public static var _intentValueCoding: _IntentValueCoding<Self> {
        var coding = _IntentValueCoding<Self>(
            .object(
                ObjectType(
                    title: String(describing: Self.self),
                    properties: _unionCases.compactMap { item in
                        item.type().map { PropertyDeclaration(name: item.name, title: item.name.asTitle, type: $0) }
                    }
                )
            )
        ) { value, files in
            for item in _unionCases {
                if let wire = try item.encode(value, &files) { return .object([item.name: wire]) }
            }
            preconditionFailure("the union \(Self.self) has no case for the value \(value)")
        } decode: { _, _ in
            // The value of a case can be an entity, which only a query can find.
            throw InvalidValue("cannot be decoded: only a query can resolve an entity in a union")
        }
        coding.resolve = { wire, files in
            guard case .object(let members) = wire, members.count == 1, let member = members.first,
                let item = _unionCases.first(where: { $0.name == member.key })
            else {
                let names = _unionCases.map(\.name).joined(separator: ", ")
                throw InvalidValue("expects an object with exactly one of the members \(names), got \(wire.kindName)")
            }
            return try await item.decode(member.value, files)
        }
        return coding
    }
}
