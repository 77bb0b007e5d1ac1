/// The expansion of `@UnionValue`, which makes an enumeration valid as the type of a parameter or result. Each case
/// must have exactly one associated value.
enum UnionExpansion {
    private struct Case {
        var name: String
        var type: String
    }

    static func source(for request: ExpansionRequest) throws(ExpansionProblem) -> String {
        guard let type = Declaration(request.declaration), type.keyword == "enum", let body = type.body else {
            throw ExpansionProblem("'@UnionValue' requires an enumeration")
        }
        let cases = try cases(of: body)
        guard !cases.isEmpty else { throw ExpansionProblem("'@UnionValue' requires an enumeration with cases") }
        let access =
            type.modifiers.contains("public") ? "public " : type.modifiers.contains("package") ? "package " : ""
        guard request.role == "extension" else {
            return """
                /// The cases of the union, without their values.
                \(access)enum Cases: Swift.String, Swift.CaseIterable, Swift.Sendable {
                    case \(cases.map { "`\($0.name)`" }.joined(separator: ", "))
                }
                """
        }
        guard request.needsConformance, let extended = request.extendedType else { return "" }
        let members = cases.map { item in
            """
                    AppIntents._UnionCase("\(item.name)", (\(item.type)).self) { .`\(item.name)`($0) } value: {
                        if case .`\(item.name)`(let value) = $0 { value } else { nil }
                    }
            """
        }
        return """
            extension \(extended): AppIntents.AppUnionValue {
                \(access)static var _unionCases: [AppIntents._UnionCase<\(extended)>] {
                    [
            \(members.joined(separator: ",\n"))
                    ]
                }
            }
            """
    }

    private static func cases(of body: String) throws(ExpansionProblem) -> [Case] {
        let tokens = SourceTokens.all(body)
        var cases: [Case] = []
        var index = 0
        var isInCase = false
        while index < tokens.count {
            switch tokens[index] {
            case .word("case"): isInCase = true
            case .word(let name) where isInCase:
                guard SourceTokens.isWord(name) else {
                    throw ExpansionProblem("the name of a union's case can have only letters, digits and underscores")
                }
                guard index + 1 < tokens.count, case .group("(", let text) = tokens[index + 1] else {
                    throw ExpansionProblem("each case of a union requires a value: add one to '\(name)'")
                }
                cases.append(Case(name: name, type: try valueType(text, of: name)))
                index += 1
                isInCase = index + 1 < tokens.count && tokens[index + 1] == .symbol(",")
            case .word, .symbol, .group, .literal: break
            }
            index += 1
        }
        return cases
    }

    /// Returns the type of a case's only value, without its label.
    private static func valueType(_ text: String, of name: String) throws(ExpansionProblem) -> String {
        let tokens = SourceTokens.all(text)
        var depth = 0
        for token in tokens {
            if token == .symbol("<") { depth += 1 }
            if token == .symbol(">") { depth -= 1 }
            if token == .symbol(","), depth == 0 {
                throw ExpansionProblem("each case of a union permits only one value: remove the others from '\(name)'")
            }
        }
        if tokens.count > 1, case .word = tokens[0], tokens[1] == .symbol(":") {
            throw ExpansionProblem("the value of a union's case cannot have a label: remove it from '\(name)'")
        }
        return String(text.unicodeScalars.drop(while: \.properties.isWhitespace))
    }
}
