/// The expansion of AppIntents' macros.
enum MacroExpansion {
    /// Returns the source that a macro adds in one of its roles; empty if it adds nothing.
    ///
    /// - Throws: ``ExpansionProblem`` when the macro is attached to a declaration that it does not support.
    static func source(for request: ExpansionRequest) throws(ExpansionProblem) -> String {
        switch request.macro {
        case "AppIntent", "AssistantIntent":
            try schema(request, "AppIntent", wraps: "IntentParameter", for: ["struct", "class"])
        case "AppEntity", "AssistantEntity":
            try schema(request, "AppEntity", wraps: "EntityProperty", for: ["struct", "class"])
        case "AppEnum", "AssistantEnum": try schema(request, "AppEnum", wraps: nil, for: ["enum"])
        case "ComputedProperty", "DeferredProperty": try PropertyExpansion.source(for: request)
        case "UnionValue": try UnionExpansion.source(for: request)
        case "StoredByName": try storage(request)
        default: throw ExpansionProblem("unknown macro '\(request.macro)': rebuild AppIntents")
        }
    }

    /// Returns the accessors of a property that its type stores by name, through a subscript.
    private static func storage(_ request: ExpansionRequest) throws(ExpansionProblem) -> String {
        guard let name = Declaration(request.declaration)?.name else {
            throw ExpansionProblem("'@\(request.macro)' requires a property with a name")
        }
        return """
            {
                get { self["\(name)"] }
                set { self["\(name)"] = newValue }
            }
            """
    }

    /// Returns an extension that declares the conformance or, for a member, the attribute of a plain stored variable.
    private static func schema(
        _ request: ExpansionRequest,
        _ conformance: String,
        wraps wrapper: String?,
        for keywords: [String]
    ) throws(ExpansionProblem) -> String {
        guard request.role == "extension" else {
            guard let wrapper, let member = Declaration(request.declaration), member.isPlainVariable,
                !member.hasTypeWithoutValues,
                // An entity's identifier is not one of its properties.
                !(conformance == "AppEntity" && member.name == "id")
            else { return "" }
            return "@AppIntents.\(wrapper)"
        }
        guard let type = Declaration(request.declaration), keywords.contains(type.keyword) else {
            throw ExpansionProblem(
                "'@\(request.macro)(schema:)' requires \(keywords == ["enum"] ? "an enumeration" : "a structure or class")"
            )
        }
        guard request.needsConformance, let extended = request.extendedType else { return "" }
        // The arguments are traits, a schema or both: `@AppIntent(.tool, schema: .photos.createAlbum)`.
        let traits = SourceTokens.all(request.arguments ?? "").prefix { $0 != .word("schema") }
        let refined = ["AppIntent": ("tool", "ToolIntent"), "AppEntity": ("generable", "GenerableEntity")][conformance]
        let isRefined = traits.contains { token in
            guard let trait = refined?.0 else { return false }
            if case .group("[", let list) = token { return SourceTokens.all(list).contains(.word(trait)) }
            return token == .word(trait)
        }
        return "extension \(extended): AppIntents.\(isRefined ? refined?.1 ?? conformance : conformance) {}"
    }
}
