import AppIntents
import Foundation
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests a worker's searches for entities by properties.
@Suite(.ownThread) struct PropertySearchTests {
    private func books(_ search: PropertySearch) throws -> [String?] {
        let record = try AppProcess.run(
            "ShowBook",
            of: "Ported",
            query: OptionsQuery(parameter: "book", search: search)
        )
        guard case .array(let options)? = record.value else {
            Issue.record("\(record.result.ending)")
            return []
        }
        return options.map { option in
            guard case .object(let members) = option, case .string(let text)? = members["title"] else { return nil }
            return text
        }
    }

    @Test func `comparisons are combined, and each receives its value with the property's type`() throws {
        let long = PropertySearch.Comparison(
            property: "pages",
            comparator: "greaterThanOrEqualTo",
            values: [.int(412)]
        )
        let dune = PropertySearch.Comparison(property: "title", comparator: "contains", values: [.string("Dune")])
        #expect(try books(PropertySearch(comparisons: [dune])) == ["Dune", "Dune Messiah"])
        #expect(try books(PropertySearch(comparisons: [long, dune])) == ["Dune"])
        #expect(
            try Set(books(PropertySearch(comparisons: [long, dune], joined: .any))).isSuperset(of: [
                "Dune", "Dune Messiah",
            ])
        )
        #expect(try books(PropertySearch(comparisons: [long, dune], joined: .any)).count > 2)
    }

    @Test func `two values form a range, and the caller chooses the order and the limit`() throws {
        let every = PropertySearch.Comparison(
            property: "pages",
            comparator: "isBetween",
            values: [.int(0), .int(100_000)]
        )
        let byTitle = try books(PropertySearch(comparisons: [every], sortedBy: [.init(property: "title")]))
        #expect(byTitle.count == 4 && byTitle == byTitle.compactMap(\.self).sorted())
        let longest = PropertySearch(
            comparisons: [every],
            sortedBy: [.init(property: "pages", isDescending: true)],
            limit: 1
        )
        #expect(try books(longest).count == 1)
        #expect(
            try books(PropertySearch(comparisons: [every], sortedBy: [.init(property: "pages")])).last
                == books(longest).first
        )
    }

    @Test func `a worker refuses comparisons that its query does not declare`() throws {
        for search in [
            PropertySearch(comparisons: [.init(property: "author", comparator: "equalTo", values: [.string("x")])]),
            PropertySearch(comparisons: [.init(property: "pages", comparator: "lessThan", values: [.string("x")])]),
            PropertySearch(comparisons: [.init(property: "pages", comparator: "isBetween", values: [.int(1)])]),
            PropertySearch(sortedBy: [.init(property: "author")]),
        ] {
            let record = try AppProcess.run(
                "ShowBook",
                of: "Ported",
                query: OptionsQuery(parameter: "book", search: search)
            )
            #expect(record.result.details?.code == "badParameter", "\(record.result.ending)")
        }
    }
}

/// Tests the names of the properties that key paths refer to, for all kinds of entities.
@Suite(.ownThread) struct PropertyNameTests {
    private func search<Intent: AppIntent>(_ intent: Intent.Type) throws -> PropertySearchDeclaration? {
        try IntentRegistry([intent]).catalog().intents[0].parameters[0].search
    }

    @Test func `properties of one type are distinguished, regardless of the entity's other members`() throws {
        let found = try #require(try search(OpenCrate.self))
        #expect(found.properties.map(\.name) == ["sender", "receiver", "weight", "tags", "lid"])
        #expect(found.sortableBy == ["receiver", "sender", "sender"])
        let types = found.properties.flatMap(\.comparators).map(\.type)
        #expect(
            types == [.string, .string, .double, .string, .array(.string), found.properties[4].comparators[0].type]
        )
        #expect(found.properties[2].comparators[0].valueCount == 2)
    }

    @Test func `an entity may be a class`() throws {
        #expect(try search(OpenDrawer.self)?.properties.map(\.name) == ["label", "owner"])
    }

    @Test func `an entity without a stand-in cannot be searched, but its intent still works`() throws {
        let catalog = try IntentRegistry([OpenRiddle.self]).catalog()
        #expect(catalog.intents[0].parameters[0].search == nil)
        #expect(catalog.intents[0].parameters[0].hasOptions == true)
        #expect(catalog.warnings?.contains { $0.contains("cannot search all properties of 'RiddleQuery'") } == true)
        let warnings = try IntentRegistry([OpenCrate.self]).catalog().warnings ?? []
        #expect(!warnings.contains { $0.contains("cannot search all properties") })
    }

    @Test func `a key path through another entity has no name`() throws {
        let catalog = try IntentRegistry([OpenPair.self]).catalog()
        #expect(catalog.intents[0].parameters[0].search?.properties.map(\.name) == ["name"])
        #expect(catalog.warnings?.contains { $0.contains("cannot search all properties of 'PairQuery'") } == true)
    }
}

// MARK: Kinds of entities

private protocol Closing: Sendable {}
private struct Lock: Closing { var word = "x" }

private enum Lid: String, AppEnum {
    case open, shut
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Lid"
    static let caseDisplayRepresentations: [Lid: DisplayRepresentation] = [.open: "Open", .shut: "Shut"]
}

private enum Content: Sendable {
    case text(String)
    case closed(any Closing)
    case nothing
}

