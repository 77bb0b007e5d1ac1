/// Combines the views of a closure.
///
/// Source: Apple's ViewBuilder page.
@resultBuilder
public struct ViewBuilder {
    /// Accepts a view.
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }

    /// Creates an empty view.
    public static func buildBlock() -> EmptyView { EmptyView() }

    /// Returns the only view of a closure.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// Combines the views of a closure.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView(repeat each content)
    }

    /// Accepts the view of an `if` without `else`.
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

    /// Accepts the view of the first branch.
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent(storage: .first(first))
    }

    /// Accepts the view of the second branch.
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent(storage: .second(second))
    }

    /// Accepts the view of an `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}
