import IntentLinux
package import IntentSharedTypes

/// Renders a snippet as lines of text, for a terminal and for agents.
///
/// The lines contain no control characters except the sequences for colours, and none of the app's text looks like a
/// control's number. Every element is rendered only once, even if it is nested deeply.
package enum SnippetText {
    /// Whether the lines contain escape sequences for colours.
    package enum Colors: Sendable {
        case none
        case ansi
    }

    /// The maximum number of lines for a snippet, not counting a last line that tells how many lines were omitted.
    package static let lineLimit = 200
    /// The maximum number of columns. Longer lines are hard to read.
    package static let columnLimit = 80

    /// - Parameters:
    ///   - columns: The terminal's width in columns.
    ///   - colors: Whether to use colours.
    package static func lines(_ snippet: Snippet, columns: Int, _ colors: Colors) -> [String] {
        let context = Context(columns: max(1, min(columns, columnLimit)), firstControl: 1, style: TextStyle())
        let rendered = render(snippet.root, context).trimmed
        let shown = rendered.lines.prefix(lineLimit).map { $0.text(colors) }
        let rest = rendered.lines.count - shown.count
        return rest > 0 ? shown + ["… (\(rest) more lines)"] : shown
    }

    // MARK: Layout

    /// The space, the control numbers and the style with which an element is rendered.
    struct Context {
        /// The number of columns that the element may occupy.
        var columns: Int
        /// The number of the first control in the element; nil in a control's label.
        var firstControl: Int?
        /// The style of the enclosing element.
        var style: TextStyle
    }

    /// The lines of a rendered element. A divider has no lines, because the enclosing stack draws it to fit the stack's
    /// size.
    struct Block {
        var lines: [SnippetLine] = []
        var isDivider = false

        var width: Int { lines.reduce(0) { max($0, $1.width) } }

        /// The block without leading and trailing empty lines, and with at most one empty line in a row.
        var trimmed: Block {
            var kept: [SnippetLine] = []
            for line in lines where line.width > 0 || (kept.last?.width ?? 0) > 0 { kept.append(line) }
            if kept.last?.width == 0 { kept.removeLast() }
            return Block(lines: kept)
        }
    }

    private static func render(_ element: SnippetElement, _ context: Context) -> Block {
        var context = context
        context.style = context.style.merged(with: element.style)
        switch element.content {
        case .text(let text): return self.text(text, element.style, context)
        case .symbol(let name): return Block(lines: [SnippetLine(symbol(name, element.style), context.style)])
        case .image(let file): return text(imageName(file, element.style), element.style, context)
        case .stack(.horizontal), .row: return horizontal(element, context)
        case .stack(.vertical), .unknown: return vertical(element, context)
        case .stack(.depth): return vertical(element, context, omitsShapes: true)
        case .grid: return grid(element, context)
        case .section: return section(element, context)
        case .header:
            context.style.isBold = true
            return vertical(element, context)
        case .footer:
            context.style.isDim = true
            return vertical(element, context)
        case .divider: return Block(isDivider: true)
        case .spacer: return Block(lines: [SnippetLine()])
        case .shape(let shape):
            return Block(lines: [SnippetLine(shape == .circle ? "●" : "■", context.style)])
        case .progress(let fraction): return progress(fraction, element, context)
        case .link(let address): return link(address, element, context)
        case .control(let control): return self.control(control, element, context)
        }
    }

    /// Renders the children of an element. Passes each child the number of its first control.
    ///
    /// - Parameter columns: Returns the number of columns for the child at an index.
    static func renderChildren(
        of element: SnippetElement,
        _ context: Context,
        columns: (Int) -> Int
    ) -> [Block] {
        var next = context.firstControl
        return element.children.enumerated().map { index, child in
            var inner = context
            inner.columns = max(1, columns(index))
            inner.firstControl = next
            next = next.map { $0 + child.controls.count }
            return render(child, inner)
        }
    }

    static func vertical(_ element: SnippetElement, _ context: Context, omitsShapes: Bool = false) -> Block {
        let hasOthers = element.children.contains { !$0.isShape }
        var blocks = renderChildren(of: element, context) { _ in context.columns }
        if omitsShapes, hasOthers {
            // Omit a shape with siblings, because it is their background.
            blocks = zip(element.children, blocks).map { $0.isShape ? Block() : $1 }
        }
        return stacked(blocks, element.style?.alignment, context)
    }

    private static func stacked(_ blocks: [Block], _ alignment: SnippetAlignment?, _ context: Context) -> Block {
        let width = blocks.reduce(0) { max($0, $1.width) }
        let rule = SnippetLine(String(repeating: "─", count: width == 0 ? min(context.columns, 20) : width))
        var result = Block()
        for block in blocks {
            if block.isDivider { result.lines.append(rule) }
            let space = block.width
            for line in block.lines {
                guard line.width > 0 else {
                    result.lines.append(line)
                    continue
                }
                // Align the block as a whole, to keep the alignment of its lines.
                let before =
                    SnippetLine(String(repeating: "x", count: space)).aligned(alignment, in: width).width - space
                var moved = SnippetLine(String(repeating: " ", count: before))
                moved.append(line)
                result.lines.append(moved)
            }
        }
        return result
    }

    private static func horizontal(_ element: SnippetElement, _ context: Context) -> Block {
        let isLabel = context.firstControl == nil
        let widths = element.children.map { naturalWidth($0, isInLabel: isLabel) }
        let gaps = max(0, element.children.count - 1)
        let total = widths.reduce(gaps, +)
        // Wrap the last of the widest elements. If it would have fewer than 12 columns, stack all elements instead.
        let wrapped = widths.lastIndex { $0 == widths.max() }
        let room = wrapped.map { context.columns - (total - widths[$0]) } ?? 0
        guard total <= context.columns || room >= 12 else {
            return stacked(
                renderChildren(of: element, context) { _ in context.columns },
                element.style?.alignment,
                context
            )
        }
        let blocks = renderChildren(of: element, context) { index in
            total > context.columns && index == wrapped ? room : max(1, widths[index])
        }
        let height = blocks.reduce(1) { max($0, $1.lines.count) }
        let spacers = element.children.filter { $0.content == .spacer }.count
        let used = blocks.reduce(gaps) { $0 + ($1.isDivider ? 1 : $1.width) }
        var extra = spacers > 0 ? max(0, context.columns - used) : 0
        var result = Block(lines: Array(repeating: SnippetLine(), count: height))
        var start = 0
        var remaining = spacers
        for (index, block) in blocks.enumerated() {
            if index > 0 { start += 1 }
            if element.children[index].content == .spacer {
                let share = extra / remaining
                extra -= share
                remaining -= 1
                start += share
                continue
            }
            let lines = block.isDivider ? Array(repeating: SnippetLine("│"), count: height) : block.lines
            for (row, line) in lines.enumerated() {
                result.lines[row].pad(to: start)
                result.lines[row].append(line)
            }
            start += block.isDivider ? 1 : block.width
        }
        return result
    }

    private static func grid(_ element: SnippetElement, _ context: Context) -> Block {
        let isLabel = context.firstControl == nil
        var widths: [Int] = []
        for row in element.children where row.content == .row {
            for (column, cell) in row.children.enumerated() {
                let width = naturalWidth(cell, isInLabel: isLabel)
                if column < widths.count { widths[column] = max(widths[column], width) } else { widths.append(width) }
            }
        }
        let total = widths.reduce(2 * max(0, widths.count - 1), +)
        guard total <= context.columns else { return vertical(element, context) }
        var next = context.firstControl
        let blocks = element.children.map { row in
            var inner = context
            inner.firstControl = next
            next = next.map { $0 + row.controls.count }
            guard row.content == .row else { return render(row, inner) }
            inner.style = inner.style.merged(with: row.style)
            let cells = renderChildren(of: row, inner) { widths[$0] }
            var block = Block(
                lines: Array(repeating: SnippetLine(), count: cells.reduce(1) { max($0, $1.lines.count) })
            )
            var start = 0
            for (column, cell) in cells.enumerated() {
                for (index, line) in cell.lines.enumerated() {
                    block.lines[index].pad(to: start)
                    block.lines[index].append(line.aligned(row.children[column].style?.alignment, in: widths[column]))
                }
                start += widths[column] + 2
            }
            return block
        }
        return stacked(blocks, nil, context)
    }

    /// Renders a section in a box. The first header is its title.
    private static func section(_ element: SnippetElement, _ context: Context) -> Block {
        let hasBox = context.columns >= 16
        let blocks = renderChildren(of: element, context) { _ in context.columns - (hasBox ? 4 : 0) }
        let header = element.children.firstIndex { $0.content == .header }
        let body = blocks.enumerated().filter { $0.offset != header }.map(\.element)
        let content = stacked(body, element.style?.alignment, context).trimmed
        let title = header.map { blocks[$0].lines } ?? []
        guard hasBox else { return Block(lines: title + content.lines) }
        let width = max(content.width, min(title.first.map { $0.width + 1 } ?? 0, context.columns - 4))
        var lines: [SnippetLine] = []
        var top = SnippetLine("┌─")
        var inside = title[...]
        if let first = title.first, first.width < width {
            top.append(" ")
            top.append(first)
            top.append(" ")
            inside = inside.dropFirst()
        }
        top.append(String(repeating: "─", count: max(0, width + 3 - top.width)) + "┐")
        lines.append(top)
        for line in inside + content.lines {
            var row = SnippetLine("│ ")
            row.append(line)
            row.pad(to: width + 2)
            row.append(" │")
            lines.append(row)
        }
        lines.append(SnippetLine("└" + String(repeating: "─", count: width + 2) + "┘"))
        return Block(lines: lines)
    }
}
