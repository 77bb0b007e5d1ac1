import AppIntents
import Glibc

/// An error of the app, with a message for people.
enum ArchiveError: Error, CustomLocalizedStringResourceConvertible {
    case cannot(String, _ code: Int32)
    case corrupt(offset: Int64, reason: String)
    case outOfMemory
    case truncated(offset: Int64)

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .cannot(let what, let code): "cannot \(what): \(String(cString: strerror(code)))"
        case .corrupt(let offset, let reason): "not a valid gzip file: \(reason), at byte \(offset)"
        case .outOfMemory: "zlib is out of memory"
        case .truncated(let offset): "the file is truncated at byte \(offset)"
        }
    }
}

extension Int64 {
    /// The number of bytes as text, such as 12.3 MB.
    var asFileSize: String {
        let units = ["kB", "MB", "GB", "TB"]
        guard self >= 1000 else { return "\(self) B" }
        var value = Double(self) / 1000
        var unit = 0
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return String(format: "%.1f %@", value, units[unit])
    }
}
