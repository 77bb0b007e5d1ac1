/// The view of a result or of a question: a tree of text, pictures and controls, which the client renders.
///
/// The tree contains no code. A control names an intent in the same app and the values for its parameters.
public struct Snippet: Hashable, Sendable, Codable {
    /// The root of the tree.
    public var root: SnippetElement
    /// The intent that a client performs after the user has used a control, to refresh the snippet. Nil for a snippet
    /// that an intent returned as a view.
    public var source: IntentReference?

    /// Creates a snippet.
    public init(root: SnippetElement, source: IntentReference? = nil) {
        self.root = root
        self.source = source
    }
}

extension Snippet {
    /// The maximum number of elements.
    public static let elementLimit = 512
    /// The maximum depth: the number of elements from the root to a leaf, including both.
    public static let depthLimit = 24
    /// The maximum size of a snippet, in bytes of JSON.
    public static let byteLimit = 64 << 10

    /// The snippet's buttons and toggles in reading order. Clients number them from 1.
    public var controls: [SnippetControl] { root.controls }
    /// The files of the snippet's pictures in reading order, one for each picture. Their indices follow the indices of
    /// the files in the result's value.
    public var images: [FileReference] { root.images }
}

/// An element of a snippet, with its style and the elements that it contains.
public struct SnippetElement: Hashable, Sendable {
    /// The text, picture, control or arrangement that the element shows.
    public var content: SnippetContent
    /// The element's font, colours and layout; nil for the client's default style.
    public var style: SnippetStyle?
    /// The child elements in reading order: the elements of a stack, the rows of a grid, the cells of a row, or the
    /// label of a link, control or progress bar. Empty for leaves, such as text or a symbol.
    public var children: [SnippetElement]

    /// Creates an element.
    public init(_ content: SnippetContent, style: SnippetStyle? = nil, _ children: [SnippetElement] = []) {
        self.content = content
        self.style = style
        self.children = children
    }

    /// The buttons and toggles in this element and its descendants, in reading order.
    public var controls: [SnippetControl] {
        if case .control(let control) = content { [control] } else { children.flatMap(\.controls) }
    }

    /// The files of the pictures in this element and its descendants, in reading order.
    public var images: [FileReference] {
        if case .image(let file) = content { [file] } else { children.flatMap(\.images) }
    }
}

/// The content of a snippet's element.
public enum SnippetContent: Hashable, Sendable {
    /// Text with one or several lines.
    case text(String)
    /// A symbol by its name, such as `cart.fill`.
    case symbol(String)
    /// A picture from the files in the run's result.
    case image(FileReference)
    /// A vertical, horizontal or overlapping arrangement of elements.
    case stack(SnippetAxis)
    /// A grid with rows as its children.
    case grid
    /// A row of a grid with cells as its children.
    case row
    /// A group of elements with an optional header and footer.
    case section
    /// The header of a section.
    case header
    /// The footer of a section.
    case footer
    /// A line between elements.
    case divider
    /// Empty space between elements.
    case spacer
    /// A filled area without content. Its colour is the style's foreground.
    case shape(SnippetShape)
    /// A progress bar with the completed fraction, from 0 to 1; nil when the total is unknown.
    case progress(Double?)
    /// A link to a web page or to an address that an app opens.
    case link(String)
    /// A button or a toggle.
    case control(SnippetControl)
    /// An element that a later release added, by its name in messages. A client renders its children.
    case unknown(String)
}

extension SnippetContent: Codable {
    private enum CodingKeys: CaseName {
        case text, symbol, image, stack, grid, row, section, header, footer, divider, spacer, shape, progress, link,
            control,
            unknown

        static var member: String { "kind" }
        static var other: Self? { .unknown }
    }

    private enum TextCodingKeys: String, CodingKey { case _0 = "text" }
    private enum SymbolCodingKeys: String, CodingKey { case _0 = "name" }
    private enum ImageCodingKeys: String, CodingKey { case _0 = "file" }
    private enum StackCodingKeys: String, CodingKey { case _0 = "axis" }
    private enum ShapeCodingKeys: String, CodingKey { case _0 = "shape" }
    private enum ProgressCodingKeys: String, CodingKey { case _0 = "fraction" }
    private enum LinkCodingKeys: String, CodingKey { case _0 = "address" }
    private enum UnknownCodingKeys: String, CodingKey { case _0 = "kind" }
}

/// The direction in which a stack arranges its elements.
public enum SnippetAxis: String, Hashable, Sendable, Codable, CaseIterable {
    /// The elements are arranged from top to bottom.
    case vertical
    /// The elements are arranged side by side, in reading direction.
    case horizontal
    /// The elements overlap, and the last element is at the front.
    case depth
}

/// The outline of a filled area.
public enum SnippetShape: String, Hashable, Sendable, Codable, CaseIterable {
    /// A rectangle with sharp or round corners.
    case rectangle
    /// A circle, an ellipse or a capsule.
    case circle
}

/// A button or a toggle in a snippet. Using it performs an intent of the snippet's app as an ordinary run for the user.
public struct SnippetControl: Hashable, Sendable, Codable {
    /// The intent and its values.
    public var action: IntentReference
    /// The state of a toggle; nil for a button.
    public var isOn: Bool?
    /// True when the button's role is destructive.
    public var isDestructive: Bool?

    /// Creates a control.
    public init(action: IntentReference, isOn: Bool? = nil, isDestructive: Bool? = nil) {
        self.action = action
        self.isOn = isOn
        self.isDestructive = isDestructive
    }
}
