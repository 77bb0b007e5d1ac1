import IntentLinux
import IntentSharedTypes

/// A line of a rendered snippet: pieces of text with their styles.
struct SnippetLine: Equatable {
    struct Piece: Equatable {
        var text: String
        var style: TextStyle
    }

    private(set) var pieces: [Piece] = []
    /// The width of the line in terminal columns.
    private(set) var width = 0

    init() {}

    init(_ text: String, _ style: TextStyle = TextStyle()) { append(text, style) }

    mutating func append(_ text: String, _ style: TextStyle = TextStyle()) {
        guard !text.isEmpty else { return }
        width += DisplayWidth.of(text)
        if let last = pieces.indices.last, pieces[last].style == style {
            pieces[last].text += text
        } else {
            pieces.append(Piece(text: text, style: style))
        }
    }

    mutating func append(_ line: SnippetLine) {
        for piece in line.pieces { append(piece.text, piece.style) }
    }

    /// Appends spaces until the line has the given number of columns.
    mutating func pad(to columns: Int) {
        append(String(repeating: " ", count: max(0, columns - width)))
    }

    /// Returns the line, indented so that it is aligned within a number of columns.
    func aligned(_ alignment: SnippetAlignment?, in columns: Int) -> SnippetLine {
        let space = max(0, columns - width)
        let before =
            switch alignment {
            case .leading, nil: 0
            case .center: space / 2
            case .trailing: space
            }
        guard before > 0 else { return self }
        var line = SnippetLine(String(repeating: " ", count: before))
        line.append(self)
        return line
    }

    func text(_ colors: SnippetText.Colors) -> String {
        var text = String.UnicodeScalarView()
        for piece in pieces {
            let isBlank = piece.text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
            let codes = colors == .ansi && !isBlank ? piece.style.codes : []
            let shown = codes.isEmpty ? piece.text : "\u{1B}[\(codes.joined(separator: ";"))m\(piece.text)\u{1B}[0m"
            text.append(contentsOf: shown.unicodeScalars)
        }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// The attributes of text on a terminal.
struct TextStyle: Equatable {
    var isBold = false
    var isDim = false
    var isItalic = false
    var isUnderlined = false
    var isStruckThrough = false
    var color: SnippetColor?

    /// Returns this style with the changes that an element's style makes.
    func merged(with style: SnippetStyle?) -> TextStyle {
        guard let style else { return self }
        var merged = self
        switch style.font {
        case .title, .headline: merged.isBold = true
        case .caption: merged.isDim = true
        case .body, nil: break
        }
        if let isBold = style.isBold { merged.isBold = isBold }
        if let isItalic = style.isItalic { merged.isItalic = isItalic }
        if let isStruckThrough = style.isStruckThrough { merged.isStruckThrough = isStruckThrough }
        if let color = style.foreground {
            merged.color = color
            merged.isDim = color == .secondary
        }
        return merged
    }

    /// The parameters of the escape sequence that selects the style (ECMA-48, SGR).
    fileprivate var codes: [String] {
        var codes: [String] = []
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isItalic { codes.append("3") }
        if isUnderlined { codes.append("4") }
        if isStruckThrough { codes.append("9") }
        switch color {
        case .red: codes.append("31")
        case .green: codes.append("32")
        case .yellow, .orange, .brown: codes.append("33")
        case .blue: codes.append("34")
        case .purple: codes.append("35")
        case .accent: codes.append("36")
        case .gray: codes.append("90")
        case .pink: codes.append("95")
        // Keep the terminal's own colour, because black or white text would be invisible on some backgrounds.
        case .black, .white, .primary, .secondary, nil: break
        }
        return codes
    }
}
