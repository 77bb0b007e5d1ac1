import IntentLinux
import IntentSharedTypes

/// Renders text, symbols, pictures, progress bars, links and controls, and computes the widths of all elements.
extension SnippetText {
    static func text(_ text: String, _ style: SnippetStyle?, _ context: Context) -> Block {
        let lines = safeLines(text).flatMap { wrap($0, context.columns, context.style) }
        let limit = style?.lineLimit.map { max(1, $0) } ?? lines.count
        var kept = Array(lines.prefix(limit))
        if kept.count < lines.count, let last = kept.indices.last {
            let rest = kept[last].pieces.map(\.text).joined() + "…"
            kept[last] = SnippetLine(DisplayWidth.fit(rest, in: context.columns), context.style)
        }
        let width = kept.reduce(0) { max($0, $1.width) }
        return Block(lines: kept.map { $0.aligned(style?.alignment, in: width) })
    }

    static func symbol(_ name: String, _ style: SnippetStyle?) -> String {
        let text = SymbolText.of(name)
        // Prefer the label to a bullet, which would not identify the symbol.
        guard text == "•", let label = style?.accessibilityLabel else { return text }
        return DisplayWidth.fit(safeLine(label), in: 40)
    }

    static func imageName(_ file: FileReference, _ style: SnippetStyle?) -> String {
        guard let label = style?.accessibilityLabel else { return "picture \(file.name)" }
        return "picture \(file.name): \(label)"
    }

    static func progress(_ fraction: Double?, _ element: SnippetElement, _ context: Context) -> Block {
        let label = vertical(element, context)
        let columns = max(1, min(20, context.columns - 7))
        var line = SnippetLine()
        if let fraction {
            let part = fraction.isFinite ? min(max(fraction, 0), 1) : 0
            let full = Int((part * Double(columns)).rounded())
            line.append(String(repeating: "█", count: full), context.style)
            line.append(String(repeating: "░", count: columns - full), context.style)
            line.append(" \(Int((part * 100).rounded())) %", context.style)
        } else {
            line.append(String(repeating: "░", count: columns) + " …", context.style)
        }
        return Block(lines: label.trimmed.lines + [line])
    }

    static func link(_ address: String, _ element: SnippetElement, _ context: Context) -> Block {
        var inner = context
        inner.style.isUnderlined = true
        let label = vertical(element, inner).trimmed
        let shown = safeLine(address)
        let written = label.lines.flatMap(\.pieces).map(\.text).joined()
        // Always show the address, because the label can contain a different address.
        if written == shown { return label }
        let lines = wrap("<\(shown)>", context.columns, context.style)
        guard let only = label.lines.first, label.lines.count == 1, lines.count == 1,
            only.width + 1 + lines[0].width <= context.columns
        else { return Block(lines: label.lines + lines) }
        var line = only
        line.append(" ")
        line.append(lines[0])
        return Block(lines: [line])
    }

    /// Renders a control as its number and its label: `[1] Order`, `[2] ☑ Express`.
    static func control(_ control: SnippetControl, _ element: SnippetElement, _ context: Context) -> Block {
        guard let number = context.firstControl else { return vertical(element, context) }
        var style = context.style
        style.color = control.isDestructive == true ? .red : style.color ?? .accent
        style.isDim = false
        var first = SnippetLine("[\(number)]", style)
        first.append(" " + (control.isOn.map { $0 ? "☑ " : "☐ " } ?? ""), style)
        var inner = context
        inner.columns = max(1, context.columns - first.width)
        inner.firstControl = nil
        inner.style = style
        var lines = vertical(element, inner).trimmed.lines
        if lines.isEmpty {
            lines = [SnippetLine(safeLine(element.style?.accessibilityLabel ?? control.action.intent), style)]
        }
        let indent = first.width
        return Block(
            lines: lines.enumerated().map { index, line in
                var shown = index == 0 ? first : SnippetLine(String(repeating: " ", count: indent))
                shown.append(line)
                return shown
            }
        )
    }

    // MARK: Widths

