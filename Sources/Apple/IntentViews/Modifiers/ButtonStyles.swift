// The styles of buttons that an app declares. A snippet ignores them, because the client chooses the style.

/// A button style that an app declares. Ignored on Linux.
///
/// Source: Apple's ButtonStyle page.
@MainActor @preconcurrency
public protocol ButtonStyle {
    /// The type of the view that ``makeBody(configuration:)`` returns.
    associatedtype Body: View
    /// The properties of the button to which the style applies.
    typealias Configuration = ButtonStyleConfiguration

    /// Returns the view of a button.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The properties of a button to which a style applies.
///
/// Source: Apple's ButtonStyleConfiguration page.
public struct ButtonStyleConfiguration {
    /// The role of the button; nil for an ordinary button.
    public let role: ButtonRole?
    /// The label of the button.
    public let label: AnyView
    /// True while the button is pressed.
    public let isPressed: Bool
}

extension View {
    /// Sets the style of buttons. Ignored on Linux.
    @_disfavoredOverload
    nonisolated public func buttonStyle<Style: ButtonStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:buttonStyle")
    ) -> some View { self }
}
