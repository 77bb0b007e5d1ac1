import AppIntents
import CoreLocation
import CoreSpotlight
import CoreTransferable
import Foundation

private struct Note: Transferable, Codable {
    var text: String
    var latitude: Double?

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: .json)
        ProxyRepresentation(exporting: { note in note.text }, importing: { text in Note(text: text) })
    }
}

/// Adds a note about a place to the app's search index, and returns the note as a file.
struct KeepNote: AppIntent {
    static let title: LocalizedStringResource = "Keep a note"

    @Parameter(title: "Text") var text: String
    @Parameter(title: "Place") var place: CLPlacemark

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> & ProvidesDialog {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = text
        attributes.textContent = place.name
        let index = CSSearchableIndex.default()
        let item = CSSearchableItem(uniqueIdentifier: text, domainIdentifier: nil, attributeSet: attributes)
        try await index.indexSearchableItems([item])
        let found = try await index.identifiers(matching: place.name ?? "")
        let note = Note(text: text, latitude: place.location?.coordinate.latitude)
        return .result(
            value: try await note.intentFile(as: .json),
            dialog: "Notes about this place: \(found.sorted().joined(separator: ", "))"
        )
    }
}

/// A note that the app's search index contains.
struct IndexedNote: AppEntity, Transferable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Note"
    static let defaultQuery = IndexedNoteQuery()

    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .rtf) { _ in throw POSIXError(.EIO) }
            .exportingCondition { $0.id == "broken" }
        ProxyRepresentation(exporting: \.id).exportingCondition { $0.id != "hidden" }
    }
}

struct IndexedNoteQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [IndexedNote] { identifiers.map { IndexedNote(id: $0) } }
}

/// Returns a note, which the caller also receives as a file.
struct ReturnNote: AppIntent {
    static let title: LocalizedStringResource = "Return a note"

    @Parameter(title: "Note") var note: IndexedNote

    func perform() async throws -> some IntentResult & ReturnsValue<IndexedNote> { .result(value: note) }
}
