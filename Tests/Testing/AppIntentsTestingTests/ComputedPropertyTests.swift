import AppIntentsTesting
import IntentLauncherMessages
import TestSupport
import Testing

@testable import AppIntents

/// An entity with properties that are computed from a model, as apps declare it.
struct StationEntity: AppEntity, Hashable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Station"
    static let defaultQuery = StationQuery()

    let id: Int
    var names: [String]
    @ComputedProperty(title: "Name") var name: String { names[0] }
    @ComputedProperty var isLong: Bool { name.count > 8 }
    @ComputedProperty var nothing: Int? { nil }
    @MainActor @ComputedProperty var platform: Int { id * 10 }
    @DeferredProperty(title: "Weather") var weather: String {
        get async throws {
            if id == 13 { throw AppIntentError.Unrecoverable.networkFailure }
            return "sun over \(name)"
        }
    }
    @DeferredProperty var next: StationEntity? { get async throws { StationEntity(id: id + 1, names: ["Next"]) } }
    @DeferredProperty var mark: StationMark {
        get async throws { .station(StationEntity(id: id, names: ["Mark"])) }
    }

    var displayRepresentation: DisplayRepresentation { "\(names.count)" }
}

@UnionValue enum StationMark {
    case station(StationEntity)
    case text(String)
}

struct StationQuery: EntityPropertyQuery {
    typealias ComparatorMappingType = @Sendable (StationEntity) -> Bool

    static let properties = QueryProperties {
        Property(\StationEntity.$name) {
            HasPrefixComparator { prefix in { @Sendable (station: StationEntity) in station.name.hasPrefix(prefix) } }
        }
        Property(\StationEntity.$weather) {
            EqualToComparator { weather in { @Sendable (station: StationEntity) in weather == "sun" } }
        }
    }
    static let sortingOptions = SortingOptions { SortableBy(\StationEntity.$isLong) }
    static let stations = [StationEntity(id: 1, names: ["Anhalter"]), StationEntity(id: 2, names: ["Bellevue Nord"])]

    func entities(for identifiers: [Int]) async throws -> [StationEntity] {
        identifiers.map { StationEntity(id: $0, names: ["Station \($0)"]) }
    }

    func entities(
        matching comparators: [@Sendable (StationEntity) -> Bool],
        mode: ComparatorMode,
        sortedBy: [EntityQuerySort<StationEntity>],
        limit: Int?
    ) async throws -> [StationEntity] {
        var found = Self.stations.filter { station in comparators.allSatisfy { $0(station) } }
        if let order = sortedBy.first, order.by == \StationEntity.$isLong {
            found.sort { ($0.isLong ? 1 : 0) < ($1.isLong ? 1 : 0) }
            if order.order == .descending { found.reverse() }
        }
        return found
    }
}

struct NearestStations: AppIntent {
    static let title: LocalizedStringResource = "Nearest stations"
    @Parameter(title: "Stations") var stations: [StationEntity]

    func perform() async throws -> some ReturnsValue<[StationEntity]> { .result(value: stations) }
}

struct StationTally: TransientAppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Tally"
    @Property(title: "Count") var count: Int
    @ComputedProperty(title: "Twice") var twice: Int { count * 2 }
    var displayRepresentation: DisplayRepresentation { "\(count)" }
}

@Suite(.ownThread) struct ComputedPropertyTests {
    private func properties(of value: IntentLauncherMessages.IntentValue?) -> [String: IntentLauncherMessages
        .IntentValue]
    {
        guard case .object(let members)? = value, case .object(let properties)? = members["properties"] else {
            return [:]
        }
        return properties
    }

    private func returned(_ ids: [Int64]) async throws -> [[String: IntentLauncherMessages.IntentValue]] {
        let ending = await NearestStations.run(
            values: ["stations": .array(ids.map { .string("\($0)") })],
            files: IncomingFiles(),
            directory: "/nonexistent"
        )
        guard case .returned(.array(let values)?, _) = ending.result.ending else {
            throw InvalidValue("did not return a list: \(ending.result.ending)")
        }
        return values.map { properties(of: $0) }
    }

