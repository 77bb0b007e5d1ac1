import IntentProtocol

/// One word of a template, which consists of fixed text and placeholders. It becomes at most one argument or, with a
/// list, one argument for each element.
package struct TemplateWord: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)

        /// Appends a scalar to a text, and returns whether this is a text.
        fileprivate mutating func append(_ scalar: Unicode.Scalar) -> Bool {
            guard case .text(var text) = self else { return false }
            // Only the variable refers to the text then, so that the scalar is appended without a copy.
            self = .text("")
            text.unicodeScalars.append(scalar)
            self = .text(text)
            return true
        }
    }

    package private(set) var pieces: [Piece] = []

    package init() {}

    mutating func append(_ scalar: Unicode.Scalar) {
        if let last = pieces.indices.last, pieces[last].append(scalar) { return }
        pieces.append(.text(String(scalar)))
    }

    mutating func append(_ placeholder: Placeholder) {
        pieces.append(.placeholder(placeholder))
    }

    package var placeholders: [Placeholder] {
        pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// The word's text; nil if the word contains a placeholder.
    package var fixedText: String? {
        switch pieces.count {
        case 0: ""
        case 1: if case .text(let text) = pieces[0] { text } else { nil }
        default: nil
        }
    }

    /// Returns the word without the first `count` bytes of its leading text.
    func dropping(utf8Count count: Int) -> TemplateWord {
        var rest = self
        let text = String(Substring(leadingText.utf8.dropFirst(count)))
        rest.pieces.removeFirst()
        if !text.isEmpty { rest.pieces.insert(.text(text), at: 0) }
        return rest
    }

    /// The fixed text before the first placeholder.
    var leadingText: String {
        if case .text(let text)? = pieces.first { text } else { "" }
    }

    /// The name of the parameter if the word consists of a single `%{name}`; otherwise nil.
    package var onlyValue: String? {
        if pieces.count == 1, case .placeholder(.value(let name)) = pieces[0] { name } else { nil }
    }
}

/// A `%{…}` in a template.
package enum Placeholder: Hashable, Sendable {
    /// `%{name}`: the parameter's value. The word is omitted if the parameter has no value.
    case value(String)
    /// `%{name.part}`: a part of a value. Only shortcuts have it.
    case part(String, path: [String])
    /// `%{name?text}` and `%{name?text:other}`: `text` if the parameter is true or has a value, otherwise `other`. If
    /// the condition is false and there is no `other`, the word is omitted.
    case condition(String, then: String, otherwise: String?)
    /// `%{out:NAME}`: the path of a new file that the intent returns.
    case output(String)
    /// `%{fd:name}`: a path from which the program reads the value. The value itself is not part of any argument.
    case descriptor(String)
    /// `%{result}`: the result as a string.
    case result
    /// `%{last-line}`: the last line of the program's standard output that is not empty.
    case lastLine

    /// - Parameter body: The string between the braces.
    init(_ body: String) throws(TemplateError) {
        if let (kind, name) = Self.cut(body, at: ":"), !kind.contains(utf8: "?") {
            switch kind {
            case "out":
                guard Self.isFileName(name) else {
                    throw TemplateError(
                        """
                        '%{\(WireCoding.excerpt(body))}': expected a file name of letters, digits and '._-' that starts with \
                        a letter or digit
                        """
                    )
                }
                self = .output(name)
            case "fd": self = .descriptor(try Self.parameter(name, in: body))
            default:
                let start = WireCoding.excerpt(kind)
                throw TemplateError("unknown placeholder '%{\(start):…}'; write %{out:NAME} or %{fd:NAME}")
            }
            return
        }
        if let (parameter, texts) = Self.cut(body, at: "?") {
            let name = try Self.parameter(parameter, in: body)
            let parts = Self.cut(texts, at: ":")
            self = .condition(name, then: parts?.0 ?? texts, otherwise: parts?.1)
            return
        }
        switch body {
        case "result": self = .result
        case "last-line": self = .lastLine
        default:
            let parts = body.split(scalar: ".", omittingEmptySubsequences: false).map { String($0) }
            guard parts.count > 1 else {
                self = .value(try Self.parameter(body, in: body))
                return
            }
            for part in parts { _ = try Self.parameter(part, in: body) }
            self = .part(parts[0], path: Array(parts.dropFirst()))
        }
    }

    /// Returns the parts of a string before and after the first mark; nil if the string does not contain the mark.
    private static func cut(_ text: String, at mark: Unicode.Scalar) -> (String, String)? {
        let parts = text.split(scalar: mark, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }

    private static func parameter(_ name: String, in body: String) throws(TemplateError) -> String {
        guard CommandParameter.isName(name) else {
            let (body, name) = (WireCoding.excerpt(body), WireCoding.excerpt(name))
            throw TemplateError("'%{\(body)}': invalid parameter name '\(name)'")
        }
        return name
    }

    private static func isFileName(_ name: String) -> Bool {
        guard let first = name.utf8.first, CommandParameter.isLetterOrDigit(first), name.utf8.count <= 200 else {
            return false
        }
        return name.utf8.allSatisfy { CommandParameter.isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    /// The name of the parameter to which the placeholder refers; nil if it refers to no parameter.
    package var parameter: String? {
        switch self {
        case .value(let name), .part(let name, _), .condition(let name, _, _), .descriptor(let name): name
        case .output, .result, .lastLine: nil
        }
    }
}
