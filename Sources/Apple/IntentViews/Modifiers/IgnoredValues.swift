public import Foundation

// Declarations of ignored modifiers that have a body. Tests/Tables/IntentViews/Values.txt has the argument types.

/// The size of a view, from which a closure computes an alignment.
///
/// Source: Apple's ViewDimensions page.
public struct ViewDimensions: Equatable, Sendable {
    /// The width, in points.
    public let width: CGFloat
    /// The height, in points.
    public let height: CGFloat

    /// Returns the horizontal position of an alignment, in points. On Linux, it is always 0.
    public subscript(guide: HorizontalAlignment) -> CGFloat { 0 }
    /// Returns the vertical position of an alignment, in points. On Linux, it is always 0.
    public subscript(guide: VerticalAlignment) -> CGFloat { 0 }
}

/// Calls a closure that changes values. Linux does not animate the changes.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

extension AnyTransition {
    /// Returns a transition that applies this transition and another at the same time.
    public func combined(with other: AnyTransition) -> AnyTransition { self }
}
