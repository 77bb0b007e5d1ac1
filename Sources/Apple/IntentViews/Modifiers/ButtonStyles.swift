// The styles of buttons. A snippet ignores them, because the client chooses the style.

/// A style for buttons. Ignored on Linux.
///
/// Source: Apple's PrimitiveButtonStyle page.
public protocol PrimitiveButtonStyle {}

/// The style that the client chooses for a button.
public struct DefaultButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The style that the client chooses for a button.
    public static var automatic: Self { Self() }
}

/// A button style with a border.
public struct BorderedButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// A button style with a border.
    public static var bordered: Self { Self() }
}

/// A button style with a border and a filled background.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// A button style with a border and a filled background.
    public static var borderedProminent: Self { Self() }
}

/// A button style without a border.
public struct BorderlessButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// A button style without a border.
    public static var borderless: Self { Self() }
}

/// A button style that shows only the label.
public struct PlainButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// A button style that shows only the label.
    public static var plain: Self { Self() }
}

/// A button style with a background that looks like glass.
public struct GlassButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == GlassButtonStyle {
    /// A button style with a background that looks like glass.
    public static var glass: Self { Self() }
}

/// A button style with a coloured background that looks like glass.
public struct GlassProminentButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == GlassProminentButtonStyle {
    /// A button style with a coloured background that looks like glass.
    public static var glassProminent: Self { Self() }
}

extension View {
    /// Sets the style of buttons. Ignored on Linux.
    nonisolated public func buttonStyle<Style: PrimitiveButtonStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:buttonStyle")
    ) -> some View { self }
}

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
