/// In JSON, a snippet is a list of elements in reading order. An element with children contains their number, and
/// precedes them: `{"elements":[{"kind":"stack","axis":"vertical","children":2},{"kind":"text","text":"Soup"},…]}`. A
/// flat list stays within the nesting limit of messages (``PayloadShape``), and is decoded without recursion.
extension Snippet {
    private enum CodingKeys: String, CodingKey { case elements, source }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        source = try container.decodeIfPresent(IntentReference.self, forKey: .source)
        var list = try container.nestedUnkeyedContainer(forKey: .elements)
        var tree = SnippetBuilder()
        while !list.isAtEnd {
            let element = try list.decode(FlatElement.self)
            guard tree.append(element.element, children: element.children ?? 0) else {
                throw container.problem(.elements, "the elements do not form one tree within the limits of a snippet")
            }
        }
        guard let root = tree.root else {
            throw container.problem(.elements, "the elements do not form one tree within the limits of a snippet")
        }
        self.root = root
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var list = container.nestedUnkeyedContainer(forKey: .elements)
        try Self.encode(root, to: &list)
        try container.encodeIfPresent(source, forKey: .source)
    }

    private static func encode(_ element: SnippetElement, to list: inout any UnkeyedEncodingContainer) throws {
        let count = element.children.count
        try list.encode(FlatElement(element: element, children: count == 0 ? nil : count))
        for child in element.children { try encode(child, to: &list) }
    }
}

/// Builds the tree from the list of elements, and checks a snippet's limits.
private struct SnippetBuilder {
    /// The elements with missing children, from the root to the innermost, each with the number of missing children.
    private var open: [(element: SnippetElement, missing: Int)] = []
    private var count = 0
    private(set) var root: SnippetElement?

    /// Returns false if the element exceeds a limit, or follows a complete tree.
    mutating func append(_ element: SnippetElement, children: Int) -> Bool {
        count += 1
        guard root == nil, count <= Snippet.elementLimit, (0...Snippet.elementLimit).contains(children),
            open.count < Snippet.depthLimit
        else { return false }
        open.append((element, children))
        while let last = open.last, last.missing == 0 {
            open.removeLast()
            guard let parent = open.indices.last else {
                root = last.element
                return true
            }
            open[parent].element.children.append(last.element)
            open[parent].missing -= 1
        }
        return true
    }
}

/// An element in the JSON list, with the number of its children.
private struct FlatElement: Codable {
    var element: SnippetElement
    /// The number of children; nil for an element without children.
    var children: Int?

    private enum Key: CodingKey { case style, children }

    init(element: SnippetElement, children: Int?) {
        self.element = element
        self.children = children
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let style = try container.decodeIfPresent(SnippetStyle.self, forKey: .style)
        element = SnippetElement(try SnippetContent(from: decoder), style: style)
        children = try container.decodeIfPresent(Int.self, forKey: .children)
    }

    func encode(to encoder: any Encoder) throws {
        try element.content.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(element.style, forKey: .style)
        try container.encodeIfPresent(children, forKey: .children)
    }
}

extension SnippetContent {
    /// The `kind` of the element in messages.
    public var kind: String {
        switch self {
        case .text: "text"
        case .symbol: "symbol"
        case .image: "image"
        case .stack: "stack"
        case .grid: "grid"
        case .row: "row"
        case .section: "section"
        case .header: "header"
        case .footer: "footer"
        case .divider: "divider"
        case .spacer: "spacer"
        case .shape: "shape"
        case .progress: "progress"
        case .link: "link"
        case .control: "control"
        case .unknown(let kind): kind
        }
    }
}
