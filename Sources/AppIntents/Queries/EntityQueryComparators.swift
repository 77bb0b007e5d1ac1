/// One way to compare a property, and what the comparison becomes.
///
/// Source: Apple's EntityQueryComparator page.
public class EntityQueryComparator<Value: _IntentValue, ComparatorMappingType> {
    /// The comparison in a word: `equalTo`.
    public let name: String

    init(name: String) {
        self.name = name
    }
}

/// The property is equal to a value.
///
/// Source: Apple's EqualToComparator page.
public final class EqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "equalTo")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is not equal to a value.
///
/// Source: Apple's NotEqualToComparator page.
public final class NotEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "notEqualTo")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is less than a value.
///
/// Source: Apple's LessThanComparator page.
public final class LessThanComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "lessThan")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is less than or equal to a value.
///
/// Source: Apple's LessThanOrEqualToComparator page.
public final class LessThanOrEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "lessThanOrEqualTo")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is greater than a value.
///
/// Source: Apple's GreaterThanComparator page.
public final class GreaterThanComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "greaterThan")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is greater than or equal to a value.
///
/// Source: Apple's GreaterThanOrEqualToComparator page.
public final class GreaterThanOrEqualToComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.UnwrappedType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "greaterThanOrEqualTo")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.UnwrappedType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is one that contains a value.
///
/// Source: Apple's ContainsComparator page.
public final class ContainsComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "contains")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is a text that begins with another.
///
/// Source: Apple's HasPrefixComparator page.
public final class HasPrefixComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "hasPrefix")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is a text that ends with another.
///
/// Source: Apple's HasSuffixComparator page.
public final class HasSuffixComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "hasSuffix")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}

/// The property is between two values.
///
/// Source: Apple's IsBetweenComparator page.
public final class IsBetweenComparator<Value: _IntentValue, ComparatorMappingType>:
    EntityQueryComparator<Value, ComparatorMappingType>
{
    /// Makes what the comparison becomes.
    public let mappingTransform: (Value.ValueType, Value.ValueType) -> ComparatorMappingType

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public init(mappingTransform: @escaping (Value.ValueType, Value.ValueType) -> ComparatorMappingType) {
        self.mappingTransform = mappingTransform
        super.init(name: "isBetween")
    }

    /// - Parameter mappingTransform: Makes what the comparison with a value becomes.
    public convenience init(_ mappingTransform: @escaping (Value.ValueType, Value.ValueType) -> ComparatorMappingType) {
        self.init(mappingTransform: mappingTransform)
    }
}
