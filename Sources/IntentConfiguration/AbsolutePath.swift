import IntentWire

/// Parses paths that an operator writes for a sandbox or a credential.
package enum AbsolutePath {
    /// The path with single slashes between its components.
    ///
    /// Nil unless the path is absolute, is not the root itself, and has no `.`, `..` or control character, so that each
    /// path has only one valid spelling.
    package static func parse(_ text: String) -> String? {
        guard text.hasPrefix("/") else { return nil }
        let components = text.split(separator: "/").map(String.init)
        guard !components.isEmpty, components.allSatisfy({ $0 != "." && FileName.isPlain($0) }) else { return nil }
        return "/" + components.joined(separator: "/")
    }
}
