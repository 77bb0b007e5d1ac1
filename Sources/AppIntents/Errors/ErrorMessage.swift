import Foundation

/// The text and the code of an error that an intent throws.
package enum ErrorMessage {
    /// The maximum size of a text in bytes.
    package static let limit = 16 << 10

    /// Returns the error's text for people, or else its type and description. The result is never empty.
    package static func of(_ error: any Error) -> String {
        let own =
            (error as? any CustomAppIntentErrorConvertible)?.appIntentError.localizedStringResource.text
            ?? (error as? any CustomLocalizedStringResourceConvertible)?.localizedStringResource.text
        let message = [own, (error as? any LocalizedError)?.errorDescription]
            .compactMap { $0 }
            .first { !$0.isEmpty }
        return (message ?? plain(error)).bounded(to: limit)
    }

    /// Returns the error's code for programs: a predefined code, or else the error's type and case. It is never empty.
    package static func code(of error: any Error) -> String {
        if let own = error as? RunError { return own.code }
        if error is DependencyError { return "missingDependency" }
        let known = (error as? any CustomAppIntentErrorConvertible)?.appIntentError ?? error as? AppIntentError
        return (known?.code?.text ?? typeAndCase(of: error)).bounded(to: 256)
    }

    /// Returns the error's type and case, such as `KitchenError.closed`, or the domain and code of an error of
    /// Foundation, such as `NSCocoaErrorDomain.260`.
    static func typeAndCase(of error: any Error) -> String {
        let type = String(describing: type(of: error))
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum {
            // The name of a case with a value is the child's label. The name of a case without a value is in its
            // description, which an app may override.
            return "\(type).\(mirror.children.first?.label ?? String(reflecting: error).caseName)"
        }
        guard mirror.displayStyle != .struct || error is CocoaError || error is POSIXError else { return type }
        let foundation = error as NSError
        return "\(foundation.domain).\(foundation.code)"
    }

    private static func plain(_ error: any Error) -> String {
        if let own = foundation(error) { return own }
        let type = String(describing: type(of: error))
        let description = String(describing: error)
        return description.isEmpty || description == type ? type : "\(type): \(description)"
    }

    /// Returns Foundation's text with the file's path; nil for other errors.
    private static func foundation(_ error: any Error) -> String? {
        guard error is CocoaError || error is POSIXError || error is URLError || type(of: error) == NSError.self else {
            return nil
        }
        let error = error as NSError
        let path = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        return path.map { "\(error.localizedDescription) ('\($0)')" } ?? error.localizedDescription
    }
}

extension String {
    /// The name after the last period.
    fileprivate var caseName: String {
        String(split(separator: ".").last ?? "").filter { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// The text, truncated at a character boundary to at most `byteCount` UTF-8 bytes.
    func bounded(to byteCount: Int) -> String {
        guard utf8.count > byteCount else { return self }
        var end = utf8.index(startIndex, offsetBy: byteCount - "…".utf8.count)
        while end.samePosition(in: self) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}