private struct Inner: Sendable {
    var closing: any Closing = Lock()
    var words: [String: Int] = [:]
    var pair: (String, any Closing) = ("", Lock())
}

private struct Crate: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Crate"
    static let defaultQuery = CrateQuery()

    let id: UUID
    var lock: any Closing
    var spare: (any Closing)?
    var anything: any Sendable
    var error: any Error
    @Property(title: "From") var sender: String
    var content: Content
    var made: Date
    var place: URL
    var bytes: Data
    var zone: TimeZone
    var language: Locale
    @Property var receiver: String
    var action: @Sendable () -> Void
    var type: any Closing.Type
    var inner: Inner
    var names: [String]
    var counts: [String: Int]
    var marks: Set<String>
    /// A property with a getter that reads other properties.
    var sortKey: EntityProperty<String> {
        names.count + counts.count + marks.count > 0 || bytes.contains(7) ? $receiver : $sender
    }
    @Property(title: "Weight") var weight: Double?
    @Property(title: "Tags") var tags: [String]
    @Property(title: "Lid") var lid: Lid

    var displayRepresentation: DisplayRepresentation { "\(sender)" }
}

private struct CrateQuery: EntityPropertyQuery {
    static let properties = QueryProperties {
        Property(\Crate.$sender) { EqualToComparator { $0 } }
        Property(\Crate.$receiver) { HasPrefixComparator { $0 } }
        Property(\Crate.$weight) { IsBetweenComparator { low, high in "\(low) \(high)" } }
        Property(\Crate.$tags) {
            ContainsComparator { $0 }
            EqualToComparator { $0.joined() }
        }
        Property(\Crate.$lid) { EqualToComparator { $0.rawValue } }
    }
    static let sortingOptions = SortingOptions {
        SortableBy(\Crate.$receiver)
        SortableBy(\Crate.$sender)
        SortableBy(\Crate.sortKey)
    }

    func entities(for identifiers: [UUID]) async throws -> [Crate] { [] }
    func entities(
        matching comparators: [String],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<Crate>],
        limit: Int?
    ) async throws -> [Crate] { [] }
}

private struct OpenCrate: AppIntent {
    static let title: LocalizedStringResource = "t"
    @Parameter(title: "Crate") var crate: Crate
    func perform() async throws -> some IntentResult { .result() }
}

// SAFETY: no code changes an instance — these tests.
private final class Drawer: AppEntity, @unchecked Sendable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Drawer"
    static let defaultQuery = DrawerQuery()

    let id: String
    let content: any Closing = Lock()
    @Property(title: "Label") var label: String
    @Property(title: "Owner") var owner: String

    init(id: String) { self.id = id }

    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct DrawerQuery: EntityPropertyQuery {
    static let properties = QueryProperties {
        Property(\Drawer.$label) { EqualToComparator { $0 } }
        Property(\Drawer.$owner) { EqualToComparator { $0 } }
    }
    static let sortingOptions = SortingOptions { SortableBy(\Drawer.$label) }

    func entities(for identifiers: [String]) async throws -> [Drawer] { [] }
    func entities(
        matching comparators: [String],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<Drawer>],
        limit: Int?
    ) async throws -> [Drawer] { [] }
}

private struct OpenDrawer: AppIntent {
    static let title: LocalizedStringResource = "t"
    @Parameter(title: "Drawer") var drawer: Drawer
    func perform() async throws -> some IntentResult { .result() }
}

private enum Answer: Sendable {
    case word(String)
    case closed(any Closing)
}

private struct Riddle: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Riddle"
    static let defaultQuery = RiddleQuery()

    let id: String
    var answer: Answer
    @Property(title: "Text") var text: String

    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct RiddleQuery: EntityPropertyQuery {
    static let properties = QueryProperties {
        Property(\Riddle.$text) { EqualToComparator { $0 } }
    }
    static let sortingOptions = SortingOptions { SortableBy(\Riddle.$text) }

    func entities(for identifiers: [String]) async throws -> [Riddle] { [] }
    func entities(
        matching comparators: [String],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<Riddle>],
        limit: Int?
    ) async throws -> [Riddle] { [] }
}

private struct OpenRiddle: AppIntent {
    static let title: LocalizedStringResource = "t"
    @Parameter(title: "Riddle") var riddle: Riddle
    func perform() async throws -> some IntentResult { .result() }
}

private struct Half: TransientAppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Half"
    @Property(title: "Size") var size: String
    var displayRepresentation: DisplayRepresentation { "Half" }
    init() {}
}

private struct Pair: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Pair"
    static let defaultQuery = PairQuery()

    let id: String
    @Property(title: "Left") var left: Half
    @Property(title: "Name") var name: String

    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct PairQuery: EntityPropertyQuery {
    static let properties = QueryProperties {
        Property(\Pair.left.$size) { EqualToComparator { $0 } }
        Property(\Pair.$name) { EqualToComparator { $0 } }
    }
    static let sortingOptions = SortingOptions { SortableBy(\Pair.$name) }

    func entities(for identifiers: [String]) async throws -> [Pair] { [] }
    func entities(
        matching comparators: [String],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<Pair>],
        limit: Int?
    ) async throws -> [Pair] { [] }
}

private struct OpenPair: AppIntent {
    static let title: LocalizedStringResource = "t"
    @Parameter(title: "Pair") var pair: Pair
    func perform() async throws -> some IntentResult { .result() }
}
