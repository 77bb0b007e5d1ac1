/// The font, colours and layout of an element. A client ignores the properties that it cannot show.
public struct SnippetStyle: Hashable, Sendable, Codable {
    /// The role of the element's text.
    public var font: SnippetFont?
    /// True for bold text.
    public var isBold: Bool?
    /// True for italic text.
    public var isItalic: Bool?
    /// True for text in a monospaced font.
    public var isMonospaced: Bool?
    /// True for text with a line through it.
    public var isStruckThrough: Bool?
    /// The colour of text, symbols and shapes.
    public var foreground: SnippetColor?
    /// The colour behind the element.
    public var background: SnippetColor?
    /// True for an element with space around it.
    public var isPadded: Bool?
    /// True for an element with round corners.
    public var isRounded: Bool?
    /// The alignment of a stack's elements across its axis, or of the lines of a multi-line text.
    public var alignment: SnippetAlignment?
    /// The maximum number of lines of text, at least 1.
    public var lineLimit: Int?
    /// The text that a screen reader speaks instead of the element.
    public var accessibilityLabel: String?

    /// Creates a style in which no property is set.
    public init() {}
}

/// The role of text, from which a client derives its size.
public enum SnippetFont: String, Hashable, Sendable, Codable, CaseIterable {
    /// The largest text.
    case title
    /// A heading.
    case headline
    /// Ordinary text.
    case body
    /// Small text, such as an explanation below a picture.
    case caption
}

/// The alignment of elements.
public enum SnippetAlignment: String, Hashable, Sendable, Codable, CaseIterable {
    /// At the side where lines of text begin.
    case leading
    /// Centred.
    case center
    /// At the side where lines of text end.
    case trailing
}

/// A colour by its role or name. A client chooses the value so that text stays legible on its background.
public enum SnippetColor: String, Hashable, Sendable, Codable, CaseIterable {
    /// The colours of ordinary text, of less important text, and of controls.
    case primary, secondary, accent
    /// Colours that the app selects by name.
    case red, orange, yellow, green, blue, purple, pink, brown, gray, black, white
}
