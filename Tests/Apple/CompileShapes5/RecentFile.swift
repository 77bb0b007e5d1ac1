import AppIntents

struct Beach: AppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation {
        TypeDisplayRepresentation(
            name: LocalizedStringResource("Beach", comment: "A type"),
            numericFormat: LocalizedStringResource("\(placeholder: .int) beaches", table: "Beaches"),
            synonyms: [LocalizedStringResource("Shore", table: "Beaches")]
        )
    }
    static let defaultQuery = BeachQuery()

    let id: Int
    var name: String
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: "\(name)", subtitle: "by the sea", synonyms: ["\(name) shore"]) {
            DisplayRepresentation.Image(systemName: "beach.umbrella")
        }
    }
}

struct BeachQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Beach] {
        ["Dyrhólaey", "Rauðisandur"].enumerated().map { Beach(id: $0.offset, name: $0.element) }
            .filter { identifiers.contains($0.id) }
    }
}

/// Receives ids, and resolves the entities only where it needs them.
struct SweepBeaches: AppIntent {
    static let title: LocalizedStringResource = "Sweep beaches"
    @Parameter(title: "Beaches") var beaches: EntityCollection<Beach>
    @Parameter(title: "Named", default: true) var isNamed: Bool

    static var parameterSummary: some ParameterSummary {
        Summary("Sweep \(\.$beaches)") { \.$isNamed }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        guard isNamed else { return .result(value: beaches.identifiers.map(String.init)) }
        return .result(value: try await beaches.resolvedEntities().map(\.name))
    }
}

@available(iOS 18.0, *)
public struct SweepInTheOldWay: DeprecatedAppIntent {
    public static let title: LocalizedStringResource = "Sweep"
    public init() {}
    public func perform() async throws -> some IntentResult { .result() }
}

struct QuietFilter: SetFocusFilterIntent {
    static let title: LocalizedStringResource = "Be quiet"
    static let description: LocalizedStringResource? = "Nothing is heard."
    @Parameter(title: "Quiet", default: false) var isQuiet: Bool
    @Parameter(title: "Beaches") var beaches: [Beach]?

    var displayRepresentation: DisplayRepresentation {
        let names: [LocalizedStringResource] = ["Quiet", isQuiet ? "at once" : "later"]
        return DisplayRepresentation(
            title: LocalizedStringResource("title", defaultValue: "\(names, format: .list(type: .and))"),
            subtitle: beaches.map { "\($0, format: .list(type: .or, width: .short))" }
        )
    }
    var appContext: FocusFilterAppContext {
        FocusFilterAppContext(notificationFilterPredicate: nil, targetContentIdentifierPrefix: "beach")
    }

    func perform() async throws -> some IntentResult & ReturnsValue<Bool> {
        .result(value: try await QuietFilter.current.isQuiet)
    }

    static func suggestedFocusFilters(for _: FocusFilterSuggestionContext) async -> [Self] {
        let filter = QuietFilter()
        filter.isQuiet = true
        return [filter]
    }
}

struct ManyParts: AppIntent, CustomIntentMigratedAppIntent, PredictableIntent {
    static let intentClassName = "ManyPartsIntent"
    static let title: LocalizedStringResource = "Many parts"
    @Parameter(title: "A") var a: String
    @Parameter(title: "B") var b: Bool?
    @Parameter(title: "C", default: 1) var c: Int?
    @Parameter(title: "D") var d: Beach
    @Parameter(title: "E") var e: [Beach]?
    @Parameter(title: "F") var f: Double?
    @Parameter(title: "G") var g: Date?
    @Parameter(title: "H") var h: [String]?

    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$a, \.$b, \.$c, \.$d, \.$e, \.$f, \.$g, \.$h)) { a, b, c, d, e, f, g, h in
            DisplayRepresentation(title: LocalizedStringResource("many-\(a)-\(d)", comment: "All"), subtitle: nil)
        }
        IntentPrediction(parameters: (\.$e, \.$d)) { e, d in
            DisplayRepresentation(title: "\(e ?? [], format: .list(type: .and)) and \(d)")
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct TideWidget: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Tide"
    @Parameter(title: "Beach") var beach: Beach?
    init() {}
    init(beach: Beach) { self.beach = beach }
}

enum Tides {
    static func tell(_ times: [DateInterval]) async throws {
        var relevant = times.map {
            RelevantIntent(TideWidget(), widgetKind: "Tide", relevance: .date(from: $0.start, to: $0.end))
        }
        if let first = times.first {
            let context = RelevantContext.date(range: first.start...first.end, kind: .scheduled)
            relevant.append(
                RelevantIntent(TideWidget(beach: Beach(id: 1, name: "B")), widgetKind: "T", relevance: context)
            )
        }
        try await RelevantIntentManager.shared.updateRelevantIntents(relevant)
    }

    @available(iOS 27.0, *)
    static func suggest(_ beaches: [any AppEntity], instead old: [any AppEntity]) async throws {
        guard !beaches.isEmpty else { return try await RelevantEntities.shared.removeAllEntities() }
        try await RelevantEntities.shared.removeEntities(old)
        try await RelevantEntities.shared.removeEntities(old, from: .audio(.nowPlaying))
        try await RelevantEntities.shared.updateEntities(beaches, for: .audio(.nowPlaying))
        try await RelevantEntities.shared.removeAllEntities(for: AppEntityContext.audio(.nowPlaying))
    }
}

struct PaperEntity: FileEntity {
    static let supportedContentTypes: [UTType] = [.item]
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Paper"
    static let defaultQuery = PaperQuery()
    let id: FileEntityIdentifier
    let name: String
    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(name)") }
}

struct PaperQuery: EntityQuery {
    func entities(for identifiers: [FileEntityIdentifier]) async throws -> [PaperEntity] {
        var papers: [PaperEntity] = []
        for identifier in identifiers {
            guard let url = try await identifier.fileURL else { continue }
            papers.append(PaperEntity(id: try .file(url: url), name: url.lastPathComponent))
        }
        return papers
    }
}

struct NameFiles: AppIntent {
    static let title: LocalizedStringResource = "Name files"
    @Parameter(title: "Papers", supportedContentTypes: [.item], size: IntentCollectionSize(exactly: 2))
    var papers: [PaperEntity]

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        .result(value: papers.filter { !$0.id.isDraft }.map(\.name))
    }
}

struct FollowOrNot: AppIntent {
    static let title: LocalizedStringResource = "Follow, or not"
    @Parameter(title: "URL") var url: URL?
    @Parameter(title: "Beach") var beach: Int?

    func perform() async throws -> some IntentResult & ProvidesDialog {
        if let url { return .result(opensIntent: OpenURLIntent(url), dialog: "A page") }
        if let beach {
            return .result(opensIntent: TideWidget(beach: Beach(id: beach, name: "B")), dialog: "A widget")
        }
        return .result(dialog: "Nothing")
    }
}
