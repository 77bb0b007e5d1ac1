import IntentContentTypes
import IntentLinux

/// Converts the names of result files, which apps choose, to names that are safe in a folder.
package enum SafeFileName {
    /// The maximum size of a name in bytes. A file name may have at most 255 bytes, and a suffix may follow.
    private static let byteLimit = 200

    /// Returns one path component of at most 200 bytes, without control characters and without a leading dot or hyphen.
    package static func of(_ name: String) -> String {
        let component = name.split(scalar: "/").last ?? ""
        let safe = component.unicodeScalars.prefix(byteLimit).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .unassigned, .privateUse: "_"
            default: SafeText.isInvisible(scalar) ? "_" : scalar
            }
        }
        let result = String(String.UnicodeScalarView(safe)).prefix(utf8: byteLimit)
        // Replace a leading dot or hyphen. A name that consists of dots can refer to a folder, a leading dot hides the
        // file, and a leading hyphen makes the name an option.
        switch result.unicodeScalars.first {
        case nil: return "result"
        case ".", "-": return "_\(result.dropFirst(scalars: 1))"
        default: return String(result)
        }
    }

    /// Returns the safe name. If the name has no extension, adds the usual extension of the content type.
    ///
    /// - Parameter contentType: A media type or uniform type identifier.
    package static func of(_ name: String, contentType: String?) -> String {
        let safe = of(name)
        guard let contentType, split(safe).suffix.utf8.isEmpty else { return safe }
        let type = contentType.contains(utf8: "/") ? UTType(mimeType: contentType) : UTType(contentType)
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
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            !name.hasSuffix(utf8: ".")
        else { return (Substring(name), "") }
        return (Substring(name.utf8[..<dot]), Substring(name.utf8[dot...]))
    }
}
