import AppIntents
import CoreLocation
import CoreSpotlight
import CoreTransferable

// Search indexes, places and other forms of values, as apps write them.

enum CoreFile {
    // MARK: CoreSpotlight

    struct Dish: AppEntity, IndexedEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Dish"
        static let defaultQuery = DishQuery()

        let id: UUID
        @Property(title: "Name", indexingKey: \.displayName) var name: String
        @Property(title: "Cooked", indexingKey: \.contentModificationDate) var cooked: Date?
        @Property(title: "Calories", customIndexingKey: "calories") var calories: Int
        @ComputedProperty(indexingKey: \.keywords) var words: [String] { name.split(separator: " ").map(String.init) }
        @ComputedProperty(indexingKey: \.rating) var rating: Int { 5 }

        var displayRepresentation: DisplayRepresentation { "\(name)" }

        var attributeSet: CSSearchableItemAttributeSet {
            let attributes = defaultAttributeSet
            attributes.keywords = (attributes.keywords ?? []) + ["food"]
            attributes.latitude = 52.5
            attributes.thumbnailData = Data()
            attributes.contentURL = URL(string: "https://example.org/dish")
            return attributes
        }
    }

    struct DishQuery: EntityQuery {
        func entities(for identifiers: [UUID]) async throws -> [Dish] { [] }
    }

    struct Reindex: AppIntent {
        static let title: LocalizedStringResource = "Reindex"
        @Parameter(title: "Dishes") var dishes: [Dish]

        func perform() async throws -> some IntentResult {
            try await CSSearchableIndex.default().indexAppEntities(dishes)
            try await CSSearchableIndex(name: "dishes").indexAppEntities(dishes, priority: 3)
            try await CSSearchableIndex.default().deleteAppEntities(identifiedBy: dishes.map(\.id), ofType: Dish.self)
            try await CSSearchableIndex.default().deleteAppEntities(ofType: Dish.self)
            let attributes = CSSearchableItemAttributeSet(contentType: .text)
            attributes.title = "A note"
            let item = CSSearchableItem(uniqueIdentifier: "1", domainIdentifier: "notes", attributeSet: attributes)
            guard CSSearchableIndex.isIndexingAvailable() else { return .result() }
            do {
                try await CSSearchableIndex.default().indexSearchableItems([item])
            } catch let error as CSIndexError where error.code == .quotaExceeded {
                try await CSSearchableIndex.default().deleteAllSearchableItems()
            }
            try await CSSearchableIndex.default().deleteSearchableItems(withDomainIdentifiers: ["notes"])
            try await CSSearchableIndex.default().deleteSearchableItems(withIdentifiers: ["1"])
            return .result()
        }
    }

    struct SearchDishes: AppIntent {
        static let title: LocalizedStringResource = "Search dishes"
        @Parameter(title: "Text") var text: String

        func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
            let context = CSSearchQueryContext()
            context.fetchAttributes = ["title", "contentDescription"]
            let query = CSSearchQuery(queryString: "title == \"*\(text)*\"cdw", queryContext: context)
            var names: [String] = []
            for try await result in query.results { names.append(result.item.uniqueIdentifier) }
            return .result(value: names + (try await Self.collected(text)).compactMap(\.attributeSet.title))
        }

        private static func collected(_ text: String) async throws -> [CSSearchableItem] {
            try await withCheckedThrowingContinuation { continuation in
                var items: [CSSearchableItem] = []
                let query = CSSearchQuery(queryString: "** == \"\(text)*\"cd", attributes: ["title"])
                query.foundItemsHandler = { found in items.append(contentsOf: found) }
                query.completionHandler = { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: items) }
                }
                query.start()
            }
        }
    }

    // MARK: CoreLocation

    struct Stop: Sendable {
        let coordinate: CLLocationCoordinate2D
        var location: CLLocation { CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude) }
    }

    struct NearestStop: AppIntent {
        static let title: LocalizedStringResource = "Nearest stop"
        @Parameter(title: "Place") var place: CLPlacemark
        @Parameter(title: "Others") var others: [CLPlacemark]?
        @Parameter(title: "Home", requestValueDialog: "Where do you live?") var home: CLPlacemark?

        static var parameterSummary: some ParameterSummary { Summary("Find a stop near \(\.$place)") }

        func perform() async throws -> some IntentResult & ReturnsValue<CLPlacemark> & ProvidesDialog {
            guard let here = place.location else { throw $place.needsValueError("Where are you?") }
            let stops = [Stop(coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4))]
            let sorted = stops.sorted { $0.location.distance(from: here) < $1.location.distance(from: here) }
            let distance: CLLocationDistance = sorted[0].location.distance(from: here)
            guard CLLocationCoordinate2DIsValid(here.coordinate) else {
                return .result(value: place, dialog: "Nowhere")
            }
            let names = [place.name, place.locality, place.thoroughfare, place.isoCountryCode].compactMap { $0 }
            return .result(
                value: CLPlacemark(placemark: place),
                dialog: "\(names.joined(separator: ", ")): \(Int(distance)) m"
            )
        }
    }

    // MARK: CoreTransferable

    struct Note: AppEntity, Transferable, Codable {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Note"
        static let defaultQuery = NoteQuery()
        var id: String
        var text: String
        var displayRepresentation: DisplayRepresentation { "\(text)" }

        static var transferRepresentation: some TransferRepresentation {
            CodableRepresentation(contentType: .json)
            DataRepresentation(exportedContentType: .rtf) { note in Data(note.text.utf8) }
            ProxyRepresentation(exporting: \.text)
        }
    }

    struct NoteQuery: EntityQuery {
        func entities(for identifiers: [String]) async throws -> [Note] { identifiers.map { Note(id: $0, text: $0) } }
    }

    struct Picture: Transferable {
        var file: URL

        static var transferRepresentation: some TransferRepresentation {
            FileRepresentation(contentType: .png) { picture in
                SentTransferredFile(picture.file)
            } importing: { received in
                let copy = FileManager.default.temporaryDirectory.appending(path: received.file.lastPathComponent)
                try FileManager.default.copyItem(at: received.file, to: copy)
                return Self(file: copy)
            }
            .suggestedFileName("picture.png")
            DataRepresentation(importedContentType: .jpeg) { _ in Picture(file: URL(filePath: "/x")) }
        }
    }

    struct Card: Transferable {
        var name: String

        static var transferRepresentation: some TransferRepresentation {
            DataRepresentation(contentType: .vCard) { card in
                Data("BEGIN:VCARD\nFN:\(card.name)\nEND:VCARD".utf8)
            } importing: { data in
                Card(name: String(decoding: data, as: UTF8.self))
            }
            .visibility(.all)
            .suggestedFileName { $0.name + ".vcf" }
            .exportingCondition { !$0.name.isEmpty }
            FileRepresentation(exportedContentType: .pdf, shouldAllowToOpenInPlace: true) { card in
                SentTransferredFile(URL(filePath: "/tmp/\(card.name)"), allowAccessingOriginalFile: false)
            }
            ProxyRepresentation { card in
                card.name
            } importing: { name in
                Card(name: name)
            }
        }
    }

    struct Contact: AppEntity, Transferable {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Contact"
        static let defaultQuery = ContactQuery()
        let id: String
        var displayRepresentation: DisplayRepresentation { "\(id)" }

        static var transferRepresentation: some TransferRepresentation {
            ValueRepresentation(exporting: { contact in IntentCurrencyAmount(amount: 1, currencyCode: contact.id) })
        }
    }

    struct ContactQuery: EntityQuery {
        func entities(for identifiers: [String]) async throws -> [Contact] { [] }
    }

    struct ExportNote: AppIntent {
        static let title: LocalizedStringResource = "Export note"
        @Parameter(title: "Note") var note: Note

        func perform() async throws -> some ReturnsValue<IntentFile> {
            _ = try await note.exported(as: .json)
            return .result(value: try await note.intentFile(as: .rtf))
        }
    }
}
