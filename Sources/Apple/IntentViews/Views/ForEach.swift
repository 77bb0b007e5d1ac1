/// A view for each element of a collection.
///
/// Source: Apple's ForEach page.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The collection of elements.
    public var data: Data
    /// The closure that creates the view of an element.
    public var content: (Data.Element) -> Content
}

extension ForEach where Content: View {
    /// Creates a view for each element of a collection.
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.content = content
    }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    /// Creates a view for each element of a collection.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.content = content
    }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
    /// Creates a view for each number in a range.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.data = data
        self.content = content
    }
}

extension ForEach: View, _PrimitiveView where Content: View {
    public func _draw(on canvas: _SnippetCanvas) throws {
        for element in data {
            // Stop when the snippet is full: the collection may contain many more elements.
            guard !canvas.isFull else { return }
            try canvas.draw(content(element))
        }
    }
}
