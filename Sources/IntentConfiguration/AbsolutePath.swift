import IntentWire

/// Paths that an operator names for a sandbox or a credential.
enum AbsolutePath {
    /// The path with single slashes between its components.
    ///
    /// Nil unless it starts at the root, names something below it, and has no `.`, `..` or control character, so that no other
    /// spelling of a path is accepted.
    static func parse(_ text: String) -> String? {
        guard text.hasPrefix("/") else { return nil }
        let components = text.split(separator: "/").map(String.init)
        guard !components.isEmpty, components.allSatisfy({ $0 != "." && FileName.isPlain($0) }) else { return nil }
        return "/" + components.joined(separator: "/")
    }
}
