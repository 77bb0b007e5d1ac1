import AppIntents
import AppIntentsTesting
import CoreLocation
import CoreSpotlight
import CoreTransferable
import Testing

/// A recipe in a search index.
struct IndexedRecipe: IndexedEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Recipe"
    static let defaultQuery = IndexedRecipeQuery()

    let id: Int
    var text: String
    @ComputedProperty(indexingKey: \.textContent) var content: String { text }
    @ComputedProperty(indexingKey: \.rating) var stars: Int? { id == 1 ? 4 : nil }
    @ComputedProperty(customIndexingKey: "portions") var portions: Int { id * 2 }
    @ComputedProperty(indexingKey: \.startDate) var wrong: String { "no date" }
    @DeferredProperty(title: "Slow") var slow: String { get async throws { "slow" } }
    var displayRepresentation: DisplayRepresentation { .init(title: "Recipe \(id)", subtitle: "tasty") }
}

struct IndexedRecipeQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [IndexedRecipe] { [] }
}

/// Performs steps on the app's index, and returns what a search finds.
struct ChangeIndex: AppIntent {
    static let title: LocalizedStringResource = "Change index"
    @Parameter(title: "Step") var step: String
    @Parameter(title: "Search", default: "") var search: String

    func perform() async throws -> some ReturnsValue<[String]> {
        let index = CSSearchableIndex.default()
        switch step {
        case "entities":
            try await index.indexAppEntities([
                IndexedRecipe(id: 1, text: "Apple cake"), IndexedRecipe(id: 2, text: "apple pie"),
            ])
        case "items":
            let old = CSSearchableItemAttributeSet(contentType: .text)
            old.title = "An apple, expired"
            let new = CSSearchableItemAttributeSet(contentType: .text)
            new.title = "An apple, fresh"
            try await index.indexSearchableItems([
                CSSearchableItem(
                    uniqueIdentifier: "old",
                    domainIdentifier: "a",
                    attributeSet: old,
                    expirationDate: Date(timeIntervalSince1970: 1)
                ),
                CSSearchableItem(uniqueIdentifier: "new", domainIdentifier: "a.b", attributeSet: new),
                CSSearchableItem(uniqueIdentifier: "other", domainIdentifier: "ab", attributeSet: new),
            ])
        case "locked": try await IntentState.withLock { try await index.deleteAppEntities(ofType: IndexedRecipe.self) }
        case "one": try await index.deleteAppEntities(identifiedBy: [1], ofType: IndexedRecipe.self)
        case "domain": try await index.deleteSearchableItems(withDomainIdentifiers: ["a"])
        case "all": try await index.deleteAllSearchableItems()
        case "huge":
            let text = String(repeating: "x", count: 300 << 10)
            try await index.indexAppEntities([IndexedRecipe(id: 7, text: "small"), IndexedRecipe(id: 8, text: text)])
        case "corrupt":
            let folder = URL(filePath: IntentState.directory ?? "").appending(path: ".search-index")
            try Data("{\n".utf8).write(to: folder.appending(path: "default.log"))
        case "link":
            let file = URL(filePath: IntentState.directory ?? "").appending(path: ".search-index/default.log")
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: URL(filePath: "/dev/zero"))
        case "escape": try await CSSearchableIndex(name: "../../x").indexAppEntities([IndexedRecipe(id: 3, text: "y")])
        default: break
        }
        let folder = URL(filePath: IntentState.directory ?? "")
        if step == "escape" {
            return .result(
                value: try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: ".search-index").path)
            )
        }
        return .result(value: try await index.identifiers(matching: search))
    }
}

@Suite struct CoreModuleTests {
    private func found(_ run: IntentTestRun, _ step: String, _ search: String = "apple") async throws -> [String]? {
        let intent = ChangeIndex()
        intent.step = step
        intent.search = search
        return try await run.perform(intent).value
    }

    // MARK: CoreSpotlight

    @Test func `an index contains entities and items until they are deleted or expire`() async throws {
        try await withIntentRun { run in
            let steps: [(step: String, search: String, expected: [String])] = [
                ("none", "apple", []), ("entities", "apple", ["1", "2"]), ("none", "CAKE apple", ["1"]),
                ("items", "apple", ["1", "2", "new", "other"]), ("domain", "apple", ["1", "2", "other"]),
                ("one", "apple", ["2", "other"]), ("locked", "apple", ["other"]), ("all", "apple", []),
            ]
            for (step, search, expected) in steps {
                let result = try await found(run, step, search)
                #expect(result == expected, "\(step)")
            }
        }
    }

