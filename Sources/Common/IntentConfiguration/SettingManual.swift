import IntentLauncherMessages

/// An enum of keys with their descriptions. The parser switches over the cases of the enum, so it accepts only keys
/// that have a description.
protocol SettingKey: RawRepresentable<String>, CaseIterable where AllCases == [Self] {
    var manual: SettingManual { get }
}

/// The description of a key for the manual pages.
struct SettingManual {
    var form: SettingForm
    /// The default value, or a description of the default in mdoc(7). `none` if the key has no default.
    var standard: String
    /// An example value.
    var example: String
    /// The description in mdoc(7). Each sentence starts on a new line.
    var text: String
    /// The effect of the key at isolation grades below `full`, and the kernel features that the key requires for the
    /// grade `full`; nil if the key does not depend on the grade.
    var isolation: String?

    init(_ form: SettingForm, standard: String = "none", example: String, _ text: String, isolation: String? = nil) {
        self.form = form
        self.standard = standard
        self.example = example
        self.text = text
        self.isolation = isolation
    }
}

/// The form of a key's value.
enum SettingForm {
    case flag
    case span
    case size
    /// A whole number.
    case count(ClosedRange<Int>)
    /// A whole number, or `infinity`.
    case limitedCount(ClosedRange<Int>)
    /// One of several words.
    case choice([String])
    /// A list to which each assignment adds words. `name` is the placeholder for a word in the manual page.
    case list(name: String, of: String)
    /// A value with a specific syntax. `name` is the placeholder for the value in the manual page.
    case value(name: String, of: String)

    /// The placeholder for the value in the manual page.
    var argument: String {
        switch self {
        case .flag: "yes | no"
        case .span: "span"
        case .size: "size"
        case .count, .limitedCount: "number"
        case .choice(let words): words.joined(separator: " | ")
        case .list(let name, _): "\(name) ..."
        case .value(let name, _): name
        }
    }

    /// A description of the valid values for the manual page, such as `a number from 1 to 64`.
    var words: String {
        switch self {
        case .flag: "a boolean"
        case .span: "a positive time span"
        case .size: "a size of at least 1 byte"
        case .count(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .limitedCount(let range): "a number from \(range.lowerBound) to \(range.upperBound), or infinity"
        case .choice(let words): words.joined(separator: ", ")
        case .list(_, let words): "a list of \(words)"
        case .value(_, let words): words
        }
    }
}

extension SettingManual {
    /// Formats a size in the syntax of ``ByteSize``.
    static func size(_ byteCount: Int64?) -> String {
        guard let byteCount else { return "infinity" }
        let units: [(String, Int64)] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
        let unit = units.first { byteCount % $0.1 == 0 } ?? ("", 1)
        return "\(byteCount / unit.1)\(unit.0)"
    }

    static func span(_ span: Duration?) -> String { span.map(TimeSpan.format) ?? "infinity" }

    /// Describes a boolean key. The example is the value that is not the default.
    static func flag(standard: Bool = false, _ text: String, isolation: String? = nil) -> SettingManual {
        let (standard, example) = standard ? ("yes", "no") : ("no", "yes")
        return SettingManual(.flag, standard: standard, example: example, text, isolation: isolation)
    }
}
