import IntentContentTypes
import IntentLinux

/// Converts the names of result files, which apps choose, to names that are safe in a folder.
package enum SafeFileName {
    /// Returns one path component of at most 200 bytes, without control characters and without a leading dot or hyphen.
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
            // A file name may have at most 255 bytes, and a suffix may follow.
            guard result.utf8.count + next.utf8.count <= 200 else { break }
            result += next
        }
        guard let first = result.first else { return "result" }
        // Replace a leading dot or hyphen. A name that consists of dots can refer to a folder, a leading dot hides the
        // file, and a leading hyphen makes the name an option.
        return first == "." || first == "-" ? "_" + result.dropFirst() : result
    }

    /// Returns the safe name. If the name has no extension, adds the usual extension of the content type.
    ///
    /// - Parameter contentType: A media type or uniform type identifier.
    package static func of(_ name: String, contentType: String?) -> String {
        let safe = of(name)
        guard let contentType, split(safe).suffix.isEmpty else { return safe }
        let type = contentType.contains("/") ? UTType(mimeType: contentType) : UTType(contentType)
        return type?.preferredFilenameExtension.map { "\(safe).\($0)" } ?? safe
    }

    /// Returns the name for an attempt, counted from 0: `a.txt`, `a-2.txt`, `a-3.txt`.
    package static func numbered(_ name: String, _ attempt: Int) -> String {
        guard attempt > 0 else { return name }
        let (stem, suffix) = split(name)
        return "\(stem)-\(attempt + 1)\(suffix)"
    }

    /// Splits a name into `a` and `.txt`. The suffix is empty if the name has no extension.
    private static func split(_ name: String) -> (stem: Substring, suffix: Substring) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name.index(after: dot) < name.endIndex else {
            return (name[...], "")
        }
        return (name[..<dot], name[dot...])
    }
}
