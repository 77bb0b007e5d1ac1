import AppIntents
import Foundation
import Testing

/// Tests values of an app that are embedded in messages for people.
@Suite struct EmbeddedValueTests {
    private enum Weather: String, AppEnum {
        case sun, rain
        static var typeDisplayRepresentation: TypeDisplayRepresentation { "Weather" }
        static var caseDisplayRepresentations: [Weather: DisplayRepresentation] { [.sun: "Sunshine", .rain: "Wet"] }
    }

    private struct Town: AppEntity {
        struct Query: EntityQuery {
            func entities(for identifiers: [String]) async throws -> [Town] { [] }
        }
        static var typeDisplayRepresentation: TypeDisplayRepresentation { "Town" }
        static var defaultQuery: Query { Query() }
        let id: String
        var displayRepresentation: DisplayRepresentation { "Town of \(id)" }
    }

    private let towns = ["Vik", "Hof", "Höfn"].map(Town.init)

    @Test func `an enumeration case and an entity appear with their names`() {
        #expect(String(localized: "\(Weather.rain) in \(towns[0])") == "Wet in Town of Vik")
        #expect(LocalizedStringResource("\(Weather.sun)").defaultValue == "\(Weather.sun)")
    }

    @Test func `an optional entity without a value appears as nil`() {
        let noTown: Town? = nil
        #expect(String(localized: "to \(String(describing: noTown))") == "to nil")
    }

    @Test func `several values appear as a list`() {
        let list: LocalizedStringResource = "Through \(towns, format: .list(type: .and))"
        #expect(String(localized: list) == "Through Town of Vik, Town of Hof, and Town of Höfn")
        #expect(String(localized: "\(towns.prefix(2), format: .list(type: .or))") == "Town of Vik or Town of Hof")
        let words: [LocalizedStringResource] = ["one", "two"]
        #expect(String(localized: "\(words, format: .list(type: .and, width: .narrow))") == "one, two")
    }

    @Test func `a list of strings is still accepted`() {
        #expect(String(localized: "\(["a", "b"], format: .list(type: .and))") == "a and b")
    }
}
