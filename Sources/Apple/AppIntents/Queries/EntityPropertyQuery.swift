import IntentSharedTypes

/// A query that finds entities by their properties.
///
/// Source: Apple's EntityPropertyQuery page.
public protocol EntityPropertyQuery: EntityQuery {
    /// The app's own representation of a comparison, such as a predicate or a closure.
    associatedtype ComparatorMappingType

    /// The properties that a search can compare.
    static var properties: EntityQueryProperties<Entity, ComparatorMappingType> { get }
    /// The properties by which a search can sort its results.
    static var sortingOptions: EntityQuerySortingOptions<Entity> { get }
    /// The description of an intent that finds entities with this query. The default is nil.
    static var findIntentDescription: IntentDescription? { get }

    /// Returns the entities that match all comparisons or at least one comparison, as the mode requires.
    func entities(
        matching comparators: [ComparatorMappingType],
        mode: EntityQueryComparatorMode,
        sortedBy: [EntityQuerySort<Entity>],
        limit: Int?
    ) async throws -> Result
}

extension EntityPropertyQuery {
    /// Whether an entity must match all comparisons or only one.
    public typealias ComparatorMode = EntityQueryComparatorMode
    /// A property to sort by, and the direction.
    public typealias Sort = EntityQuerySort
    /// The type of ``properties``.
    public typealias QueryProperties = EntityQueryProperties<Entity, ComparatorMappingType>
    /// The type of ``sortingOptions``.
    public typealias SortingOptions = EntityQuerySortingOptions<Entity>
    /// A property and the comparators that it supports.
    public typealias Property<Value: _IntentValue> = EntityQueryProperty<Entity, Value, ComparatorMappingType>
    /// A property to sort by.
    public typealias SortableBy = EntityQuerySortableByProperty<Entity>
}

/// Whether an entity must match all comparisons or only one.
///
/// Source: Apple's EntityQueryComparatorMode page.
@frozen
public enum EntityQueryComparatorMode: Sendable, Hashable {
    /// An entity must match every comparison.
    case and
    /// An entity must match at least one comparison.
    case or
}

/// A property to sort by, and the direction.
///
/// Source: Apple's EntityQuerySort page.
public struct EntityQuerySort<Entity: AppEntity>: Sendable {
    /// The direction of a sort order.
    public enum Ordering: Sendable, Hashable {
        /// The smallest value comes first.
        case ascending
        /// The greatest value comes first.
        case descending
    }

    // SAFETY: key paths are immutable — guaranteed by the standard library.
    /// The property to sort by.
    nonisolated(unsafe) public let by: PartialKeyPath<Entity>
    /// The direction of the sort.
    public let order: Ordering

    /// Creates a sort order for a property.
    public init(by: PartialKeyPath<Entity>, order: Ordering) {
        self.by = by
        self.order = order
    }
}

/// The properties of an entity that a search can compare.
///
/// Source: Apple's EntityQueryProperties page.
public struct EntityQueryProperties<Entity: AppEntity, ComparatorMappingType>: Sendable {
    /// The properties, in declaration order.
    public let properties: [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>]

    /// Creates a list from the properties that a result builder collects.
    public init(
        @EntityQueryPropertiesBuilder<Entity, ComparatorMappingType> properties: () -> [EntityQueryPropertyDeclaration<
            Entity, ComparatorMappingType
        >]
    ) {
        self.properties = properties()
    }
}

/// A result builder that collects the properties that a search can compare.
///
/// Source: Apple's EntityQueryPropertiesBuilder page.
@resultBuilder
public enum EntityQueryPropertiesBuilder<Entity: AppEntity, ComparatorMappingType> {
    /// Adds a property and its comparators.
    public static func buildExpression<Value>(
        _ property: EntityQueryProperty<Entity, Value, ComparatorMappingType>
    ) -> EntityQueryPropertyDeclaration<Entity, ComparatorMappingType> {
        property
    }

    /// Combines the properties of a block.
    public static func buildBlock(
        _ properties: EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>...
    ) -> [EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>] {
        properties
    }
}

/// A type-erased property that a search can compare.
///
/// Source: Apple's EntityQueryPropertyDeclaration page.
// SAFETY: a declaration contains only constants, and key paths are immutable — ensured by this class and its subclass.
public class EntityQueryPropertyDeclaration<Entity: AppEntity, ComparatorMappingType>: @unchecked Sendable {
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

/// A type-erased comparator for a property.
struct AnyPropertyComparator<ComparatorMappingType>: Sendable {
    /// The comparator's declaration; nil if values of the property's type cannot be sent.
    let declaration: PropertyComparator?
    let mapping: @Sendable (ComparatorOperands) async throws -> ComparatorMappingType
}

/// A property and the comparators that it supports.
///
/// Source: Apple's EntityQueryProperty page.
public final class EntityQueryProperty<Entity: AppEntity, Value: _IntentValue, ComparatorMappingType>:
    // SAFETY: a property contains only constants, and key paths are immutable — ensured by this class.
    EntityQueryPropertyDeclaration<Entity, ComparatorMappingType>, @unchecked Sendable
{
    /// The key path of the property.
    public let keyPath: KeyPath<Entity, EntityProperty<Value>>
    /// The comparators that the property supports.
    public let comparators: [EntityQueryComparator<Value, ComparatorMappingType>]

    /// Creates a property with the comparators that it supports.
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

/// A result builder that collects the comparators of a property.
///
/// Source: Apple's EntityQueryComparatorsBuilder page.
@resultBuilder
public enum EntityQueryComparatorsBuilder<Value: _IntentValue, ComparatorMappingType> {
    /// Adds a comparator.
    public static func buildExpression(
        _ comparator: EntityQueryComparator<Value, ComparatorMappingType>
    ) -> EntityQueryComparator<Value, ComparatorMappingType> {
        comparator
    }

    /// Combines the comparators of a block.
    public static func buildBlock(
        _ comparators: EntityQueryComparator<Value, ComparatorMappingType>...
    ) -> [EntityQueryComparator<Value, ComparatorMappingType>] {
        comparators
    }
}

/// The properties of an entity by which a search can sort its results.
///
/// Source: Apple's EntityQuerySortingOptions page.
public struct EntityQuerySortingOptions<Entity: AppEntity>: Sendable {
    /// The properties, in declaration order.
    public let options: [EntityQuerySortableByProperty<Entity>]

    /// Creates a list from the properties that a result builder collects.
    public init(@EntityQuerySortingOptionsBuilder<Entity> options: () -> [EntityQuerySortableByProperty<Entity>]) {
        self.options = options()
    }
}

/// A result builder that collects the properties to sort by.
///
/// Source: Apple's EntityQuerySortingOptionsBuilder page.
@resultBuilder
public enum EntityQuerySortingOptionsBuilder<Entity: AppEntity> {
    /// Adds a property to sort by.
    public static func buildExpression(
        _ option: EntityQuerySortableByProperty<Entity>
    ) -> EntityQuerySortableByProperty<Entity> {
        option
    }

    /// Combines the properties of a block.
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
    // SAFETY: key paths are immutable — guaranteed by the standard library.
    /// The property to sort by.
    nonisolated(unsafe) public let keyPath: PartialKeyPath<Entity>

    /// Creates a property to sort by.
    public init<Value>(_ keyPath: KeyPath<Entity, EntityProperty<Value>>) {
        self.keyPath = keyPath
    }
}
