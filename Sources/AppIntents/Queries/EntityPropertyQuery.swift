import IntentWire

/// A query that can look for entities by their properties.
///
/// Source: Apple's EntityPropertyQuery page.
public protocol EntityPropertyQuery: EntityQuery {
    /// What a comparison becomes: a predicate, a closure.
    associatedtype ComparatorMappingType

    /// The properties that can be compared.
    static var properties: EntityQueryProperties<Entity, ComparatorMappingType> { get }
    /// The properties that can be sorted by.
    static var sortingOptions: EntityQuerySortingOptions<Entity> { get }
    /// What an intent that finds entities is for; by default nothing.
    static var findIntentDescription: IntentDescription? { get }

    /// The entities for which all, or any, of the comparisons hold.
    func entities(
        matching comparators: [ComparatorMappingType],
        mode: EntityQueryComparatorMode,
        sortedBy: [EntityQuerySort<Entity>],
        limit: Int?
    ) async throws -> Result
}

extension EntityPropertyQuery {
    /// How comparisons are joined.
    public typealias ComparatorMode = EntityQueryComparatorMode
    /// A wish for an order.
    public typealias Sort = EntityQuerySort
    /// The properties that can be compared.
    public typealias QueryProperties = EntityQueryProperties<Entity, ComparatorMappingType>
    /// The properties that can be sorted by.
    public typealias SortingOptions = EntityQuerySortingOptions<Entity>
    /// One property with its comparisons.
    public typealias Property<Value: _IntentValue> = EntityQueryProperty<Entity, Value, ComparatorMappingType>
    /// One property to sort by.
    public typealias SortableBy = EntityQuerySortableByProperty<Entity>
}

/// How comparisons are joined.
///
/// Source: Apple's EntityQueryComparatorMode page.
@frozen
public enum EntityQueryComparatorMode: Sendable, Hashable {
    /// All must hold.
    case and
    /// One is enough.
    case or
}

/// A wish for an order: by which property, which way.
///
/// Source: Apple's EntityQuerySort page.
public struct EntityQuerySort<Entity: AppEntity>: Sendable {
    /// Which way.
    public enum Ordering: Sendable, Hashable {
        case ascending
        case descending
    }

    // SAFETY: key paths never change — the standard library.
    /// The property.
    nonisolated(unsafe) public let by: PartialKeyPath<Entity>
    /// Which way.
    public let order: Ordering

    /// A wish for an order.
    public init(by: PartialKeyPath<Entity>, order: Ordering) {
        self.by = by
        self.order = order
    }
}

/// The properties of an entity that can be compared.
///
/// Source: Apple's EntityQueryProperties page.
public struct EntityQueryProperties<Entity: AppEntity, ComparatorMappingType> {
    /// In the order of their declaration.
    public let properties: [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>]

    public init(
        @EntityQueryPropertiesBuilder<Entity, ComparatorMappingType> properties: () -> [EntityQueryPropertyDeclaration<
            Entity, ComparatorMappingType
        >]
    ) {
        self.properties = properties()
    }
}

/// Collects properties that can be compared.
///
/// Source: Apple's EntityQueryPropertiesBuilder page.
@resultBuilder
public enum EntityQueryPropertiesBuilder<Entity: AppEntity, ComparatorMappingType> {
    public static func buildExpression<Value>(
        _ property: EntityQueryProperty<Entity, Value, ComparatorMappingType>
    ) -> EntityQueryPropertyDeclaration<Entity, ComparatorMappingType> {
        property
    }

    public static func buildBlock(
        _ properties: EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>...
    ) -> [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>] {
        properties
    }
}

/// Any property that can be compared.
///
/// Source: Apple's EntityQueryPropertyDeclaration page.
public class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType> {
    /// The comparisons that the query knows, by name.
    public let comparatorNames: [String]
    /// Where the property is.
    let partialKeyPath: PartialKeyPath<Entity>
    let anyComparators: [AnyPropertyComparator<ComparatorMappingType>]

