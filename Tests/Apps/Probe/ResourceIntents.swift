import AppIntents
import Foundation

/// Looks a file up in the main bundle.
struct FindResource: AppIntent {
    static var title: LocalizedStringResource = "Find a resource"

    @Parameter(title: "Name") var name: String
    @Parameter(title: "Folder") var folder: String?

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        let url =
            folder.map { Bundle.main.url(forResource: name, withExtension: "txt", subdirectory: $0) }
            ?? Bundle.main.url(forResource: name, withExtension: "txt")
        let path = Bundle.main.path(forResource: name, ofType: "txt", inDirectory: folder)
        let contents = try url.map { try String(contentsOf: $0, encoding: .utf8) }
        return .result(value: [contents ?? "none", url?.path == path ? "same" : "\(url?.path ?? "-") \(path ?? "-")"])
    }
}
