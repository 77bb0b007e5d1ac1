import AppIntents
import IntentSharedTypes
import IntentViews

/// Returns the snippet that a view becomes.
@MainActor
func snippet(_ view: some View, in directory: String? = nil) async throws -> IntentSharedTypes.Snippet? {
    try await _ShownView(of: view).snippet(in: directory)
}

/// Returns the elements of a view's snippet, one in each line, with two spaces for each level.
@MainActor
func outline(_ view: some View) async throws -> String {
    guard let snippet = try await snippet(view) else { return "" }
    return snippet.root.outline().joined(separator: "\n")
}

extension SnippetElement {
    func outline(_ level: Int = 0) -> [String] {
        let indent = String(repeating: "  ", count: level)
        let line = ([content.words] + (style?.words ?? [])).joined(separator: " ")
        return [indent + line] + children.flatMap { $0.outline(level + 1) }
    }
}

extension SnippetContent {
    fileprivate var words: String {
        switch self {
        case .text(let text): "'\(text)'"
        case .symbol(let name): "symbol \(name)"
        case .image(let file): "image \(file.index)"
        case .stack(let axis): axis.rawValue
        case .grid, .row, .section, .header, .footer, .divider, .spacer, .unknown: kind
        case .shape(let shape): shape.rawValue
        case .progress(let fraction): "progress \(fraction.map { "\($0)" } ?? "?")"
        case .link(let address): "link \(address)"
        case .control(let control):
            (["\(control.action.intent)(\(control.action.values.words))"]
                + (control.isOn.map { [$0 ? "on" : "off"] } ?? [])
                + (control.isDestructive == true ? ["destructive"] : [])).joined(separator: " ")
        }
    }
}

extension [String: IntentValue] {
    fileprivate var words: String {
        sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.words)" }.joined(separator: ", ")
    }
}

extension IntentValue {
    fileprivate var words: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let text): text
        case .array(let values): "[\(values.map(\.words).joined(separator: ", "))]"
        case .object(let members): "{\(members.words)}"
        case .file(let file): "file \(file.index)"
        }
    }
}

extension SnippetStyle {
    fileprivate var words: [String] {
        [
            font?.rawValue, isBold == true ? "bold" : nil, isItalic == true ? "italic" : nil,
            isMonospaced == true ? "monospaced" : nil, isStruckThrough == true ? "struck" : nil,
            foreground.map { "in:\($0.rawValue)" }, background.map { "on:\($0.rawValue)" },
            isPadded == true ? "padded" : nil, isRounded == true ? "rounded" : nil,
            alignment.map { "at:\($0.rawValue)" },
            lineLimit.map { "lines:\($0)" }, accessibilityLabel.map { "spoken:'\($0)'" },
        ].compactMap { $0 }
    }
}
