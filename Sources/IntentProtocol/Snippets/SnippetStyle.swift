/// How an element is shown. A client that cannot show a property ignores it. Omitted properties are nil.
public struct SnippetStyle: Hashable, Sendable, Codable {
    /// The role of a text.
    public var font: SnippetFont?
    /// True for a text in bold.
    public var isBold: Bool?
    /// True for a text in italics.
    public var isItalic: Bool?
    /// True for a text in a font with characters of the same width.
    public var isMonospaced: Bool?
    /// True for a text that is crossed out.
    public var isStruckThrough: Bool?
    /// The colour of texts, symbols and shapes.
    public var foreground: SnippetColor?
    /// The colour behind the element.
    public var background: SnippetColor?
    /// True for space around the element.
    public var isPadded: Bool?
    /// True for round corners.
    public var isRounded: Bool?
    /// The alignment of a stack's elements across its axis, and of the lines of a text.
    public var alignment: SnippetAlignment?
    /// The maximum number of lines of a text, at least 1.
    public var lineLimit: Int?
    /// The text that a screen reader speaks instead of the element.
    public var accessibilityLabel: String?

    /// Creates a style without properties.
    public init() {}
}

/// The role of a text, from which a client derives its size.
public enum SnippetFont: String, Hashable, Sendable, Codable, CaseIterable {
    /// The largest text.
    case title
    /// A text that introduces others.
    case headline
    /// Ordinary text.
    case body
    /// Small text that explains another.
    case caption
}

/// The alignment of elements.
public enum SnippetAlignment: String, Hashable, Sendable, Codable, CaseIterable {
    /// At the side where reading begins.
    case leading
    /// In the middle.
    case center
    /// At the side where reading ends.
    case trailing
}

/// A colour by its role or name. A client chooses the value so that texts stay legible on its background.
public enum SnippetColor: String, Hashable, Sendable, Codable, CaseIterable {
    /// The colours of ordinary text, of less important text, and of controls.
    case primary, secondary, accent
    /// Colours by name.
    case red, orange, yellow, green, blue, purple, pink, brown, gray, black, white
}
