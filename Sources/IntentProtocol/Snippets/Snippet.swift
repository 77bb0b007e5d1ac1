/// What an intent shows with its result or with a question: a tree of texts, pictures and controls.
///
/// A client renders the tree. The tree contains no code; a control names an intent of the same app and the values for it.
public struct Snippet: Hashable, Sendable, Codable {
    /// The root of the tree.
    public var root: SnippetElement
    /// The intent that renews the snippet: a client performs it after a control was used. Nil for the snippet of a view,
    /// which no intent can renew.
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
    /// The maximum number of elements between the root and a leaf, both included.
    public static let depthLimit = 24
    /// The maximum size, in bytes of JSON.
    public static let byteLimit = 64 << 10

    /// The snippet's buttons and toggles in reading order. Users refer to the first control as 1.
    public var controls: [SnippetControl] { root.controls }
    /// The files of the snippet's pictures in reading order. Each picture has a file of its own, after the files of the
    /// result's value.
    public var images: [FileReference] { root.images }
}

/// An element of a snippet, with its style and the elements that it contains.
public struct SnippetElement: Hashable, Sendable {
    /// What the element shows.
    public var content: SnippetContent
    /// How the element is shown; nil for the client's default style.
    public var style: SnippetStyle?
    /// The elements inside this one, in reading order: the elements of a stack, the rows of a grid, the cells of a row,
    /// or what a link, a control or a progress bar has as its label. Empty for a text, a symbol and other leaves.
    public var children: [SnippetElement]

    /// Creates an element.
    public init(_ content: SnippetContent, style: SnippetStyle? = nil, _ children: [SnippetElement] = []) {
        self.content = content
        self.style = style
        self.children = children
    }

    /// The buttons and toggles of this element and of the elements inside it, in reading order.
    public var controls: [SnippetControl] {
        if case .control(let control) = content { [control] } else { children.flatMap(\.controls) }
    }

    /// The files of the pictures of this element and of the elements inside it, in reading order.
    public var images: [FileReference] {
        if case .image(let file) = content { [file] } else { children.flatMap(\.images) }
    }
}

/// What an element of a snippet shows.
public enum SnippetContent: Hashable, Sendable {
    /// A text, which may have several lines.
    case text(String)
    /// A symbol by its name, such as `cart.fill`.
    case symbol(String)
    /// A picture, which is one of the files of the run's result.
    case image(FileReference)
    /// Elements below, beside or on top of each other.
    case stack(SnippetAxis)
    /// Rows of cells.
    case grid
    /// The cells of a grid.
    case row
    /// Elements that belong together, with an optional header and footer among them.
    case section
    /// The header of a section.
    case header
    /// The footer of a section.
    case footer
    /// A line between elements.
    case divider
    /// Empty space.
    case spacer
    /// A filled area without content. Its colour is the style's foreground.
    case shape(SnippetShape)
    /// A fraction from 0 to 1; nil for progress of unknown length.
    case progress(Double?)
    /// A link to a web page or to an address that an app opens.
    case link(String)
    /// A button or a toggle.
    case control(SnippetControl)
    /// An element that a later release added, by its name in messages. A client renders its children.
    case unknown(String)
}

/// The direction in which a stack arranges its elements.
public enum SnippetAxis: String, Hashable, Sendable, Codable, CaseIterable {
    /// From top to bottom.
    case vertical
    /// In reading direction.
    case horizontal
    /// On top of each other, the last at the front.
    case depth
}

/// The outline of a filled area.
public enum SnippetShape: String, Hashable, Sendable, Codable, CaseIterable {
    /// A rectangle with sharp or round corners.
    case rectangle
    /// A circle, an ellipse or a capsule.
    case circle
}

/// A button or a toggle of a snippet. Using it performs an intent of the snippet's app as an ordinary run of the user.
public struct SnippetControl: Hashable, Sendable {
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
