import Foundation

/// What people read when an intent throws.
package enum ErrorMessage {
    package static let limit = 16 << 10

    /// The error's own words for people, or its type and description; never empty.
    package static func of(_ error: any Error) -> String {
        let own =
            (error as? any CustomAppIntentErrorConvertible)?.appIntentError.localizedStringResource.text
            ?? (error as? any CustomLocalizedStringResourceConvertible)?.localizedStringResource.text
        let message = [own, (error as? any LocalizedError)?.errorDescription]
            .compactMap { $0 }
            .first { !$0.isEmpty }
        return (message ?? plain(error)).bounded(to: limit)
    }

    private static func plain(_ error: any Error) -> String {
        let type = String(describing: type(of: error))
        let description = String(describing: error)
        return description.isEmpty || description == type ? type : "\(type): \(description)"
    }
}

extension String {
    /// The text, cut at the end of a character when it has more UTF-8 bytes than that.
    func bounded(to byteCount: Int) -> String {
        guard utf8.count > byteCount else { return self }
        var end = utf8.index(startIndex, offsetBy: byteCount - "…".utf8.count)
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
