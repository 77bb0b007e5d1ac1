import IntentWire

/// A query that finds entities by their properties.
///
/// Source: Apple's EntityPropertyQuery page.
public protocol EntityPropertyQuery: EntityQuery {
    /// The query's form of a comparison, such as a predicate or a closure.
    associatedtype ComparatorMappingType

    /// The properties that can be compared.
    static var properties: EntityQueryProperties<Entity, ComparatorMappingType> { get }
    /// The properties that can be sorted by.
    static var sortingOptions: EntityQuerySortingOptions<Entity> { get }
    /// The description of an intent that finds entities. Nil by default.
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
    /// How comparisons are combined.
    public typealias ComparatorMode = EntityQueryComparatorMode
    /// A sort order.
    public typealias Sort = EntityQuerySort
    /// The type of ``properties``.
    public typealias QueryProperties = EntityQueryProperties<Entity, ComparatorMappingType>
    /// The type of ``sortingOptions``.
    public typealias SortingOptions = EntityQuerySortingOptions<Entity>
    /// A property and its comparators.
    public typealias Property<Value: _IntentValue> = EntityQueryProperty<Entity, Value, ComparatorMappingType>
    /// A property to sort by.
    public typealias SortableBy = EntityQuerySortableByProperty<Entity>
}

/// How comparisons are combined.
///
/// Source: Apple's EntityQueryComparatorMode page.
@frozen
public enum EntityQueryComparatorMode: Sendable, Hashable {
    /// Every comparison must match.
    case and
    /// At least one comparison must match.
    case or
}

/// A sort order: a property and a direction.
///
/// Source: Apple's EntityQuerySort page.
public struct EntityQuerySort<Entity: AppEntity>: Sendable {
    /// The direction of a sort order.
    public enum Ordering: Sendable, Hashable {
        /// From the least to the greatest.
        case ascending
        /// From the greatest to the least.
        case descending
    }

    // SAFETY: a key path is never changed after its creation.
    /// The property.
    nonisolated(unsafe) public let by: PartialKeyPath<Entity>
    /// The direction.
    public let order: Ordering

    /// A sort order.
    public init(by: PartialKeyPath<Entity>, order: Ordering) {
        self.by = by
        self.order = order
    }
}

/// The properties of an entity that can be compared.
///
/// Source: Apple's EntityQueryProperties page.
public struct EntityQueryProperties<Entity: AppEntity, ComparatorMappingType> {
    /// The properties, in the order of their declaration.
    public let properties: [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>]

    /// Declares the elements of a builder.
    public init(
        @EntityQueryPropertiesBuilder<Entity, ComparatorMappingType> properties: () -> [EntityQueryPropertyDeclaration<
            Entity, ComparatorMappingType
        >]
    ) {
        self.properties = properties()
    }
}

/// Collects the properties that can be compared.
///
/// Source: Apple's EntityQueryPropertiesBuilder page.
@resultBuilder
public enum EntityQueryPropertiesBuilder<Entity: AppEntity, ComparatorMappingType> {
    /// Accepts an element.
    public static func buildExpression<Value>(
        _ property: EntityQueryProperty<Entity, Value, ComparatorMappingType>
    ) -> EntityQueryPropertyDeclaration<Entity, ComparatorMappingType> {
        property
    }

    /// Combines the elements of a block.
    public static func buildBlock(
        _ properties: EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>...
    ) -> [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>] {
        properties
    }
}

/// A property that can be compared, of any value type.
///
/// Source: Apple's EntityQueryPropertyDeclaration page.
public class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType> {
    /// The names of the property's comparators.
    public let comparatorNames: [String]
    /// The key path of the property.
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
    /// Nil for a property of a type without values.
    let declaration: PropertyComparator?
    let mapping: (ComparatorOperands) async throws -> ComparatorMappingType
}

/// A property and its comparators.
///
/// Source: Apple's EntityQueryProperty page.
public final class EntityQueryProperty<Entity: AppEntity, Value: _IntentValue, ComparatorMappingType>:
    EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>
{
    /// The property.
    public let keyPath: KeyPath<Entity, EntityProperty<Value>>
    /// The comparators.
    public let comparators: [EntityQueryComparator<Value, ComparatorMappingType>]

    /// A property and its comparators.
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

/// Collects the comparators of a property.
///
/// Source: Apple's EntityQueryComparatorsBuilder page.
@resultBuilder
public enum EntityQueryComparatorsBuilder<Value: _IntentValue, ComparatorMappingType> {
    /// Accepts an element.
    public static func buildExpression(
        _ comparator: EntityQueryComparator<Value, ComparatorMappingType>
    ) -> EntityQueryComparator<Value, ComparatorMappingType> {
        comparator
    }

    /// Combines the elements of a block.
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
    /// The properties, in the order of their declaration.
    public let options: [EntityQuerySortableByProperty<Entity>]

    /// Declares the elements of a builder.
    public init(@EntityQuerySortingOptionsBuilder<Entity> options: () -> [EntityQuerySortableByProperty<Entity>]) {
        self.options = options()
    }
}

/// Collects the properties to sort by.
///
/// Source: Apple's EntityQuerySortingOptionsBuilder page.
@resultBuilder
public enum EntityQuerySortingOptionsBuilder<Entity: AppEntity> {
    /// Accepts an element.
    public static func buildExpression(
        _ option: EntityQuerySortableByProperty<Entity>
    ) -> EntityQuerySortableByProperty<Entity> {
        option
    }

    /// Combines the elements of a block.
    public static func buildBlock(
        _ options: EntityQuerySortableByProperty<Entity>...
    ) -> [EntityQuerySortableByProperty<Entity>] {
        options
    }
}

/// A property to sort by.
///
/// Source: Apple's EntityQuerySortableByProperty page.
public struct EntityQuerySortableByProperty<Entity: AppEntity>: Sendable {
    // SAFETY: a key path is never changed after its creation.
    /// The property.
    nonisolated(unsafe) public let keyPath: PartialKeyPath<Entity>

    /// A property.
    public init<Value>(_ keyPath: KeyPath<Entity, EntityProperty<Value>>) {
        self.keyPath = keyPath
    }
}