    @Test func `a result has the values of computed and deferred properties`() async throws {
        let stations = try await returned([7, 8])
        #expect(stations.count == 2)
        #expect(stations[0]["name"] == .string("Station 7"))
        #expect(stations[1]["name"] == .string("Station 8"))
        #expect(stations[0]["isLong"] == .bool(true))
        #expect(stations[0]["nothing"] == .null)
        #expect(stations[0]["platform"] == .int(70))
        #expect(stations[0]["weather"] == .string("sun over Station 7"))
        #expect(stations[1]["weather"] == .string("sun over Station 8"))
    }

    @Test func `an entity in a deferred property has no properties of its own to fetch`() async throws {
        let station = try #require(try await returned([7]).first)
        #expect(station["next"] == .object(["id": .string("8"), "title": .string("1")]))
        guard case .object(let mark)? = station["mark"] else { throw InvalidValue("mark: \(station)") }
        let marked = properties(of: mark["station"])
        #expect(marked["name"] == .string("Mark"))
        #expect(marked["isLong"] == .bool(false))
        #expect(marked["weather"] == nil && marked["mark"] == nil)
    }

    @Test func `a deferred property that fails is omitted, and the other properties are sent`() async throws {
        let stations = try await returned([13, 14])
        #expect(stations[0]["weather"] == nil)
        #expect(stations[0]["name"] == .string("Station 13"))
        #expect(stations[1]["weather"] == .string("sun over Station 14"))
    }

    @Test func `a caller who requests an entity by its id receives its computed properties`() async throws {
        let ending = await NearestStations.options(
            OptionsQuery(parameter: "stations", identifier: "5"),
            values: [:],
            files: IncomingFiles()
        )
        guard case .returned(.array(let options)?, _) = ending.result.ending else {
            throw InvalidValue("no options: \(ending.result.ending)")
        }
        let found = properties(of: options.first)
        #expect(found["name"] == .string("Station 5"))
        #expect(found["weather"] == .string("sun over Station 5"))
    }

    @Test func `a query compares and sorts by computed properties`() async throws {
        let declaration = try #require(StationQuery._searchDeclaration)
        #expect(declaration.properties.map(\.name) == ["name", "weather"])
        #expect(declaration.sortableBy == ["isLong"])
        #expect(!StationQuery._hasUnnamedProperties)
        let search = PropertySearch(
            comparisons: [.init(property: "name", comparator: "hasPrefix", values: [.string("Be")])]
        )
        #expect(try await StationQuery()._found(by: search).options.map(\.value) == [.string("2")])
        let sorted = PropertySearch(sortedBy: [.init(property: "isLong", isDescending: true)])
        #expect(try await StationQuery()._found(by: sorted).options.map(\.value) == [.string("2"), .string("1")])
    }

    @Test func `a record declares computed properties, and ignores their values from callers`() async throws {
        let coding = StationTally._intentValueCoding
        guard case .object(let type)? = coding.type else { throw InvalidValue("no object") }
        #expect(type.properties.map(\.name) == ["count", "twice"])
        #expect(type.properties.map(\.title) == ["Count", "Twice"])
        let resolve = try #require(coding.resolve)
        let tally = try await resolve(.object(["count": .int(4), "twice": .int(1000)]), IncomingFiles())
        #expect(tally.twice == 8)
        var files = OutgoingFiles(directory: nil)
        #expect(try coding.encode(tally, &files) == .object(["count": .int(4), "twice": .int(8)]))
        #expect(files.deferred.isEmpty)
    }

    @Test func `a title is the macro's, or derived from the name`() {
        let station = StationQuery.stations[0]
        #expect(station.$name.title.text == "Name")
        #expect(station.$isLong.declaration(named: "isLong")?.title == "Is long")
        #expect(station.$name.wrappedValue == "Anhalter")
    }
}
