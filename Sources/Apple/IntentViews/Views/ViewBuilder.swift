/// A result builder that combines the views of a closure.
///
/// Source: Apple's ViewBuilder page.
@resultBuilder
public struct ViewBuilder {
    /// Returns the view of an expression.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    /// Returns an empty view for a closure without views.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// Returns the only view of a closure.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Combines several views of a closure.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView(repeat each content)
    }

    /// Returns the view of an `if` without `else`, or nil if the condition is false.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    /// Returns the view of the first branch of an `if` or `switch`.
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent(storage: .first(first))
    }

    /// Returns the view of the second branch of an `if` or `switch`.
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent(storage: .second(second))
    }

    /// Returns the type-erased view of an `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}
