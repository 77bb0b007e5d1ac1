public import Foundation
import IntentSharedTypes

/// A grid of rows, each of which contains cells.
///
/// Source: Apple's Grid page.
public struct Grid<Content: View> {
    private let content: Content

    /// Creates a grid. The alignment and the spacing are ignored on Linux.
    public init(
        alignment: Alignment = .center,
        horizontalSpacing: CGFloat? = nil,
        verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
}

extension Grid: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let rows = try canvas.elements(of: GridContent(content: content), inside: 2)
        try canvas.add(.grid) {
            for row in rows {
                // A view that is not a GridRow is a row with one cell.
                if row.content == .row { canvas.add([row]) } else { try canvas.add(.row) { canvas.add([row]) } }
            }
        }
    }
}

/// The content of a grid, in which ``GridRow`` creates rows.
private struct GridContent<Content: View>: _PrimitiveView {
    let content: Content

    func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(content) { $0.isInGrid = true } }
}

/// A row of a ``Grid``. Each view in the row is a cell.
///
/// Source: Apple's GridRow page.
public struct GridRow<Content: View> {
    private let content: Content

    /// Creates a row. The alignment is ignored on Linux.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }
}

extension GridRow: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let kind: SnippetContent = canvas.environment.isInGrid ? .row : .stack(.horizontal)
        try canvas.add(kind) { try canvas.draw(content) { $0.isInGrid = false } }
    }
}

/// A column or row of a lazy grid. Linux uses only the number of columns or rows.
///
/// Source: Apple's GridItem page.
public struct GridItem: Sendable {
    /// The size of a column or row.
    public enum Size: Sendable {
        /// A fixed size, in points.
        case fixed(CGFloat)
        /// A size between a minimum and a maximum, in points.
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        /// As many columns or rows of this size as fit into the space. On Linux, the number is always 3.
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    /// The size of the column or row. Ignored on Linux, except for the case `adaptive`.
    public var size: Size
    /// The distance to the next column or row. Ignored on Linux.
    public var spacing: CGFloat?
    /// The alignment of the views in the column or row. Ignored on Linux.
    public var alignment: Alignment?

    /// Creates a column or a row.
    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) {
        self.size = size
        self.spacing = spacing
        self.alignment = alignment
    }

    fileprivate static func count(of items: [GridItem]) -> Int {
        max(1, items.reduce(0) { count, item in if case .adaptive = item.size { count + 3 } else { count + 1 } })
    }
}

/// A grid with a fixed number of columns, which is filled row by row.
///
/// Source: Apple's LazyVGrid page.
public struct LazyVGrid<Content: View> {
    private let columns: [GridItem]
    private let content: Content

    /// Creates a grid. Linux ignores all arguments except the number of columns and the content.
    public init(
        columns: [GridItem],
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        self.columns = columns
        self.content = content()
    }
}

extension LazyVGrid: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let cells = try canvas.elements(of: content, inside: 2)
        let count = GridItem.count(of: columns)
        try canvas.add(.grid) {
            for start in stride(from: 0, to: cells.count, by: count) {
                try canvas.add(.row) { canvas.add(Array(cells[start..<min(start + count, cells.count)])) }
            }
        }
    }
}

/// A grid with a fixed number of rows, which is filled column by column.
///
/// Source: Apple's LazyHGrid page.
public struct LazyHGrid<Content: View> {
    private let rows: [GridItem]
    private let content: Content

    /// Creates a grid. Linux ignores all arguments except the number of rows and the content.
    public init(
        rows: [GridItem],
        alignment: VerticalAlignment = .center,
        spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = [],
        @ViewBuilder content: () -> Content
    ) {
        self.rows = rows
        self.content = content()
    }
}

extension LazyHGrid: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let cells = try canvas.elements(of: content, inside: 2)
        let count = GridItem.count(of: rows)
        try canvas.add(.grid) {
            for row in 0..<min(count, cells.count) {
                try canvas.add(.row) {
                    canvas.add(stride(from: row, to: cells.count, by: count).map { cells[$0] })
                }
            }
        }
    }
}
