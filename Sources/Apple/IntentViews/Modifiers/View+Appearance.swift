public import Foundation
import IntentSharedTypes
public import Observation

extension View {
    /// Sets the colour of text, symbols and shapes.
    nonisolated public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        let color = style._snippetColor.value
        return environment(changing: { $0.textStyle.foreground = color })
    }

    /// Sets the colour of text, symbols and shapes. The secondary style is ignored on Linux.
    nonisolated public func foregroundStyle<First: ShapeStyle, Second: ShapeStyle>(
        _ primary: First,
        _ secondary: Second
    ) -> some View {
        foregroundStyle(primary)
    }

    /// Sets the colour of text, symbols and shapes. The secondary and tertiary styles are ignored on Linux.
    nonisolated public func foregroundStyle<First: ShapeStyle, Second: ShapeStyle, Third: ShapeStyle>(
        _ primary: First,
        _ secondary: Second,
        _ tertiary: Third
    ) -> some View {
        foregroundStyle(primary)
    }

    /// Sets the colour of text, symbols and shapes.
    nonisolated public func foregroundColor(_ color: Color?) -> some View {
        environment(changing: { $0.textStyle.foreground = color?.snippetColor })
    }

    /// Sets the colour of controls.
    nonisolated public func tint(_ tint: Color?) -> some View {
        environment(changing: { $0.tint = tint?.snippetColor })
    }

    /// Sets the colour of controls.
    @_disfavoredOverload
    nonisolated public func tint<Style: ShapeStyle>(_ tint: Style) -> some View {
        let color = tint._snippetColor.value
        return environment(changing: { $0.tint = color })
    }

    /// Sets the colour of controls.
    nonisolated public func accentColor(_ accentColor: Color?) -> some View { tint(accentColor) }

    /// Adds a view behind this view. A colour, a gradient or a filled shape is shown as the background of this view.
    nonisolated public func background<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View {
        LayeredView(background: content(), content: self, isContentMain: true)
    }

    /// Adds a view behind this view. A colour, a gradient or a filled shape is shown as the background of this view.
    @_disfavoredOverload
    nonisolated public func background<Background: View>(
        _ background: Background,
        alignment: Alignment = .center
    ) -> some View {
        LayeredView(background: background, content: self, isContentMain: true)
    }

    /// Sets the colour of the background.
    nonisolated public func background<Style: ShapeStyle>(
        _ style: Style,
        ignoresSafeAreaEdges edges: Edge.Set = .all
    ) -> some View {
        let color = style._snippetColor.value
        return styled { style, _ in style.background = style.background ?? color }
    }

    /// Extends the background into the safe area. Ignored on Linux.
    nonisolated public func background(
        ignoresSafeAreaEdges edges: Edge.Set = .all,
        _ ignored: _IgnoredUse = #_ignored("layout:ignoresSafeAreaEdges")
    ) -> some View { self }

    /// Sets the colour and the shape of the background. On Linux, a shape only determines whether corners are rounded.
    nonisolated public func background<Style: ShapeStyle, Area: Shape>(
        _ style: Style,
        in shape: Area,
        fillStyle: FillStyle = FillStyle()
    ) -> some View {
        background(style).clipShape(shape)
    }

    /// Sets the shape of the background. On Linux, a shape only determines whether the corners are rounded.
    nonisolated public func background<Area: Shape>(in shape: Area, fillStyle: FillStyle = FillStyle()) -> some View {
        clipShape(shape)
    }

    /// Adds a view in front of this view. The outline of a shape is not shown.
    nonisolated public func overlay<Content: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View {
        LayeredView(background: self, content: content(), isContentMain: false)
    }

    /// Adds a view in front of this view. The outline of a shape is not shown.
    @_disfavoredOverload
    nonisolated public func overlay<Overlay: View>(_ overlay: Overlay, alignment: Alignment = .center) -> some View {
        LayeredView(background: self, content: overlay, isContentMain: false)
    }

    /// Adds a colour in front of this view. Ignored on Linux, where the colour would cover the text.
    nonisolated public func overlay<Style: ShapeStyle>(
        _ style: Style,
        ignoresSafeAreaEdges edges: Edge.Set = .all,
        _ ignored: _IgnoredUse = #_ignored("effect:overlay")
    ) -> some View { self }

    /// Adds space around this view. Linux adds no space if `edges` does not contain two opposite edges. A length of 0
    /// adds no space; any other length is ignored.
    nonisolated public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        let isPadded = length != 0 && (edges.isSuperset(of: .horizontal) || edges.isSuperset(of: .vertical))
        return styled { style, _ in if isPadded { style.isPadded = true } }
    }

    /// Adds space around this view. Linux ignores any length other than 0.
    nonisolated public func padding(_ length: CGFloat) -> some View { padding(.all, length) }

    /// Adds space around this view unless all insets are 0. Linux ignores any other lengths.
    nonisolated public func padding(_ insets: EdgeInsets) -> some View {
        padding(.all, insets == EdgeInsets() ? 0 : nil)
    }

    /// Rounds the corners if the radius is greater than 0. Otherwise, Linux ignores the radius.
    nonisolated public func cornerRadius(_ radius: CGFloat, antialiased: Bool = true) -> some View {
        styled { style, _ in if radius > 0 { style.isRounded = true } }
    }

    /// Clips this view to a shape. On Linux, a shape only determines whether the corners are rounded.
    nonisolated public func clipShape<Area: Shape>(_ shape: Area, style: FillStyle = FillStyle()) -> some View {
        let outline = shape._outline
        return styled { style, _ in if outline.isRounded || outline.shape == .circle { style.isRounded = true } }
    }

    /// Hides this view. The snippet does not contain it.
    nonisolated public func hidden() -> some View { EmptyView() }

    /// Disables the controls of this view if `disabled` is true. A snippet then contains only the controls' labels.
    nonisolated public func disabled(_ disabled: Bool) -> some View {
        environment(changing: { if disabled { $0.isEnabled = false } })
    }

    /// Sets a value in the environment of the views inside this view.
    nonisolated public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
        _ value: Value
    ) -> some View {
        environment(changing: { $0[keyPath: keyPath] = value })
    }

    /// Sets an object in the environment of the views inside this view.
    nonisolated public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View {
        environment(changing: { $0.set(object, as: Object.self) })
    }

    /// Changes a value in the environment of the views inside this view.
    nonisolated public func transformEnvironment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
        transform: @escaping (inout Value) -> Void
    ) -> some View {
        environment(changing: { transform(&$0[keyPath: keyPath]) })
    }

    /// Applies a modifier that an app declares.
    nonisolated public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> some View {
        ModifierView(content: self, modifier: modifier)
    }
}

/// A view modifier that an app declares.
///
/// Source: Apple's ViewModifier page.
@MainActor @preconcurrency
public protocol ViewModifier {
    /// The type of the view that ``body(content:)`` returns.
    associatedtype Body: View
    /// The view to which the modifier is applied.
    typealias Content = _ViewModifierContent

    /// Returns the modified view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view to which a modifier is applied. Not for direct use by apps.
public struct _ViewModifierContent {
    fileprivate let view: any View
}

extension _ViewModifierContent: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(view) }
}

private struct ModifierView<Content: View, Modifier: ViewModifier> {
    let content: Content
    let modifier: Modifier
}

extension ModifierView: View, _PrimitiveView {
    func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.draw(modifier.body(content: _ViewModifierContent(view: content)))
    }
}
