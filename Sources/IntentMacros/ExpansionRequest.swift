/// The compiler's request to expand a macro that is attached to a declaration.
struct ExpansionRequest {
    /// The role that the compiler asks for: `extension`, `memberAttribute` or `member`.
    let role: String
    /// The name of the macro, such as `AppEntity`.
    let macro: String
    /// The source of the declaration; for `memberAttribute`, of the member.
    let declaration: String
    /// The source of the declaration that contains the member; nil for other roles.
    let parent: String?
    /// The type to extend.
    let extendedType: String?
    /// False when the type already conforms to the protocol, so that no extension is needed.
    let needsConformance: Bool
    /// The place of the attribute.
    let fileName: String?
    let offset: Int?

    init?(_ message: JSONText) {
        guard let role = message["macroRole"]?.string, let macro = message["macro"]?["name"]?.string,
            let declaration = message["declSyntax"]?["source"]?.string
        else { return nil }
        self.role = role
        // The name of an attribute without arguments includes the whitespace behind it.
        self.macro = Self.trimmed(macro)
        self.declaration = declaration
        parent = message["parentDeclSyntax"]?["source"]?.string
        extendedType = message["extendedTypeSyntax"]?["source"]?.string.map(Self.trimmed)
        needsConformance = message["conformanceListSyntax"]?["source"]?.string != nil
        let location = message["attributeSyntax"]?["location"]
        fileName = location?["fileName"]?.string
        offset = location?["offset"]?.number
    }

    private static func trimmed(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.joined(separator: " ")
    }
}

/// The reason why a macro cannot be expanded, which the compiler reports at the attribute.
struct ExpansionProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
