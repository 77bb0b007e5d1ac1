/// The use of a modifier or a view that a snippet ignores. Not for direct use by apps.
///
/// The default value of a parameter of this type is a macro. The compiler expands it where the modifier is used, so that a
/// program contains the names of exactly the ignored modifiers that it uses. `intentctl verify` lists them.
public struct _IgnoredUse: Sendable, ExpressibleByStringLiteral {
    // The optimiser must not remove the call, and with it the literal, from the program.
    @inline(never)
    @_semantics("optimize.no.crossmodule")
    public init(stringLiteral name: StaticString) {}
}

/// Names an ignored modifier: `"KIND:NAME"`. Not for direct use by apps.
@freestanding(expression)
public macro _ignored(_ name: String) -> _IgnoredUse =
    #externalMacro(module: "IntentMacros", type: "IgnoredUseMacro")
