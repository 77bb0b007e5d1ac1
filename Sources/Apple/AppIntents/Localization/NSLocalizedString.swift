public import Foundation

// Foundation's function looks a string up in the language of the process. The compiler prefers these functions in files
// that import AppIntents, because they have no default arguments.

/// Returns a string in the caller's language, from a table in the app's resources.
public func NSLocalizedString(_ key: String, comment: String) -> String {
    NSLocalizedString(key, bundle: .main, comment: comment)
}

/// Returns a string in the caller's language, from a table in the bundle.
public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
    let folder = bundle === Bundle.main ? nil : bundle.bundleURL
    return Localization.translation(of: key, nil, folder, into: RunLocale.chosen)
        ?? bundle.localizedString(forKey: key, value: nil, table: nil)
}
