/// The compiler's request to expand a macro that is attached to a declaration.
struct ExpansionRequest {
    /// The role that the compiler requests: `extension`, `memberAttribute`, `member` or `peer`.
    let role: String
    /// The name of the macro, such as `AppEntity`.
    let macro: String
    /// The source of the declaration; for `memberAttribute`, the source of the member.
    let declaration: String
    /// The source of the declaration that contains the member; nil for other roles.
    let parent: String?
    /// The type to extend, for the `extension` role; nil for other roles.
    let extendedType: String?
    /// True when the extension must declare a conformance. False when the type already conforms to the protocol.
    let needsConformance: Bool
    /// The arguments of the attribute, as written; nil if it has no arguments.
    let arguments: String?
    /// The name of the type that contains the member with the attribute; nil outside a type.
    let enclosingType: String?
    /// True if a type that encloses the declaration is isolated to the main actor.
    let isEnclosedByMainActor: Bool
    /// The file that contains the attribute, and the attribute's offset in that file.
    let fileName: String?
    let offset: Int?

    init?(_ message: JSONText) {
        guard let role = message["macroRole"]?.string, let macro = message["macro"]?["name"]?.string,
            let declaration = message["declSyntax"]?["source"]?.string
        else { return nil }
        self.role = role
        // The compiler includes the trailing whitespace in the name of an attribute without arguments.
        self.macro = Self.trimmed(macro)
        self.declaration = declaration
        parent = message["parentDeclSyntax"]?["source"]?.string
        extendedType = message["extendedTypeSyntax"]?["source"]?.string.map(Self.trimmed)
        needsConformance = message["conformanceListSyntax"]?["source"]?.string != nil
        arguments = message["attributeSyntax"]?["source"]?.string.flatMap(Self.arguments)
        let context = (message["lexicalContext"]?.elements ?? []).compactMap { $0["source"]?.string }
        enclosingType = context.first.flatMap(Self.typeName)
        isEnclosedByMainActor = context.contains { Declaration($0)?.attributes.contains("MainActor") == true }
        let location = message["attributeSyntax"]?["location"]
        fileName = location?["fileName"]?.string
        offset = location?["offset"]?.number
    }

    /// Returns the text between the parentheses of an attribute, or nil if they contain nothing but white space.
    private static func arguments(_ attribute: String) -> String? {
        for token in SourceTokens.all(attribute) {
            guard case .group("(", let text) = token else { continue }
            return text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : text
        }
        return nil
    }

    /// Returns the name of the type that a declaration declares or extends; nil for other declarations.
    private static func typeName(_ declaration: String) -> String? {
        guard let type = Declaration(declaration),
            ["struct", "class", "enum", "actor", "extension"].contains(type.keyword), let name = type.name
        else { return nil }
        guard type.keyword == "extension" else { return name }
        // An extension can name a nested type.
        let rest = type.rest.prefix { token in
            switch token {
            case .symbol(":"), .group: false
            case .word("where"): false
            case .word, .symbol, .literal: true
            }
        }
        return SourceTokens.text(of: [.word(name)] + rest)
    }

    private static func trimmed(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
    }
}

/// The reason that a macro cannot be expanded. The compiler reports it at the attribute.
struct ExpansionProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
