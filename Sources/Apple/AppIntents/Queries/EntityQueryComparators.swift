import IntentVocabulary

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

/// A comparator that tests whether a property equals a value.
///
/// Source: Apple's EqualToComparator page.
public final class EqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "equalTo", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property differs from a value.
///
/// Source: Apple's NotEqualToComparator page.
public final class NotEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "notEqualTo", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property is less than a value.
///
/// Source: Apple's LessThanComparator page.
public final class LessThanComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "lessThan", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property is less than or equal to a value.
///
/// Source: Apple's LessThanOrEqualToComparator page.
public final class LessThanOrEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "lessThanOrEqualTo", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property is greater than a value.
///
/// Source: Apple's GreaterThanComparator page.
public final class GreaterThanComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "greaterThan", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property is greater than or equal to a value.
///
/// Source: Apple's GreaterThanOrEqualToComparator page.
public final class GreaterThanOrEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "greaterThanOrEqualTo", with: Value.UnwrappedType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property contains a value.
///
/// Source: Apple's ContainsComparator page.
public final class ContainsComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "contains", with: Value.ValueType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property starts with a string.
///
/// Source: Apple's HasPrefixComparator page.
public final class HasPrefixComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "hasPrefix", with: Value.ValueType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property ends with a string.
///
/// Source: Apple's HasSuffixComparator page.
public final class HasSuffixComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with one value to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "hasSuffix", with: Value.ValueType.self) { mappingTransform($0[0]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with one value to the query's
    ///   `ComparatorMappingType`.
    public convenience init(_ mappingTransform: @escaping @Sendable (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// A comparator that tests whether a property is between two values.
///
/// Source: Apple's IsBetweenComparator page.
public final class IsBetweenComparator<Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a comparator is immutable, and its closure is @Sendable — ensured by the initialisers.
    EntityQueryComparator<Value, ComparatorMappingType>, @unchecked Sendable
{
    /// The closure that converts a comparison with two values to the query's `ComparatorMappingType`.
    public let mappingTransform: @Sendable (Value.ValueType, Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: A closure that converts a comparison with two values to the query's
    ///   `ComparatorMappingType`.
    public init(mappingTransform: @escaping @Sendable (Value.ValueType, Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "isBetween", with: Value.ValueType.self, count: 2) { mappingTransform($0[0], $0[1]) }
    }

    /// - Parameter mappingTransform: A closure that converts a comparison with two values to the query's
    ///   `ComparatorMappingType`.
    public convenience init(
        _ mappingTransform: @escaping @Sendable (Value.ValueType, Value.ValueType) -> ComparatorMappingType
    ) {
        self.init(mappingTransform: mappingTransform)
    }
}
