/// The use of a modifier or a view that a snippet ignores. Not for direct use by apps.
///
/// The default value of a parameter of this type is a macro. The compiler expands the macro where the modifier is used.
/// A program therefore contains the names of exactly the ignored modifiers that it uses. `intentctl verify` lists these
/// names.
public struct _IgnoredUse: Sendable, ExpressibleByStringLiteral {
    // Keep the optimiser from removing the call, and with it the literal that `intentctl verify` searches for.
    @inline(never)
    @_semantics("optimize.no.crossmodule")
    public init(stringLiteral name: StaticString) {}
}

/// Names an ignored modifier: `"KIND:NAME"`. Not for direct use by apps.
@freestanding(expression)
public macro _ignored(_ name: String) -> _IgnoredUse =
    #externalMacro(module: "IntentMacros", type: "IgnoredUseMacro")
