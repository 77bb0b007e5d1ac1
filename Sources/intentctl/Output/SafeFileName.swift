import IntentClient
import IntentLinux

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

    /// The name for each attempt: `a.txt`, `a.txt.1`, `a.txt.2`.
    package static func numbered(_ name: String, _ attempt: Int) -> String {
        attempt == 0 ? name : "\(name).\(attempt)"
    }
}
