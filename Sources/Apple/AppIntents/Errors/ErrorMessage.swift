import Foundation
import IntentSharedTypes

/// The message and the code of an error that an intent throws.
package enum ErrorMessage {
    /// The maximum size of a message, in bytes.
    package static let limit = 16 << 10

    /// Returns the error's message for people or, if it has none, its type and description. The result is never empty.
    package static func of(_ error: any Error) -> String {
        let own =
            (error as? any CustomAppIntentErrorConvertible)?.appIntentError.localizedStringResource.text
            ?? (error as? any CustomLocalizedStringResourceConvertible)?.localizedStringResource.text
        let message = [own, (error as? any LocalizedError)?.errorDescription]
            .compactMap { $0 }
            .first { !$0.isEmpty }
        return (message ?? plain(error)).bounded(to: limit)
    }

    /// Returns the error's code for programs: a predefined code or, if it has none, its type and case. Never empty.
    package static func code(of error: any Error) -> String {
        if let own = error as? RunError { return own.code }
        if error is DependencyError { return "missingDependency" }
        let known = (error as? any CustomAppIntentErrorConvertible)?.appIntentError ?? error as? AppIntentError
        return (known?.code?.text ?? typeAndCase(of: error)).bounded(to: 256)
    }

    /// Returns the type and case of an error, such as `KitchenError.closed`. For a Foundation error, returns the domain
    /// and code, such as `NSCocoaErrorDomain.260`.
    static func typeAndCase(of error: any Error) -> String {
        let type = String(describing: type(of: error))
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum {
            // For a case with an associated value, the case's name is the child's label. For any other case, the name
            // is part of the description, which an app may override.
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

    /// Returns the message of a Foundation error, with the path of the file; nil for any other error.
    private static func foundation(_ error: any Error) -> String? {
        guard let error = ErrorCause.foundationError(error) else { return nil }
        let path = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        return path.map { "\(error.localizedDescription) ('\($0)')" } ?? error.localizedDescription
    }
}

extension String {
    /// The letters, digits and underscores after the string's last period.
    fileprivate var caseName: String {
        String((split(scalar: ".").last ?? "").unicodeScalars.filter(\.properties.isXIDContinue))
    }

    /// Returns the string, truncated to at most `byteCount` bytes of UTF-8 without cutting a Unicode scalar.
    func bounded(to byteCount: Int) -> String {
        utf8.count > byteCount ? String(prefix(utf8: byteCount - "…".utf8.count)) + "…" : self
    }
}