    @Test func `an item that is too large leaves the index unchanged`() async throws {
        try await withIntentRun { run in
            _ = try await found(run, "entities")
            let whole = try await found(run, "huge")
            #expect(whole == nil)
            let none = try await found(run, "none", "")
            #expect(none == ["1", "2"])
        }
    }

    @Test(arguments: ["corrupt", "link"])
    func `a file that is no index is an error, and is not read without limit`(_ step: String) async throws {
        try await withIntentRun { run in
            _ = try await found(run, "entities")
            let rest = try await found(run, step)
            #expect(rest == nil)
            let again = try await found(run, "entities")
            #expect(again == nil)
        }
    }

    @Test func `an index with a path as its name is a file in the folder of the indexes`() async throws {
        try await withIntentRun { run in
            let name = try await found(run, "escape")
            #expect(name == ["_2e_2e_2f_2e_2e_2fx.log"])
        }
    }

    @Test func `the default attributes are those of the display representation and of the properties with a key`() {
        let attributes = IndexedRecipe(id: 1, text: "Cake").defaultAttributeSet
        #expect(attributes.title == "Recipe 1" && attributes.displayName == "Recipe 1")
        #expect(attributes.contentDescription == "tasty")
        #expect(attributes.textContent == "Cake")
        #expect(attributes.rating == 4)
        #expect(attributes.startDate == nil)
        #expect(attributes.value(forCustomKey: "portions") == .number(2))
        #expect(IndexedRecipe(id: 2, text: "").defaultAttributeSet.rating == nil)
        attributes.rating = nil
        attributes.importantForTest()
        #expect(attributes.allValues["rating"] == nil && attributes.keywords == ["a"])
    }

    // MARK: CoreLocation

