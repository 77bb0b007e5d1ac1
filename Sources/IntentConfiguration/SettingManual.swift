import IntentWire

/// The keys of one section. The parser switches over the cases, so a key that the manual does not describe is not accepted.
protocol SettingKey: RawRepresentable<String>, CaseIterable where AllCases == [Self] {
    var manual: SettingManual { get }
}

/// The description of a key in intentd.conf(5) and intentd.app(5).
struct SettingManual {
    var form: SettingForm
    /// The default in the syntax of the files, or in words of mdoc(7).
    var standard: String
    /// A value.
    var example: String
    /// Lines of mdoc(7). Each sentence begins a line.
    var text: String
    /// What the key needs for the isolation grade `full`, and what it does at the lower grades; nil if neither applies.
    var isolation: String?

    init(_ form: SettingForm, standard: String, example: String, _ text: String, isolation: String? = nil) {
        self.form = form
        self.standard = standard
        self.example = example
        self.text = text
        self.isolation = isolation
    }
}

/// The values that a key takes.
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
    /// A list of words, to which each assignment adds. `name` is the placeholder for an element in the manual page.
    case list(name: String, of: String)
    /// A value with its own syntax.
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

    /// The permitted values in words.
    var words: String {
        switch self {
        case .flag: "a boolean"
        case .span: "a time span longer than 0"
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
    /// A size in the syntax of ``ByteSize``.
    static func size(_ byteCount: Int64?) -> String {
        guard let byteCount else { return "infinity" }
        let units: [(String, Int64)] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
        let unit = units.first { byteCount % $0.1 == 0 } ?? ("", 1)
        return "\(byteCount / unit.1)\(unit.0)"
    }

    static func span(_ span: Duration?) -> String { span.map(TimeSpan.format) ?? "infinity" }

    static func flag(_ flag: Bool) -> String { flag ? "yes" : "no" }
}
