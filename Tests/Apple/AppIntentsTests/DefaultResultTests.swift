import AppIntents
import IntentLauncherMessages
import Testing

@testable import AppIntents

/// Tests the default that a provider or a query chooses.
@Suite struct DefaultResultTests {
    @Test func `a parameter without a value receives the default of its provider or its type's query`() async throws {
        let intent = PackBox()
        try await intent.prepare()
        #expect(intent.label == "plain")
        #expect(intent.box?.id == "crate")
        #expect(intent.own?.id == "tin")
    }

    @Test func `a given value, a given null and the parameter's own default take precedence`() async throws {
        let intent = PackBox()
        try await intent.prepare(["label": .null, "box": .string("tin")])
        #expect(intent.label == nil)
        #expect(intent.box?.id == "tin")
        #expect(intent.kind == "fixed")
    }

    @Test func `a single parameter receives the first of several defaults, and a list wraps one`() async throws {
        let intent = PackBox()
        try await intent.prepare()
        #expect(intent.first == 3)
        #expect(intent.all == [3, 4])
        #expect(intent.labels == ["plain"])
    }

    @Test func `the default may depend on other parameters`() async throws {
        let intent = PackBox()
        try await intent.prepare(["kind": .string("glass")])
        #expect(intent.note == "for glass")
    }

    @Test func `a query with an opaque result type, or without its dependency, provides no default`() async throws {
        let intent = PackBox()
        try await intent.prepare()
        #expect(intent.lid?.id == "cork")
        #expect(intent.orphan == nil)
    }
}

private struct PackBox: AppIntent {
    static let title: LocalizedStringResource = "Pack"
    @Parameter(title: "Label", optionsProvider: Labels()) var label: String?
    @Parameter(title: "Labels", optionsProvider: Labels()) var labels: [String]?
    @Parameter(title: "Kind", default: "fixed", optionsProvider: Labels(more: ["fixed", "glass"])) var kind: String?
    @Parameter(title: "First", optionsProvider: Counts()) var first: Int?
    @Parameter(title: "All", optionsProvider: Counts()) var all: [Int]?
    @Parameter(title: "Box") var box: Box?
    @Parameter(title: "Own", query: Tins()) var own: Box?
    @Parameter(title: "Note", optionsProvider: Notes()) var note: String?
    @Parameter(title: "Lid") var lid: Lid?
    @Parameter(title: "Orphan", optionsProvider: Orphans()) var orphan: String?

    func perform() async throws -> some IntentResult { .result() }
}

private struct Labels: DynamicOptionsProvider {
    var more: [String] = []
    func results() async throws -> [String] { ["plain", "gift"] + more }
    func defaultResult() async -> String? { "plain" }
}

private struct Counts: DynamicOptionsProvider {
    func results() async throws -> [Int] { [3, 4, 5] }
    func defaultResult() async -> [Int]? { [3, 4] }
}

private struct Notes: DynamicOptionsProvider {
    @IntentParameterDependency<PackBox>(\.$kind) var packing
    func results() async throws -> [String] { [] }
    func defaultResult() async -> String? { packing.map { "for \($0.kind)" } }
}

private struct Orphans: DynamicOptionsProvider {
    @Dependency var parent: Absent
    func results() async throws -> [String] { [] }
    func defaultResult() async -> String? { parent.name }
}

private struct Absent: Sendable { var name: String }

private struct Box: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Box"
    static let defaultQuery = Boxes()
    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct Boxes: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Box] { identifiers.map(Box.init) }
    func defaultResult() async -> Box? { Box(id: "crate") }
}

private struct Tins: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [Box] { identifiers.map(Box.init) }
    func defaultResult() async -> DefaultValue? { Box(id: "tin") }
}

private struct Lid: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Lid"
    static let defaultQuery = Lids()
    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct Lids: EntityQuery {
    func entities(for identifiers: [Lid.ID]) async throws -> [Lid] { identifiers.map(Lid.init) }
    func suggestedEntities() async throws -> some ResultsCollection { [Lid(id: "cork"), Lid(id: "wax")] }
    func defaultResult() async -> DefaultValue? { Lid(id: "cork") }
}
