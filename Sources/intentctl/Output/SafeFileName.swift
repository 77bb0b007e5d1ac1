import IntentClient
import IntentLinux
import UniformTypeIdentifiers

/// Makes the names of result files, which apps choose, safe as names in a folder.
package enum SafeFileName {
    /// One component without control characters, not hidden, not an option, of at most 200 bytes.
    package static func of(_ name: String) -> String {
        let component = name.split(separator: "/").last.map(String.init) ?? ""
        var result = ""
        for character in component {
            let isSafe = character.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .unassigned, .privateUse: false
                default: !SafeText.isInvisible(scalar)
                }
            }
            let next = isSafe ? String(character) : "_"
            // A name has at most 255 bytes, and a suffix may follow.
            guard result.utf8.count + next.utf8.count <= 200 else { break }
            result += next
        }
        guard let first = result.first else { return "result" }
        // Dots alone can name a folder; a leading dot hides the file, and a leading hyphen makes it an option.
        return first == "." || first == "-" ? "_" + result.dropFirst() : result
    }

    /// The safe name, with the usual extension of the content type if the name has no extension.
    ///
    /// - Parameter contentType: A media type or uniform type identifier.
    package static func of(_ name: String, contentType: String?) -> String {
        let safe = of(name)
        guard let contentType, split(safe).suffix.isEmpty else { return safe }
        let type = contentType.contains("/") ? UTType(mimeType: contentType) : UTType(contentType)
        return type?.preferredFilenameExtension.map { "\(safe).\($0)" } ?? safe
    }

    /// The name for each attempt: `a.txt`, `a-2.txt`, `a-3.txt`.
    package static func numbered(_ name: String, _ attempt: Int) -> String {
        guard attempt > 0 else { return name }
        let (stem, suffix) = split(name)
        return "\(stem)-\(attempt + 1)\(suffix)"
    }

    /// `a` and `.txt`; the suffix is empty when the name has no extension.
    private static func split(_ name: String) -> (stem: Substring, suffix: Substring) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
            return (name[...], "")
        }
        return (name[..<dot], name[dot...])
    }
}