    @Test func `a distance is the one on a sphere`() {
        let berlin = CLLocation(latitude: 52.52, longitude: 13.405)
        let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(berlin.distance(from: paris) - 877_460) < 1_000)
        #expect(berlin.distance(from: berlin) == 0)
        let pole = CLLocation(latitude: 90, longitude: 0)
        #expect(abs(pole.distance(from: CLLocation(latitude: -90, longitude: 55)) - .pi * 6_371_008.8) < 1)
    }

    @Test func `a region contains the coordinates within its radius, and contexts of different regions differ`() {
        let center = CLLocationCoordinate2D(latitude: 52.52, longitude: 13.405)
        let region = CLCircularRegion(center: center, radius: 1000, identifier: "office")
        #expect(region.contains(center))
        #expect(region.contains(CLLocationCoordinate2D(latitude: 52.528, longitude: 13.405)))
        #expect(!region.contains(CLLocationCoordinate2D(latitude: 52.53, longitude: 13.405)))
        let other = CLCircularRegion(center: center, radius: 500, identifier: "office")
        #expect(RelevantContext.location(region) == .location(region))
        #expect(RelevantContext.location(region) != .location(other))
        #expect(RelevantContext.sleep(.bedtime) != .fitness(.workoutActive))
    }

    @Test(arguments: [#"{"latitude":91,"longitude":0}"#, #"{"latitude":1}"#, #"{"latitude":"1","longitude":2}"#])
    func `a location that is no place is refused`(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(CLLocation.self, from: Data(json.utf8)) }
    }

    @Test func `a placemark is a value with the members that are known`() throws {
        let json = #"{"name":"Zoo","location":{"latitude":52.5,"longitude":13.3},"timeZone":"Europe/Berlin"}"#
        let place = try JSONDecoder().decode(CLPlacemark.self, from: Data(json.utf8))
        #expect(place.name == "Zoo" && place.locality == nil)
        #expect(place.location?.coordinate.latitude == 52.5)
        #expect(place.location?.verticalAccuracy == -1)
        #expect(place.timeZone?.identifier == "Europe/Berlin")
        let copy = CLPlacemark(placemark: place)
        #expect(copy.location?.coordinate.longitude == 13.3)
    }

    // MARK: CoreTransferable

    @Test func `a value is converted by the first representation that fits`() async throws {
        let memo = Memo(text: "Hello")
        let types = ["public.json", "public.rtf", "public.utf8-plain-text"]
        #expect(Memo.exportedContentTypes().map(\.identifier) == types)
        #expect(try await memo.exported(as: .json) == Data(#"{"text":"Hello"}"#.utf8))
        #expect(try await memo.exported(as: .utf8PlainText) == Data("Hello".utf8))
        #expect(try await Memo(importing: Data(#"{"text":"x"}"#.utf8), contentType: .json).text == "x")
        #expect(try await Memo(importing: Data("y".utf8), contentType: .utf8PlainText).text == "y")
        await #expect(throws: TransferError.self) { try await memo.exported(as: .png) }
        await #expect(throws: TransferError.self) { try await Memo(importing: Data(), contentType: .png) }
        await #expect(throws: TransferError.self) {
            try await Memo(importing: Data([0xFF]), contentType: .utf8PlainText)
        }
        let marks = "a" + String(repeating: "\u{301}", count: 100_000)
        await #expect(throws: TransferError.self) {
            try await Memo(importing: Data(marks.utf8), contentType: .utf8PlainText)
        }
    }

    @Test func `a condition and a name apply to the representation that they follow`() async throws {
        let secret = Memo(text: "secret")
        #expect(secret.exportedContentTypes().map(\.identifier) == ["public.json", "public.utf8-plain-text"])
        await #expect(throws: TransferError.self) { try await secret.exported(as: .rtf) }
        let file = try await Memo(text: "open").intentFile(as: .rtf)
        #expect(file.filename == "open.rtf")
        #expect(file.data == Data("{open}".utf8))
        #expect(try await Memo(text: "open").intentFile().filename == "Memo.json")
    }

    @Test func `a value representation exports files, and values that are Transferable`() async throws {
        let file = try await Parcel<IntentFile>(content: IntentFile(data: Data("x".utf8), filename: "a.txt"))
            .intentFile()
        #expect(file.filename == "a.txt" && file.data == Data("x".utf8))
        let text = try await Parcel(content: "words").intentFile()
        #expect(text.filename.hasSuffix(".txt") && text.data == Data("words".utf8))
        #expect(Parcel<String>.exportedContentTypes() == [.utf8PlainText])
        #expect(Parcel<Int>.exportedContentTypes().isEmpty && Parcel(content: 1)._fileExport == nil)
    }

    @Test(arguments: [("\u{301}\u{323}", 1), (#"\u0301\u0323"#, 1), (#"\u0301"#, 2)])
    func `JSON with too many combining marks in a row is not imported`(_ marks: String, _ repeats: Int) async throws {
        for place in [#"{"text":"a%"}"#, #"{"a%":1,"text":""}"#] {
            func json(_ count: Int) -> Data {
                Data(place.replacing("%", with: String(repeating: marks, count: count * repeats)).utf8)
            }
            _ = try await Memo(importing: json(15), contentType: .json)
            let error = await #expect(throws: DecodingError.self) {
                _ = try await Memo(importing: json(50_000), contentType: .json)
            }
            #expect("\(error as Any)".contains("more than 30 combining marks in a row"))
        }
        // A file may be nested more deeply than a message.
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(try await Memo(importing: Data(#"{"text":"a","b":\#(deep)}"#.utf8), contentType: .json).text == "a")
    }

    @Test func `a file is imported from a copy that is removed afterwards`() async throws {
        let scan = try await Scan(importing: Data("image".utf8), contentType: .png)
        #expect(scan.content == Data("image".utf8))
        #expect(!FileManager.default.fileExists(atPath: scan.path))
        #expect(scan.path.hasSuffix("/file.png"))
    }
}

extension CSSearchableItemAttributeSet {
    fileprivate func importantForTest() { keywords = ["a"] }
}

private struct Memo: Transferable, Codable {
    var text: String

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json)
        DataRepresentation(exportedContentType: .rtf) { memo in Data("{\(memo.text)}".utf8) }
            .suggestedFileName { $0.text + ".rtf" }
            .exportingCondition { $0.text != "secret" }
        ProxyRepresentation(exporting: { memo in memo.text }, importing: { text in Memo(text: text) })
    }
}

private struct Scan: Transferable {
    var path: String
    var content: Data

    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(importedContentType: .png) { received in
            Scan(path: received.file.path, content: try Data(contentsOf: received.file))
        }
    }
}

/// An object that consists of a value of a system type.
private struct Parcel<Content: _IntentValue>: Transferable {
    let content: Content

    static var transferRepresentation: some TransferRepresentation {
        IntentValueRepresentation<Parcel, Content>(exporting: { $0.content })
    }
}
