/// The head of a declaration: its attributes, modifiers, keyword and name, and the tokens that follow the name.
struct Declaration {
    /// The names of the attributes, such as `Parameter`.
    let attributes: [String]
    let modifiers: Set<String>
    let keyword: String
    /// The name; nil for a declaration without a name, such as an initialiser or a tuple of variables, and for a name
    /// that is not a word (``SourceTokens/isWord(_:)-(String)``).
    let name: String?
    /// True for a declaration with a name of any characters.
    let isNamed: Bool
    let rest: ArraySlice<SourceTokens.Token>

    private static let allModifiers: Set<String> = [
        "public", "package", "internal", "fileprivate", "private", "open", "static", "class", "final", "lazy", "weak",
        "unowned",
        "nonisolated", "override", "required", "convenience", "mutating", "nonmutating", "dynamic", "indirect",
        "distributed", "borrowing", "consuming", "isolated",
    ]

    init?(_ source: String) {
        let tokens = SourceTokens.all(source)
        var index = 0
        var attributes: [String] = []
        var modifiers: Set<String> = []
        while index < tokens.count {
            if tokens[index] == .symbol("@") {
                index += 1
                var name = ""
                while index < tokens.count {
                    if case .word(let word) = tokens[index] {
                        name = word
                        index += 1
                        guard index < tokens.count, tokens[index] == .symbol(".") else { break }
                    }
                    index += 1
                }
                attributes.append(name)
                if index < tokens.count, case .group("(", _) = tokens[index] { index += 1 }
                continue
            }
            guard case .word(let word) = tokens[index], Self.allModifiers.contains(word) else { break }
            // `class` is a modifier before a member, and otherwise declares a type.
            if word == "class", index + 1 < tokens.count, case .word(let next) = tokens[index + 1],
                !["var", "let", "func", "subscript"].contains(next), !Self.allModifiers.contains(next)
            {
                break
            }
            modifiers.insert(word)
            index += 1
            if index < tokens.count, case .group("(", let detail) = tokens[index] {
                // A modifier such as `private(set)` restricts only the setter, not the declaration.
                if detail.contains("set") { modifiers.remove(word) }
                index += 1
            }
        }
        guard index < tokens.count, case .word(let keyword) = tokens[index] else { return nil }
        index += 1
        if index < tokens.count, case .word(let word) = tokens[index] {
            name = SourceTokens.isWord(word) ? word : nil
            isNamed = true
            index += 1
        } else {
            name = nil
            isNamed = false
        }
        self.attributes = attributes
        self.modifiers = modifiers
        self.keyword = keyword
        rest = tokens[index...]
    }

    /// True for a stored instance variable with a type annotation and without an initial value, attributes or
    /// observers. False if the variable is lazy, weak, unowned or private.
    var isPlainVariable: Bool {
        guard keyword == "var", isNamed, attributes.isEmpty, rest.first == .symbol(":") else { return false }
        guard modifiers.isDisjoint(with: ["static", "class", "lazy", "weak", "unowned", "private", "fileprivate"])
        else {
            return false
        }
        return !rest.contains { token in
            switch token {
            case .symbol("="), .symbol(","), .group("{", _): true
            case .word, .symbol, .group, .literal: false
            }
        }
    }

    /// True if the type of a variable, as written, cannot be the type of a value: a function, a tuple, a dictionary, an
    /// existential or opaque type, or a metatype.
    var hasTypeWithoutValues: Bool { Self.excludesValues(Array(rest), depth: 16) }

    /// - Parameter depth: The number of nested brackets that are read. No type of a value is nested more deeply.
    private static func excludesValues(_ tokens: [SourceTokens.Token], depth: Int) -> Bool {
        if depth == 0 { return true }
        let isFunction = zip(tokens, tokens.dropFirst()).contains { $0 == .symbol("-") && $1 == .symbol(">") }
        return isFunction
            || tokens.contains { token in
                switch token {
                case .word(let word): return ["any", "some", "Any", "AnyObject", "Type"].contains(word)
                case .group(let opening, let inner):
                    let parts = SourceTokens.all(inner)
                    return parts.contains(.symbol(opening == "[" ? ":" : ","))
                        || excludesValues(parts, depth: depth - 1)
                case .symbol, .literal: return false
                }
            }
    }

    /// The type of a variable, as written but without comments; nil for a declaration without a type.
    var type: String? {
        guard rest.first == .symbol(":") else { return nil }
        let tokens = rest.dropFirst().prefix { token in
            switch token {
            case .symbol("="), .group("{", _): false
            case .word, .symbol, .group, .literal: true
            }
        }
        return tokens.isEmpty ? nil : SourceTokens.text(of: tokens)
    }

    /// The text between the braces of a type or a computed variable; nil for other declarations.
    var body: String? {
        for token in rest { if case .group("{", let text) = token { return text } }
        return nil
    }
}
