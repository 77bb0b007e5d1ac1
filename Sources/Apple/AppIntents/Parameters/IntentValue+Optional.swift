import IntentSharedTypes

extension Optional: _IntentValue where Wrapped: _IntentValue {
    public typealias ValueType = Wrapped.ValueType
    public typealias UnwrappedType = Wrapped.UnwrappedType

    public static var _intentValueCoding: _IntentValueCoding<Wrapped?> {
        let wrapped = Wrapped._intentValueCoding
        var resolve: (@Sendable (IntentValue, IncomingFiles) async throws -> Wrapped?)?
        if let resolveWrapped = wrapped.resolve {
            resolve = { value, files in value == .null ? nil : try await resolveWrapped(value, files) }
        }
        return _IntentValueCoding(
            makeType: wrapped.makeType,
            absent: .some(.none),
            encode: { value, files in
                guard let value else { return .null }
                return try wrapped.encode(value, &files)
            },
            decode: { value, files in
                if case .null = value { return nil }
                return try wrapped.decode(value, files)
            },
            resolve: resolve,
            wrap: { wrapped.wrap($0) }
        )
    }
}
