/// The form of a string that a number needs in a language: `one` for 1 photo, `other` for 2 photos.
///
/// Source: the cardinal rules for whole numbers of the Unicode CLDR (Unicode Technical Standard #35, part 3).
enum PluralCategory: String {
    case zero, one, two, few, many, other

    /// Creates the category of a whole number. A language without a rule here has the rule of English.
    init(of number: Int64, in language: String) {
        let count = number.magnitude
        let (ones, tens) = (count % 10, count % 100)
        let code = String(Substring(language.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }))
        self =
            switch code {
            case "ja", "zh", "ko", "vi", "th", "id", "ms", "lo", "my", "km": .other
            case "fr", "pt", "hi", "bn", "fa", "gu", "kn", "mr", "zu", "am", "hy": count <= 1 ? .one : .other
            case "ru", "uk", "be": Self.slavic(count, ones, tens) ?? .many
            case "sr", "hr", "bs": Self.slavic(count, ones, tens) ?? .other
            case "pl": count == 1 ? .one : (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .many
            case "cs", "sk": count == 1 ? .one : (2...4).contains(count) ? .few : .other
            case "sl": tens == 1 ? .one : tens == 2 ? .two : tens == 3 || tens == 4 ? .few : .other
            case "lt": (11...19).contains(tens) ? .other : ones == 1 ? .one : ones >= 2 ? .few : .other
            case "lv": ones == 0 || (11...19).contains(tens) ? .zero : ones == 1 ? .one : .other
            case "ro", "mo": count == 1 ? .one : count == 0 || (1...19).contains(tens) ? .few : .other
            case "iw", "he": count == 1 ? .one : count == 2 ? .two : .other
            case "ar":
                switch count {
                case 0: .zero
                case 1: .one
                case 2: .two
                default: (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
                }
            default: count == 1 ? .one : .other
            }
    }

    private static func slavic(_ count: UInt64, _ ones: UInt64, _ tens: UInt64) -> PluralCategory? {
        if ones == 1, tens != 11 { return .one }
        return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : nil
    }
}
