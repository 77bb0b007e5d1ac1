/// The expansion of `@ComputedProperty` and `@DeferredProperty`, which declare properties of an entity.
///
/// The expansion of `var initials: String { … }` consists of `$initials`, to which a query refers, and of a type that
/// conforms to `_ComputedPropertyDeclaration`. AppIntents finds that type in the Swift runtime's tables. The entity's
/// own layout and its memberwise initialiser do not change.
enum PropertyExpansion {
    static func source(for request: ExpansionRequest) throws(ExpansionProblem) -> String {
        guard let property = Declaration(request.declaration), property.keyword == "var", let name = property.name,
            property.modifiers.isDisjoint(with: ["static", "class"]),
            let getter = property.body, let type = property.type
        else {
            throw ExpansionProblem(
                "'@\(request.macro)' requires a computed instance property, such as 'var x: T { … }'"
            )
        }
        guard let entity = request.enclosingType else {
            throw ExpansionProblem("'@\(request.macro)' requires a property of an entity")
        }
        // The getter of an isolated property is called from outside its actor, which requires `await`.
        let isIsolated = property.attributes.contains("MainActor") || request.isEnclosedByMainActor
        var effects = effects(ofGetter: getter)
        if isIsolated, !property.modifiers.contains("nonisolated") { effects.isAsync = true }
        let isHidden = !property.modifiers.isDisjoint(with: ["private", "fileprivate"])
        let access = ["public", "package", "fileprivate", "private"].first { property.modifiers.contains($0) }
        let arguments = request.arguments.map { ", \($0)" } ?? ""
        let call = (effects.throws ? "try " : "") + (effects.isAsync ? "await " : "") + "self.`\(name)`"
        let label = effects.throws || effects.isAsync ? "_deferred" : "_computed"
        return """
            nonisolated \(access.map { "\($0) " } ?? "")var $\(name): AppIntents.EntityProperty<\(type)> {
                AppIntents.EntityProperty(\(label): "\(name)"\(arguments)) { \(call) }
            }

            \(isHidden ? "fileprivate " : "")enum _ComputedProperty_\(name): AppIntents._ComputedPropertyDeclaration {
                static func _property(of entity: \(entity)) -> AppIntents.EntityProperty<\(type)> { entity.$\(name) }
            }
            """
    }

    /// Returns the effects that an explicit getter declares; an implicit getter has none.
    private static func effects(ofGetter body: String) -> (isAsync: Bool, throws: Bool) {
        var tokens = SourceTokens.all(body)[...]
        while tokens.first == .symbol("@") {
            tokens = tokens.dropFirst(2)
            if case .group("(", _)? = tokens.first { tokens = tokens.dropFirst() }
        }
        while let first = tokens.first, first == .word("nonmutating") || first == .word("mutating") {
            tokens = tokens.dropFirst()
        }
        guard tokens.first == .word("get") else { return (false, false) }
        var effects: Set<String> = []
        for token in tokens.dropFirst() {
            switch token {
            case .word(let word): effects.insert(word)
            // Skip the error type of `throws(…)`.
            case .group("(", _): continue
            case .symbol, .group, .literal: return (effects.contains("async"), effects.contains("throws"))
            }
        }
        return (false, false)
    }
}
