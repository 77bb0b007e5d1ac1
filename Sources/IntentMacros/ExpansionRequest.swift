/// The compiler's request to expand a macro that is attached to a declaration.
struct ExpansionRequest {
    /// The role that the compiler requests: `extension`, `memberAttribute` or `member`.
    let role: String
    /// The name of the macro, such as `AppEntity`.
    let macro: String
    /// The source of the declaration; for `memberAttribute`, the source of the member.
    let declaration: String
    /// The source of the declaration that contains the member; nil for other roles.
    let parent: String?
    /// The type to extend.
    let extendedType: String?
    /// False when the type already conforms to the protocol, so that no extension is needed.
    let needsConformance: Bool
    /// The location of the attribute.
    let fileName: String?
    let offset: Int?

    init?(_ message: JSONText) {
        guard let role = message["macroRole"]?.string, let macro = message["macro"]?["name"]?.string,
            let declaration = message["declSyntax"]?["source"]?.string
        else { return nil }
        self.role = role
        // The name of an attribute without arguments includes the trailing whitespace.
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

/// The reason that a macro cannot be expanded. The compiler reports it at the attribute.
struct ExpansionProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
