import AppIntents

// Computed and deferred properties of entities, in the forms in which apps write them.

enum ComputedFile {
    struct Route: Hashable, Codable, Sendable {
        var name: String
        var metres: Double
        var stops: [String]
    }

    /// An entity that wraps a model. It is Codable and Hashable, and has its memberwise initialiser.
    struct RouteEntity: AppEntity, Hashable, Codable {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Route"
        static let defaultQuery = RouteQuery()

        let id: Int
        var route: Route

        @ComputedProperty var name: String { route.name }
        @ComputedProperty(title: "Length") var length: Measurement<UnitLength> {
            Measurement(value: route.metres, unit: .meters)
        }
        @ComputedProperty(title: "Stops") var stops: [String] {
            get { route.stops }
            set { route.stops = newValue }
        }
        @ComputedProperty(indexingKey: \.displayName) var first: String? { route.stops.first }
        @ComputedProperty(title: "Loop", customIndexingKey: "loop") var isLoop: Bool {
            // A brace } in a comment, and one in a text.
            "}" == "{" || route.stops.first == route.stops.last
        }
        @ComputedProperty public var `default`: Swift.Int { 0 }
        @available(iOS 26, *) @ComputedProperty fileprivate var hidden: Optional<Int> { nil }
        @MainActor @ComputedProperty var screen: String { "main" }
        @DeferredProperty var weather: String { get async throws { "sun" } }
        @DeferredProperty(title: "Altitude") var altitude: Double { get async { 12 } }
        @DeferredProperty var twin: RouteEntity? { get throws(CancellationError) { nil } }

        var displayRepresentation: DisplayRepresentation { "\(name)" }
    }

    struct RouteQuery: EntityPropertyQuery {
        typealias ComparatorMappingType = @Sendable (Route) -> Bool
        static let properties = QueryProperties {
            Property(\RouteEntity.$name) {
                EqualToComparator { text in { @Sendable (route: Route) in route.name == text } }
            }
            Property(\RouteEntity.$isLoop) {
                EqualToComparator { isLoop in
                    { @Sendable (route: Route) in (route.stops.first == route.stops.last) == isLoop }
                }
            }
        }
        static let sortingOptions = SortingOptions { SortableBy(\RouteEntity.$name) }

        func entities(for identifiers: [Int]) async throws -> [RouteEntity] { [] }

        func entities(
            matching comparators: [@Sendable (Route) -> Bool],
            mode: ComparatorMode,
            sortedBy: [EntityQuerySort<RouteEntity>],
            limit: Int?
        ) async throws -> [RouteEntity] {
            for order in sortedBy {
                switch order.by {
                case \.$name: break
                default: break
                }
            }
            return []
        }
    }

    @MainActor struct Panel: UniqueAppEntity {
        nonisolated static let typeDisplayRepresentation: TypeDisplayRepresentation = "Panel"
        nonisolated static let defaultQuery = UniqueAppEntityProvider { Panel(width: 1) }
        let width: Int
        @ComputedProperty var label: String { "Panel \(width)" }
        nonisolated var displayRepresentation: DisplayRepresentation { "Panel" }
    }

    final class Folder: UniqueAppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Folder"
        static let defaultQuery = UniqueAppEntityProvider { Folder(name: "1") }
        let name: String
        init(name: String) { self.name = name }
        @ComputedProperty(title: "Path") final var path: String { "/\(name)" }
        var displayRepresentation: DisplayRepresentation { "\(name)" }
    }

    struct Summary: TransientAppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Summary"
        @Property(title: "Count") var count: Int
        @ComputedProperty(title: "Double") var double: Int { count * 2 }
        var displayRepresentation: DisplayRepresentation { "\(count)" }
    }
}

extension ComputedFile.Folder {
    @ComputedProperty var depth: Int { path.count { $0 == "/" } }
}
