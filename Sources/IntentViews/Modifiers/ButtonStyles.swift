// The styles of buttons. They compile, and a snippet ignores them: the client chooses the style.

/// A style of buttons. Ignored on Linux.
///
/// Source: Apple's PrimitiveButtonStyle page.
public protocol PrimitiveButtonStyle {}

/// A style of buttons.
public struct DefaultButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// A style of buttons.
    public static var automatic: Self { Self() }
}

/// A style of buttons.
public struct BorderedButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// A style of buttons.
    public static var bordered: Self { Self() }
}

/// A style of buttons.
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// A style of buttons.
    public static var borderedProminent: Self { Self() }
}

/// A style of buttons.
public struct BorderlessButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// A style of buttons.
    public static var borderless: Self { Self() }
}

/// A style of buttons.
public struct PlainButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// A style of buttons.
    public static var plain: Self { Self() }
}

/// A style of buttons.
public struct GlassButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == GlassButtonStyle {
    /// A style of buttons.
    public static var glass: Self { Self() }
}

/// A style of buttons.
public struct GlassProminentButtonStyle: PrimitiveButtonStyle, Sendable {
    /// Creates the style.
    public init() {}
}

extension PrimitiveButtonStyle where Self == GlassProminentButtonStyle {
    /// A style of buttons.
    public static var glassProminent: Self { Self() }
}

extension View {
    /// Sets the style of buttons. Ignored on Linux.
    nonisolated public func buttonStyle<Style: PrimitiveButtonStyle>(
        _ style: Style,
        _ ignored: _IgnoredUse = #_ignored("style:buttonStyle")
    ) -> some View { self }
}

/// A style of buttons that an app declares. Ignored on Linux.
///
/// Source: Apple's ButtonStyle page.
@MainActor @preconcurrency
public protocol ButtonStyle {
    /// The type of the view that ``makeBody(configuration:)`` returns.
    associatedtype Body: View
    /// The button to which the style applies.
    typealias Configuration = ButtonStyleConfiguration

    /// Returns the view of a button.
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

/// The button to which a style applies.
///
/// Source: Apple's ButtonStyleConfiguration page.
public struct ButtonStyleConfiguration {
    /// The meaning of the button.
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
