public import AppIntents
public import Foundation
import IntentSharedTypes

/// A view that shows a string. A snippet shows the string in one style.
///
/// Source: Apple's Text page.
public struct Text: Equatable, Sendable {
    /// A segment of a text view with one style.
    struct Run: Equatable, Sendable {
        var content: Content
        var style = SnippetStyle()
    }

    enum Content: Equatable, Sendable {
        case verbatim(String)
        case key(LocalizedStringKey, table: String?, bundle: URL?)
        case resource(LocalizedStringResource)
        case date(Date, DateStyle)
    }

    var runs: [Run]

    private init(_ content: Content) {
        runs = [Run(content: content)]
    }

    /// Creates a text view that is translated into the caller's language. The comment is ignored on Linux.
    public init(
        _ key: LocalizedStringKey,
        tableName: String? = nil,
        bundle: Bundle? = nil,
        comment: StaticString? = nil
    ) {
        self.init(.key(key, table: tableName, bundle: bundle?.bundleURL))
    }

    /// Creates a text view from a localized resource. The text is in the language of the resource's locale, by default
    /// the caller's.
    @_disfavoredOverload
    public init(_ resource: LocalizedStringResource) {
        self.init(.resource(resource))
    }

    /// Creates a text view from a string, which is not translated.
    @_disfavoredOverload
    public init<Content: StringProtocol>(_ content: Content) {
        self.init(.verbatim(String(content)))
    }

    /// Creates a text view from a string literal, which is not translated.
    public init(verbatim content: String) {
        self.init(.verbatim(content))
    }

    /// Creates a text view from an attributed string, without its attributes.
    // Disfavoured, because a string literal, which could also be an attributed string, must be a key.
    @_disfavoredOverload
    public init(_ attributedContent: AttributedString) {
        self.init(.verbatim(String(attributedContent.characters)))
    }

    /// Creates a text view from a value and its format.
    public init<Format: FormatStyle>(_ input: Format.FormatInput, format: Format)
    where Format.FormatInput: Equatable, Format.FormatOutput == String {
        self.init(.verbatim(format.format(input)))
    }

    /// Creates a text view from a value and its formatter.
    public init<Subject: ReferenceConvertible>(_ subject: Subject, formatter: Formatter) {
        self.init(.verbatim(formatter.string(for: subject) ?? ""))
    }

    /// Creates a text view from an object and its formatter.
    public init<Subject: NSObject>(_ subject: Subject, formatter: Formatter) {
        self.init(.verbatim(formatter.string(for: subject) ?? ""))
    }

    /// Creates a text view from a date. The text is computed once, when the snippet is created.
    public init(_ date: Date, style: DateStyle) {
        self.init(.date(date, style))
    }

    /// Creates a text view that shows the first and last date of a range.
    public init(_ dates: ClosedRange<Date>) {
        self.init(.date(dates.lowerBound, .date))
        runs += [Run(content: .verbatim(" – ")), Run(content: .date(dates.upperBound, .date))]
    }

    /// Creates a text view that shows the start and end dates of an interval.
    public init(_ interval: DateInterval) {
        self.init(interval.start...interval.end)
    }

    /// Creates a text view that shows the remaining or elapsed time of an interval when the snippet is created.
    public init(
        timerInterval: ClosedRange<Date>,
        pauseTime: Date? = nil,
        countsDown: Bool = true,
        showsHours: Bool = true
    ) {
        let now = min(max(pauseTime ?? Date(), timerInterval.lowerBound), timerInterval.upperBound)
        let seconds =
            countsDown
            ? timerInterval.upperBound.timeIntervalSince(now) : now.timeIntervalSince(timerInterval.lowerBound)
        self.init(.verbatim(DateStyle.clock(seconds)))
    }

    /// Concatenates two text views. A snippet keeps only the style properties that both have in common.
    public static func + (lhs: Text, rhs: Text) -> Text {
        var text = lhs
        text.runs += rhs.runs
        return text
    }

    /// Returns the string that the view shows in a locale, without its style.
    func plainText(in locale: Locale) -> String {
        runs.map { $0.content.text(in: locale) }.joined()
    }

    /// Returns this text, with a change applied to the style of each run.
    func styled(_ change: (inout SnippetStyle) -> Void) -> Text {
        var text = self
        for index in text.runs.indices {
            // A modifier that was applied earlier takes precedence.
            var outer = SnippetStyle()
            change(&outer)
            text.runs[index].style = outer.merging(text.runs[index].style)
        }
        return text
    }
}

extension Text.Content {
    func text(in locale: Locale) -> String {
        switch self {
        case .verbatim(let text): text
        case .key(let key, let table, let bundle): key.text(table: table, bundle: bundle, locale: locale.chosen)
        case .resource(let resource): String(localized: resource)
        case .date(let date, let style): style.text(of: date, in: locale)
        }
    }

    var images: [Image] {
        if case .key(let key, _, _) = self { key.images } else { [] }
    }
}

extension Locale {
    /// The locale; nil if it is the caller's. With nil, a string is translated only if the caller chose a locale.
    fileprivate var chosen: Locale? { self == .ofRun ? nil : self }
}

extension Text: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let text = plainText(in: canvas.environment.locale)
        let images = runs.flatMap(\.content.images)
        guard !images.isEmpty else { return try canvas.add(text: text, style: commonStyle) }
        try canvas.add(.stack(.horizontal)) {
            for image in images { try canvas.draw(image) }
            let words = text.unicodeScalars.drop { CharacterSet.whitespaces.contains($0) }
            let end = words.lastIndex { !CharacterSet.whitespaces.contains($0) }.map(words.index(after:))
            try canvas.add(text: String(words[..<(end ?? words.startIndex)]), style: commonStyle)
        }
    }

    /// The style properties that all runs share, because an element has only one style.
    private var commonStyle: SnippetStyle {
        let styles = runs.map(\.style)
        func common<Value: Equatable>(_ property: KeyPath<SnippetStyle, Value?>) -> Value? {
            guard let first = styles.first?[keyPath: property] else { return nil }
            return styles.allSatisfy { $0[keyPath: property] == first } ? first : nil
        }
        var style = SnippetStyle()
        style.font = common(\.font)
        style.isBold = common(\.isBold)
        style.isItalic = common(\.isItalic)
        style.isMonospaced = common(\.isMonospaced)
        style.isStruckThrough = common(\.isStruckThrough)
        style.foreground = common(\.foreground)
        return style
    }
}
