import IntentLauncherMessages

/// Parses the paths of grants and credentials.
package enum AbsolutePath {
    /// Returns the path with single slashes between its components, or nil if the path is invalid.
    ///
    /// The path must be absolute, must not be the root itself, and must not contain `.`, `..` or control characters, so
    /// that each path has only one valid spelling.
    package static func parse(_ text: String) -> String? {
        guard text.hasPrefix(utf8: "/") else { return nil }
        let components = text.split(scalar: "/").map { String($0) }
        guard !components.isEmpty, components.allSatisfy({ $0 != "." && FileName.isPlain($0) }) else { return nil }
        return "/" + components.joined(separator: "/")
    }
}
