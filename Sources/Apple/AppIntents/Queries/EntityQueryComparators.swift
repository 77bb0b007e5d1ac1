import IntentSharedTypes

/// A comparator for a property. It converts comparisons to the query's `ComparatorMappingType`.
///
/// Source: Apple's EntityQueryComparator page.
// SAFETY: a comparator is immutable, and its closures are @Sendable — ensured by this class and its subclasses.
public class EntityQueryComparator<Value: _IntentValue, ComparatorMappingType>: @unchecked Sendable {
    /// The name of the comparator, such as `equalTo`.
    public let name: String
    /// The comparator's declaration; nil if values of the property's type cannot be sent.
    let declaration: PropertyComparator?
    private let make: @Sendable (ComparatorOperands) async throws -> ComparatorMappingType

    /// - Parameter type: The type of the operands.
    init<Operand: _IntentValue>(
        name: String,
        with type: Operand.Type,
        count: Int = 1,
        make: @escaping @Sendable ([Operand]) -> ComparatorMappingType
    ) {
        self.name = name
        declaration = type._intentValueCoding.type.map {
            PropertyComparator(name: name, type: $0, valueCount: count == 1 ? nil : count)
        }
        self.make = { operands in make(try await operands.values(count, as: Operand.self)) }
    }

    /// Converts a comparison with the given operands to the query's `ComparatorMappingType`.
    ///
    /// - Throws: ``InvalidValue`` when an operand has the wrong type; the error that an app's query throws.
    func mapping(of operands: ComparatorOperands) async throws -> ComparatorMappingType { try await make(operands) }
}

/// The operands of a comparison, as they were received from the caller: not checked and not decoded.
struct ComparatorOperands {
    let wireValues: [IntentValue]

    fileprivate func values<Operand: _IntentValue>(_ count: Int, as type: Operand.Type) async throws -> [Operand] {
        guard wireValues.count == count else {
            throw InvalidValue("expects \(count) value\(count == 1 ? "" : "s"), got \(wireValues.count)")
        }
        let coding = type._intentValueCoding
        let files = IncomingFiles()
        var values: [Operand] = []
        for value in wireValues {
            do {
                let accepted = try coding.type?.accept(value) ?? value
                let decoded =
                    if let resolve = coding.resolve { try await resolve(accepted, files) } else {
                        try coding.decode(accepted, files)
                    }
                values.append(decoded)
            } catch let mismatch as ValueMismatch {
                throw InvalidValue(mismatch)
            }
        }
        return values
    }
}
