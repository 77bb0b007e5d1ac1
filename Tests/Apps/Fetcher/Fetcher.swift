import AppIntents
import Foundation
import FoundationNetworking

/// An app that speaks HTTP over TLS, as many do.
@main struct Fetcher: AppIntentsExtension {}

struct Fetch: AppIntent {
    static let title: LocalizedStringResource = "Fetch a page"

    @Parameter(title: "URL") var url: URL

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let (data, _) = try await URLSession.shared.data(from: url)
        return .result(value: String(decoding: data, as: UTF8.self))
    }
}
