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
