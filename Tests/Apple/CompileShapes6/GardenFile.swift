import AppIntents

// A complete source file in language mode 6: entities, a query, options, shortcuts.

public struct PlantEntity: AppEntity, Identifiable, Sendable {
    public static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Plant")
    public static let defaultQuery = PlantQuery()

    public let id: String
    @Property(title: "Name") public var name: String
    @Property(title: "Watered") public var watered: Date?

    public var displayRepresentation: DisplayRepresentation {
        .init(title: "\(name)", subtitle: watered.map { "\($0, format: .dateTime)" }, image: .init(systemName: "leaf"))
    }

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

public struct PlantQuery: EntityStringQuery, EnumerableEntityQuery {
    public init() {}

    public func allEntities() async throws -> [PlantEntity] { [PlantEntity(id: "a", name: "Aloe")] }

    public func entities(matching string: String) async throws -> [PlantEntity] {
        try await allEntities().filter { $0.name.localizedStandardContains(string) }
    }
}

extension PlantQuery: EntityPropertyQuery {
    public typealias ComparatorMappingType = @Sendable (PlantEntity) -> Bool

    public static let properties = QueryProperties {
        Property(\PlantEntity.$name) {
            EqualToComparator { name in { $0.name == name } }
            ContainsComparator { name in { $0.name.contains(name) } }
        }
        Property(\PlantEntity.$watered) {
            LessThanComparator { day in { ($0.watered ?? .distantPast) < day } }
        }
    }

    public static let sortingOptions = SortingOptions {
        SortableBy(\PlantEntity.$name)
    }

    public func entities(
        matching comparators: [ComparatorMappingType],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<PlantEntity>],
        limit: Int?
    ) async throws -> [PlantEntity] {
        try await allEntities().filter { plant in comparators.allSatisfy { $0(plant) } }
    }
}

enum Dose: String, CaseIterable, AppEnum {
    case little, much

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Dose"
    static let caseDisplayRepresentations: [Dose: DisplayRepresentation] = [.little: "A little", .much: "Much"]
}

struct WaterPlant: AppIntent {
    static let title: LocalizedStringResource = "Water a plant"
    static let description = IntentDescription("Waters.", categoryName: "Garden")

    @Parameter(title: "Plant") var plant: PlantEntity
    @Parameter(title: "Dose", default: .little) var dose: Dose
    @Parameter(title: "Bed", optionsProvider: Beds()) var bed: String?

    init() {}

    init(plant: PlantEntity) {
        self.plant = plant
    }

    static var parameterSummary: some ParameterSummary {
        Switch(\.$dose) {
            Case(.much) { Summary("Water \(\.$plant) well") }
            DefaultCase { Summary("Water \(\.$plant)") { \.$bed } }
        }
    }

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<PlantEntity> & ProvidesDialog {
        if dose == .much { try await requestConfirmation(actionName: .go, dialog: "Really much?") }
        return .result(value: plant, dialog: "\(plant.name) is wet.")
    }
}

struct Beds: DynamicOptionsProvider {
    @IntentParameterDependency<WaterPlant>(\.$plant) var water

    func results() async throws -> IntentItemCollection<String> {
        guard let water else { return .empty }
        return IntentItemCollection {
            IntentItemSection("For \(water.plant.name)") {
                "North"
                IntentItem("South", title: "South")
            }
        }
    }
}

struct OpenPlant: OpenIntent {
    static let title: LocalizedStringResource = "Open a plant"
    @Parameter(title: "Plant") var target: PlantEntity
}

struct ChooseGarden: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Garden"
    @Parameter(title: "Plants", size: [.systemSmall: 1, .systemLarge: 4]) var plants: [PlantEntity]?
}

struct GardenShortcuts: AppShortcutsProvider {
    static let shortcutTileColor = ShortcutTileColor.lime

    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: WaterPlant(),
            phrases: ["Water \(\.$plant) with \(.applicationName)"],
            shortTitle: "Water",
            systemImageName: "drop"
        )
    }
}
