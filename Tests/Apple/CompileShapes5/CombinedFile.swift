import AppIntents
import SwiftUI

// Protocols in every combination found in real code, and types with two roles.

enum Combined {
    struct A: OpenIntent, TargetContentProvidingIntent {
        static let title: LocalizedStringResource = "a"; @Parameter(title: "t") var target: E
    }
    struct A2: OpenIntent, URLRepresentableIntent {
        static let title: LocalizedStringResource = "a"; @Parameter(title: "t") var target: En
    }
    struct A3: WidgetConfigurationIntent, ControlConfigurationIntent { static let title: LocalizedStringResource = "a" }
    struct A4: TargetContentProvidingIntent, AppIntent { static let title: LocalizedStringResource = "a" }
    struct A5: OpenIntent, SnippetIntent {
        static let title: LocalizedStringResource = "a"; @Parameter(title: "t") var target: E;
        func perform() async throws -> some IntentResult & ShowsSnippetView { .result(view: EmptyView()) }
    }
    enum E: String, AppEnum, URLRepresentableEnum {
        case a; static var typeDisplayRepresentation: TypeDisplayRepresentation = "E";
        static var caseDisplayRepresentations: [E: DisplayRepresentation] = [.a: "A"]
        static var urlRepresentation: URLRepresentation = [.a: "https://a"]
    }
    struct En: AppEntity, Codable, Hashable {
        var id: UUID = UUID(); static var typeDisplayRepresentation: TypeDisplayRepresentation = "E";
        var displayRepresentation: DisplayRepresentation { "a" }
        static var defaultQuery = Q();
        struct Q: EnumerableEntityQuery, EntityStringQuery {
            func allEntities() async throws -> [En] { [] };
            func entities(matching s: String) async throws -> [En] { [] }
        }
    }
    struct Tr: TransientAppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "T"; @Property(title: "n") var n: En?;
        var displayRepresentation: DisplayRepresentation { "x" }
    }
    struct Tr2: TransientAppEntity, Identifiable {
        let id = UUID(); static let typeDisplayRepresentation: TypeDisplayRepresentation = "T";
        @Property(title: "n") var n: [En]; var displayRepresentation: DisplayRepresentation { "x" }
    }
    struct Uq: UniqueAppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "T";
        var displayRepresentation: DisplayRepresentation { "x" }
        struct Q: UniqueAppEntityQuery { func uniqueEntity() async throws -> Uq { Uq() } }
        static let defaultQuery = Q()
    }
    struct FE: FileEntity {
        static let supportedContentTypes: [UTType] = [.pdf]; var id: FileEntityIdentifier;
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "T";
        var displayRepresentation: DisplayRepresentation { "x" }
        static let defaultQuery = Q();
        struct Q: EntityQuery {
            func entities(for identifiers: [FileEntityIdentifier]) async throws -> [FE] {
                identifiers.map { FE(id: $0) }
            }
        }
    }
    final class ClassEntity: AppEntity, @unchecked Sendable {
        let id: Int = 1; static let typeDisplayRepresentation: TypeDisplayRepresentation = "T";
        var displayRepresentation: DisplayRepresentation { "x" }
        static let defaultQuery = Q();
        struct Q: EntityQuery { func entities(for identifiers: [Int]) async throws -> [ClassEntity] { [] } }
    }

    @MainActor final class Model { static let shared = Model(); var x = 1 }
    struct UsesModel: AppIntent {
        static let title: LocalizedStringResource = "a"; @Dependency(key: "m") var m: Model;
        @AppDependency(default: 3) var n: Int
        @Parameter(title: "x", default: UsesModel.def) var x: Int; static let def = 4
        @MainActor func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: m.x + n) }
    }
    static func register() {
        Task { @MainActor in
            let m = Model.shared; AppDependencyManager.shared.add(dependency: m);
            AppDependencyManager.shared.add(key: "z") { 3 }
        }
    }
    struct Iv: IntentValueQuery { func values(for input: String) async throws -> [En] { [] } }
    struct Summ: AppIntent {
        static let title: LocalizedStringResource = "a"; @Parameter(title: "x") var x: Int?;
        @Parameter(title: "b") var b: Bool; @Parameter(title: "e") var e: E?; @Parameter(title: "s") var s: String;
        @Parameter(title: "en") var en: En?
        static var parameterSummary: some ParameterSummary {
            When(
                \Self.$x,
                .greaterThan,
                3,
                { Summary("a \(\.$x)") },
                otherwise: {
                    When(\.$e, .oneOf, [.a]) {
                        Summary("b") {
                            \.$x
                            \.$b
                        }
                    } otherwise: {
                        Switch(\.$e) {
                            Case(.a) { Summary("q") }
                            Case(nil) { Summary("n") }
                            DefaultCase { Summary("z \(\.$s) and \(\Self.$en)") }
                        }
                    }
                }
            )
        }
        func perform() async throws -> some IntentResult { .result() }
    }

}