    /// Returns the number of columns that an element occupies if its lines are not wrapped.
    static func naturalWidth(_ element: SnippetElement, isInLabel: Bool) -> Int {
        func widest(_ elements: [SnippetElement], isInLabel: Bool) -> Int {
            elements.reduce(0) { max($0, naturalWidth($1, isInLabel: isInLabel)) }
        }
        let children = element.children
        switch element.content {
        case .text(let text): return safeLines(text).reduce(0) { max($0, DisplayWidth.of($1)) }
        case .symbol(let name): return DisplayWidth.of(symbol(name, element.style))
        case .image(let file):
            return safeLines(imageName(file, element.style)).reduce(0) { max($0, DisplayWidth.of($1)) }
        case .stack(.horizontal), .row:
            return children.reduce(max(0, children.count - 1)) { $0 + naturalWidth($1, isInLabel: isInLabel) }
        case .stack(.vertical), .stack(.depth), .unknown, .header, .footer:
            return widest(children, isInLabel: isInLabel)
        case .grid:
            // No row is wider than this sum, because a column is as wide as its widest cell.
            let rows = children.map { row in
                row.content == .row ? row.children : [row]
            }
            let columns = rows.reduce(0) { max($0, $1.count) }
            return (0..<columns).reduce(2 * max(0, columns - 1)) { sum, column in
                sum + widest(rows.compactMap { column < $0.count ? $0[column] : nil }, isInLabel: isInLabel)
            }
        case .section: return widest(children, isInLabel: isInLabel) + 5
        case .divider, .shape: return 1
        case .spacer: return 0
        case .progress: return max(27, widest(children, isInLabel: isInLabel))
        case .link(let address): return widest(children, isInLabel: isInLabel) + 3 + DisplayWidth.of(safeLine(address))
        case .control(let control):
            let label = widest(children, isInLabel: true)
            if isInLabel { return label }
            let name =
                children.isEmpty
                ? DisplayWidth.of(safeLine(element.style?.accessibilityLabel ?? control.action.intent)) : 0
            return max(label, name) + 6 + (control.isOn == nil ? 0 : 2)
        }
    }

    // MARK: Texts

    /// Returns the lines of a string, without control characters.
    private static func safeLines(_ text: String) -> [String] {
        SafeText.printed(text).split(scalar: "\n", omittingEmptySubsequences: false).map { safeLine(String($0)) }
    }

    /// Returns a string on one line, without control characters and without anything that looks like a control's
    /// number, such as `[1]`.
    private static func safeLine(_ text: String) -> String {
        let line = SafeText.line(text).unicodeScalars
        var result = String.UnicodeScalarView()
        var rest = line[...]
        while let open = rest.firstIndex(of: "[") {
            result.append(contentsOf: rest[..<open])
            rest = rest[line.index(after: open)...]
            // Skip marks and other scalars without a width, because the number is readable with them.
            let inside = rest.prefix { isDigit($0) || $0 == " " || DisplayWidth.of(String($0)) == 0 }
            if inside.endIndex < rest.endIndex, rest[inside.endIndex] == "]", inside.contains(where: isDigit) {
                result.append(contentsOf: "(\(Substring(inside)))".unicodeScalars)
                rest = rest[line.index(after: inside.endIndex)...]
            } else {
                result.append("[")
            }
        }
        result.append(contentsOf: rest)
        return String(result)
    }

    /// Returns true for a digit or another sign for a number, in any script.
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType != nil
    }

    /// Breaks a line at spaces. Breaks a word that does not fit on one line, but not before a mark.
    private static func wrap(_ text: String, _ columns: Int, _ style: TextStyle) -> [SnippetLine] {
        guard DisplayWidth.of(text) > columns else { return [SnippetLine(text, style)] }
        var lines: [SnippetLine] = []
        var line = ""
        var width = 0
        func close() {
            lines.append(SnippetLine(line, style))
            (line, width) = ("", 0)
        }
        for word in text.split(scalar: " ") {
            let wordWidth = DisplayWidth.of(String(word))
            if width > 0, width + 1 + wordWidth > columns { close() }
            if width > 0 {
                line += " "
                width += 1
            }
            guard wordWidth > columns else {
                line += String(word)
                width += wordWidth
                continue
            }
            var meter = DisplayWidth.Meter()
            for scalar in word.unicodeScalars {
                let one = meter.width(of: scalar)
                if width > 0, width + one > columns { close() }
                line.unicodeScalars.append(scalar)
                width += one
            }
        }
        if !line.isEmpty || lines.isEmpty { close() }
        return lines
    }
}

extension SnippetElement {
    var isShape: Bool { if case .shape = content { true } else { false } }
}
