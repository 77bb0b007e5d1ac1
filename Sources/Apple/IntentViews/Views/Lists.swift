import IntentSharedTypes

/// A group of related views, with an optional header and footer.
///
/// Source: Apple's Section page.
public struct Section<Parent, Content, Footer> {
    private let header: Parent
    private let content: Content
    private let footer: Footer
}

extension Section: View, _PrimitiveView where Parent: View, Content: View, Footer: View {
    /// Creates a section with a header and a footer.
    public init(
        @ViewBuilder content: () -> Content,
        @ViewBuilder header: () -> Parent,
        @ViewBuilder footer: () -> Footer
    ) {
        self.init(header: header(), content: content(), footer: footer())
    }

    /// Creates a section with a header and a footer.
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer)
    }

    public func _draw(on canvas: _SnippetCanvas) throws {
        let header = try canvas.elements(of: header, inside: 2)
        let footer = try canvas.elements(of: footer, inside: 2)
        try canvas.add(.section) {
            if !header.isEmpty { try canvas.add(.header) { canvas.add(header) } }
            try canvas.draw(content)
            if !footer.isEmpty { try canvas.add(.footer) { canvas.add(footer) } }
        }
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    /// Creates a section without a header or footer.
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    /// Creates a section with a footer.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }

    /// Creates a section with a footer.
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer)
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    /// Creates a section with a header.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }

    /// Creates a section with a header.
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    /// Creates a section with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }

    /// Creates a section with a title, which is not translated.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}

/// A box around related views, with an optional label. A snippet shows it as a section.
///
/// Source: Apple's GroupBox page.
public struct GroupBox<Label: View, Content: View> {
    private let section: Section<Label, Content, EmptyView>

    /// Creates a box with a label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        section = Section(content: content, header: label)
    }

    /// Creates a box with a label.
    public init(label: Label, @ViewBuilder content: () -> Content) {
        section = Section(header: label, content: content)
    }
}

extension GroupBox where Label == EmptyView {
    /// Creates a box without a label.
    public init(@ViewBuilder content: () -> Content) {
        section = Section(content: content)
    }
}

extension GroupBox where Label == Text {
    /// Creates a box with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        section = Section(titleKey, content: content)
    }

    /// Creates a box with a title, which is not translated.
    @_disfavoredOverload
    public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
        section = Section(title, content: content)
    }
}

extension GroupBox: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(section) }
}

/// A vertical list of rows.
///
/// Source: Apple's List page.
public struct List<SelectionValue: Hashable, Content: View> {
    private let content: Content
}

extension List where SelectionValue == Never {
    /// Creates a list of rows.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    /// Creates a list with a row for each element of a collection.
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Data.Element: Identifiable, Content == ForEach<Data, Data.Element.ID, RowContent> {
        content = ForEach(data, content: rowContent)
    }

    /// Creates a list with a row for each element of a collection.
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        content = ForEach(data, id: id, content: rowContent)
    }

    /// Creates a list with a row for each number in a range.
    public init<RowContent: View>(
        _ data: Range<Int>,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, RowContent> {
        content = ForEach(data, content: rowContent)
    }
}

extension List: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.drawStack(.vertical, .leading, content) }
}

/// A vertical list of controls, such as settings.
///
/// Source: Apple's Form page.
public struct Form<Content: View> {
    private let content: Content

    /// Creates a form.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension Form: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.drawStack(.vertical, .leading, content) }
}
