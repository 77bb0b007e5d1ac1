import CIntentPostgres
import IntentLinux

/// A libpq connection string.
package enum ConnectionString {
    /// Returns the value of a keyword; nil if the string does not contain it or is malformed.
    package static func value(of keyword: String, in text: String) -> String? {
        guard let options = PQconninfoParse(text, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var option = options
        while let name = option.pointee.keyword {
            if String(foreign: name) == keyword { return option.pointee.val.map { String(foreign: $0) } }
            option += 1
        }
        return nil
    }
}
