public import Foundation
import IntentSharedTypes

/// A group of views without a layout of its own. Modifiers on the group apply to its views.
///
/// Source: Apple's Group page.
public struct Group<Content> {
    let content: Content
}

extension Group where Content: View {
    /// Creates a group.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension Group: View, _PrimitiveView where Content: View {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(content) }
}

/// A vertical stack of views.
///
/// Source: Apple's VStack page.
public struct VStack<Content: View> {
    private let alignment: HorizontalAlignment
    private let content: Content

    /// Creates a stack. The spacing is ignored on Linux.
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.content = content()
    }
}

extension VStack: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.drawStack(.vertical, alignment.snippetAlignment, content)
    }
}

/// A horizontal stack of views.
///
/// Source: Apple's HStack page.
public struct HStack<Content: View> {
    private let content: Content

    /// Creates a stack. The alignment and the spacing are ignored on Linux.
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension HStack: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.drawStack(.horizontal, nil, content) }
}

/// A stack that places its views on top of each other. The last view is at the front.
///
/// Source: Apple's ZStack page.
public struct ZStack<Content: View> {
    private let alignment: Alignment
    private let content: Content

    /// Creates a stack.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
}

extension ZStack: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.drawStack(.depth, alignment.horizontal.snippetAlignment, content)
    }
}

/// A vertical stack of views that are created on demand on Apple's platforms. Equivalent to ``VStack`` on Linux.
///
/// Source: Apple's LazyVStack page.
public struct LazyVStack<Content: View> {
    private let alignment: HorizontalAlignment
    private let content: Content

    /// Creates a stack. The spacing and the pinned views are ignored on Linux.
    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.content = content()
    }
}

extension LazyVStack: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.drawStack(.vertical, alignment.snippetAlignment, content)
    }
}

/// A horizontal stack of views that are created on demand on Apple's platforms. Equivalent to ``HStack`` on Linux.
///
/// Source: Apple's LazyHStack page.
public struct LazyHStack<Content: View> {
    private let content: Content

    /// Creates a stack. The alignment, the spacing and the pinned views are ignored on Linux.
    public init(
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension LazyHStack: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.drawStack(.horizontal, nil, content) }
}

/// A view with content that can be scrolled on Apple's platforms. A snippet shows the content as a stack.
///
/// Source: Apple's ScrollView page.
public struct ScrollView<Content: View> {
    private let axes: Axis.Set
    private let content: Content

    /// Creates a scroll view. On Linux, the axes only determine the axis of the stack.
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.content = content()
    }
}

extension ScrollView: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let elements = try canvas.elements(of: content, inside: 1)
        guard elements.count > 1 else { return canvas.add(elements) }
        try canvas.add(.stack(axes == .horizontal ? .horizontal : .vertical)) { canvas.add(elements) }
    }
}

/// A view that shows the first of several views. On Apple's platforms, it shows the first view that fits.
///
/// Source: Apple's ViewThatFits page.
public struct ViewThatFits<Content: View> {
    private let content: Content

    /// Creates a view from alternatives, starting with the preferred view.
    public init(in axes: Axis.Set = [.horizontal, .vertical], @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension ViewThatFits: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        canvas.add(Array(try canvas.elements(of: content).prefix(1)))
    }
}

/// A line between views.
///
/// Source: Apple's Divider page.
public struct Divider: Sendable {
    /// Creates a line.
    public init() {}
}

extension Divider: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.add(.divider) }
}

/// Empty space between views.
///
/// Source: Apple's Spacer page.
public struct Spacer: Sendable {
    /// Creates a spacer. The length is ignored on Linux.
    public init(minLength: CGFloat? = nil) {}
}

extension Spacer: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.add(.spacer) }
}

extension _SnippetCanvas {
    func drawStack(_ axis: SnippetAxis, _ alignment: SnippetAlignment?, _ content: some View) throws {
        var style = SnippetStyle()
        style.alignment = alignment == .center ? nil : alignment
        try add(.stack(axis), style: style) { try draw(content) }
    }
}

extension HorizontalAlignment {
    var snippetAlignment: SnippetAlignment {
        switch self {
        case .leading, .listRowSeparatorLeading: .leading
        case .center: .center
        case .trailing, .listRowSeparatorTrailing: .trailing
        }
    }
}