    init(
        comparatorNames: [String],
        partialKeyPath: PartialKeyPath<Entity>,
        anyComparators: [AnyPropertyComparator<ComparatorMappingType>]
    ) {
        self.comparatorNames = comparatorNames
        self.partialKeyPath = partialKeyPath
        self.anyComparators = anyComparators
    }
}

/// A comparator of a property of any type.
struct AnyPropertyComparator<ComparatorMappingType> {
    /// Nil for a property of a type that has no values.
    let declaration: PropertyComparator?
    let mapping: (ComparatorOperands) async throws -> ComparatorMappingType
}

/// One property with the comparisons that the query knows.
///
/// Source: Apple's EntityQueryProperty page.
public final class EntityQueryProperty<Entity: AppEntity, Value: _IntentValue, ComparatorMappingType>:
    EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>
{
    /// The property.
    public let keyPath: KeyPath<Entity, EntityProperty<Value>>
    /// The comparisons.
    public let comparators: [EntityQueryComparator<Value, ComparatorMappingType>]

    /// A property with its comparisons.
    public init(
        _ keyPath: KeyPath<Entity, EntityProperty<Value>>,
        @EntityQueryComparatorsBuilder<Value, ComparatorMappingType> comparators: () -> [EntityQueryComparator<
            Value, ComparatorMappingType
        >]
    ) {
        self.keyPath = keyPath
        self.comparators = comparators()
        super.init(
            comparatorNames: self.comparators.map(\.name),
            partialKeyPath: keyPath,
            anyComparators: self.comparators.map {
                AnyPropertyComparator(declaration: $0.declaration, mapping: $0.mapping)
            }
        )
    }
}

/// Collects the comparisons of a property.
///
/// Source: Apple's EntityQueryComparatorsBuilder page.
@resultBuilder
public enum EntityQueryComparatorsBuilder<Value: _IntentValue, ComparatorMappingType> {
    public static func buildExpression(
        _ comparator: EntityQueryComparator<Value, ComparatorMappingType>
    ) -> EntityQueryComparator<Value, ComparatorMappingType> {
        comparator
    }

    public static func buildBlock(
        _ comparators: EntityQueryComparator<Value, ComparatorMappingType>...
    ) -> [EntityQueryComparator<Value, ComparatorMappingType>] {
        comparators
    }
}

/// The properties of an entity that can be sorted by.
///
/// Source: Apple's EntityQuerySortingOptions page.
public struct EntityQuerySortingOptions<Entity: AppEntity>: Sendable {
    /// In the order of their declaration.
    public let options: [EntityQuerySortableByProperty<Entity>]

    public init(@EntityQuerySortingOptionsBuilder<Entity> options: () -> [EntityQuerySortableByProperty<Entity>]) {
        self.options = options()
    }
}

/// Collects properties to sort by.
///
/// Source: Apple's EntityQuerySortingOptionsBuilder page.
@resultBuilder
public enum EntityQuerySortingOptionsBuilder<Entity: AppEntity> {
    public static func buildExpression(
        _ option: EntityQuerySortableByProperty<Entity>
    ) -> EntityQuerySortableByProperty<Entity> {
        option
    }

    public static func buildBlock(
        _ options: EntityQuerySortableByProperty<Entity>...
    ) -> [EntityQuerySortableByProperty<Entity>] {
        options
    }
}

/// One property to sort by.
///
/// Source: Apple's EntityQuerySortableByProperty page.
public struct EntityQuerySortableByProperty<Entity: AppEntity>: Sendable {
    // SAFETY: key paths never change — the standard library.
    /// The property.
    nonisolated(unsafe) public let keyPath: PartialKeyPath<Entity>

    /// A property.
    public init<Value>(_ keyPath: KeyPath<Entity, EntityProperty<Value>>) {
        self.keyPath = keyPath
    }
}
