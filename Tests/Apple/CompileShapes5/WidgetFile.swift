import AppIntents

struct CityQuery: EntityQuery {
    func entities(for identifiers: [CityDetail.ID]) async throws -> [CityDetail] {
        CityDetail.all.filter { identifiers.contains($0.id) }
    }
    func suggestedEntities() async throws -> [CityDetail] { CityDetail.all }
    func defaultResult() async -> CityDetail? { try? await suggestedEntities().first }
}

struct CityDetail: AppEntity {
    let id: String
    let name: String
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "City"
    static var defaultQuery = CityQuery()
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedStringResource(stringLiteral: name))
    }
    static let all = [CityDetail(id: "1", name: "Rome")]
}

struct SelectCity: WidgetConfigurationIntent {
    static var title: LocalizedStringResource = "Select City"
    static var description = IntentDescription("Selects the city to display information for.")
    @Parameter(title: "City")
    var city: CityDetail
    @Parameter(title: "Unit", default: .celsius) var unit: TemperatureUnit
    @Parameter(title: "Layout", optionsProvider: LayoutOptions()) var layout: String?
    @Parameter(title: "District", description: "x", requestValueDialog: "Which?", optionsProvider: DistrictProvider())
    var district: String
    init(city: CityDetail) { self.city = city }
    init() {}
}

enum TemperatureUnit: String, AppEnum {
    case celsius, fahrenheit
    static var typeDisplayRepresentation = TypeDisplayRepresentation(name: "Unit")
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] = [
        .celsius: "Celsius",
        .fahrenheit: .init(title: "Fahrenheit", subtitle: "F"),
    ]
}

struct LayoutOptions: DynamicOptionsProvider {
    func results() async throws -> [String] { ["a", "b"] }
    func defaultResult() async -> String? { "a" }
}

struct DistrictProvider: DynamicOptionsProvider {
    @IntentParameterDependency<SelectCity>(\.$city, \.$unit) var selectCity
    func results() async throws -> ItemCollection<String> {
        guard let selectCity else { return .init(sections: []) }
        let c = selectCity.city
        return ItemCollection {
            ItemSection("Near \(c.name)") {
                IntentItem("North", title: "North", subtitle: "cold", image: .init(systemName: "snow"))
                Item<String>("South", title: "South")
            }
        }
    }
}

struct SectionedQuery: EntityStringQuery {
    typealias Entity = CityDetail
    func entities(for identifiers: [String]) async throws -> [CityDetail] { [] }
    func suggestedEntities() async throws -> IntentItemCollection<CityDetail> {
        IntentItemCollection(sections: [
            IntentItemSection("A", items: CityDetail.all),
            IntentItemSection(LocalizedStringResource("B"), items: CityDetail.all.map { IntentItem($0) }),
            IntentItemSection("C", items: CityDetail.all),
        ])
    }
    func entities(matching string: String) async throws -> IntentItemCollection<CityDetail> {
        IntentItemCollection(promptLabel: "City", usesIndexedCollation: true, items: [])
    }
}

struct AllCities: EnumerableEntityQuery {
    func allEntities() async throws -> [CityDetail] { CityDetail.all }
    static var findIntentDescription: IntentDescription? {
        IntentDescription("Find", categoryName: "x", searchKeywords: ["a"], resultValueName: "Cities")
    }
}

struct ToggleIntent: SetValueIntent {
    static let title: LocalizedStringResource = "Toggle"
    @Parameter(title: "On") var value: Bool
    func perform() async throws -> some IntentResult { .result() }
}

struct TimerControl: ControlConfigurationIntent {
    static let title: LocalizedStringResource = "Timer"
    @Parameter(title: "Timer") var city: CityDetail?
}

struct PlayIntent: AudioPlaybackIntent, LiveActivityIntent {
    static let title: LocalizedStringResource = "Play"
    static var isDiscoverable: Bool = false
    static let openAppWhenRun = true
    init() {}
    @MainActor func perform() async throws -> some IntentResult { return .result() }
}

struct Focus: SetFocusFilterIntent {
    static var title: LocalizedStringResource = "Set focus"
    static var description: IntentDescription? = "Focus filter."
    @Parameter(title: "Work", default: false) var work: Bool
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: "Mode", subtitle: "\(work ? "Work" : "Home")")
    }
    func perform() async throws -> some IntentResult { .result() }
}

/// A query as Xcode completes it: an opaque result type, and the protocol's associated type for the default.
struct HarbourQuery: EntityQuery {
    func entities(for identifiers: [Harbour.ID]) async throws -> [Harbour] {
        Harbour.all.filter { identifiers.contains($0.id) }
    }
    func suggestedEntities() async throws -> some ResultsCollection {
        Harbour.all
    }
    func defaultResult() async -> DefaultValue? {
        Harbour.all.first
    }
}

struct Harbour: AppEntity {
    var id: String
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Harbour"
    static var defaultQuery = HarbourQuery()
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(id)") }
    static let all = [Harbour(id: "Kiel")]
}

/// An intent with a query that depends on another, optional parameter.
struct BerthWidget: WidgetConfigurationIntent {
    static var title: LocalizedStringResource { "Berth" }
    @Parameter(title: "Harbour") var harbour: Harbour?
    @Parameter(title: "Berth") var berth: Berth?
}

struct BerthQuery: EntityQuery {
    @IntentParameterDependency<BerthWidget>(\.$harbour) var widget

    func entities(for identifiers: [Entity.ID]) async throws -> [Berth] {
        guard let harbour = widget?.harbour.id else { return [] }
        return try await suggestedEntities().filter { identifiers.contains($0.id) && !harbour.isEmpty }
    }
    @MainActor
    func suggestedEntities() async throws -> [Berth] { [Berth(id: 1), Berth(id: 2)] }
}

struct Berth: AppEntity {
    let id: Int
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Berth"
    static var defaultQuery = BerthQuery()
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(id)") }
}

/// A query that takes its default from the protocol's suggestions, because its own have an opaque type.
struct BuoyQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Harbour] { [] }
    func suggestedEntities() async throws -> some ResultsCollection { Harbour.all }
    func defaultResult() async -> Harbour? {
        try? await suggestedEntities().first
    }
}
