public import Foundation

// The modifiers of effects, animations and touches.
// They compile, so that source files for Apple's platforms need no change, and a snippet ignores them.

extension View {
    /// Adds a shadow. Ignored on Linux.
    nonisolated public func shadow(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0,
        _ ignored: _IgnoredUse = #_ignored("effect:shadow")
    ) -> some View {
        self
    }

    /// Adds a line around the view. Ignored on Linux.
    nonisolated public func border<Style: ShapeStyle>(
        _ content: Style,
        width: CGFloat = 1,
        _ ignored: _IgnoredUse = #_ignored("effect:border")
    ) -> some View { self }

    /// Blurs the view. Ignored on Linux.
    nonisolated public func blur(
        radius: CGFloat,
        opaque: Bool = false,
        _ ignored: _IgnoredUse = #_ignored("effect:blur")
    ) -> some View { self }

    /// Sets the opacity. Ignored on Linux.
    nonisolated public func opacity(_ opacity: Double, _ ignored: _IgnoredUse = #_ignored("effect:opacity"))
        -> some View
    { self }

    /// Sets the brightness. Ignored on Linux.
    nonisolated public func brightness(_ amount: Double, _ ignored: _IgnoredUse = #_ignored("effect:brightness"))
        -> some View
    { self }

    /// Sets the contrast. Ignored on Linux.
    nonisolated public func contrast(_ amount: Double, _ ignored: _IgnoredUse = #_ignored("effect:contrast"))
        -> some View
    { self }

    /// Sets the saturation. Ignored on Linux.
    nonisolated public func saturation(_ amount: Double, _ ignored: _IgnoredUse = #_ignored("effect:saturation"))
        -> some View
    { self }

    /// Removes colours. Ignored on Linux.
    nonisolated public func grayscale(_ amount: Double, _ ignored: _IgnoredUse = #_ignored("effect:grayscale"))
        -> some View
    { self }

    /// Turns colours around. Ignored on Linux.
    nonisolated public func hueRotation(_ angle: Angle, _ ignored: _IgnoredUse = #_ignored("effect:hueRotation"))
        -> some View
    { self }

    /// Inverts colours. Ignored on Linux.
    nonisolated public func colorInvert(_ ignored: _IgnoredUse = #_ignored("effect:colorInvert")) -> some View { self }

    /// Multiplies colours. Ignored on Linux.
    nonisolated public func colorMultiply(_ color: Color, _ ignored: _IgnoredUse = #_ignored("effect:colorMultiply"))
        -> some View
    { self }

    /// Sets how colours are mixed with those behind. Ignored on Linux.
    nonisolated public func blendMode(_ blendMode: BlendMode, _ ignored: _IgnoredUse = #_ignored("effect:blendMode"))
        -> some View
    { self }

    /// Draws the view as one layer. Ignored on Linux.
    nonisolated public func compositingGroup(_ ignored: _IgnoredUse = #_ignored("effect:compositingGroup")) -> some View
    { self }

    /// Draws the view as one picture. Ignored on Linux.
    nonisolated public func drawingGroup(
        opaque: Bool = false,
        _ ignored: _IgnoredUse = #_ignored("effect:drawingGroup")
    ) -> some View { self }

    /// Cuts the view to another. Ignored on Linux.
    nonisolated public func mask<Mask: View>(
        alignment: Alignment = .center,
        @ViewBuilder _ mask: () -> Mask,
        _ ignored: _IgnoredUse = #_ignored("effect:mask")
    ) -> some View {
        self
    }

    /// Rotates the view. Ignored on Linux.
    nonisolated public func rotationEffect(
        _ angle: Angle,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:rotationEffect")
    ) -> some View { self }

    /// Rotates the view in space. Ignored on Linux.
    nonisolated public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat),
        _ ignored: _IgnoredUse = #_ignored("effect:rotation3DEffect")
    ) -> some View {
        self
    }

    /// Scales the view. Ignored on Linux.
    nonisolated public func scaleEffect(
        _ scale: CGFloat,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:scaleEffect")
    ) -> some View { self }

    /// Scales the view. Ignored on Linux.
    nonisolated public func scaleEffect(
        x: CGFloat = 1,
        y: CGFloat = 1,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:scaleEffect")
    ) -> some View {
        self
    }

    /// Sets the appearance. Ignored on Linux.
    nonisolated public func preferredColorScheme(
        _ colorScheme: ColorScheme?,
        _ ignored: _IgnoredUse = #_ignored("effect:preferredColorScheme")
    ) -> some View { self }

    /// Sets the appearance. Ignored on Linux.
    nonisolated public func colorScheme(
        _ colorScheme: ColorScheme,
        _ ignored: _IgnoredUse = #_ignored("effect:colorScheme")
    ) -> some View { self }

    /// Sets the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ size: DynamicTypeSize,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Sets the bounds of the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ range: ClosedRange<DynamicTypeSize>,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Sets the bounds of the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ range: PartialRangeThrough<DynamicTypeSize>,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Sets the background of the container. Ignored on Linux.
    nonisolated public func containerBackground<Style: ShapeStyle>(
        _ style: Style,
        for container: ContainerBackgroundPlacement,
        _ ignored: _IgnoredUse = #_ignored("effect:containerBackground")
    ) -> some View {
        self
    }

    /// Sets the background of the container. Ignored on Linux.
    nonisolated public func containerBackground<Content: View>(
        for container: ContainerBackgroundPlacement,
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content,
        _ ignored: _IgnoredUse = #_ignored("effect:containerBackground")
    ) -> some View {
        self
    }

    /// Shows the view on glass. Ignored on Linux.
    nonisolated public func glassEffect(_ ignored: _IgnoredUse = #_ignored("effect:glassEffect")) -> some View { self }

    /// Animates changes. Ignored on Linux.
    nonisolated public func animation<Value: Equatable>(
        _ animation: Animation?,
        value: Value,
        _ ignored: _IgnoredUse = #_ignored("effect:animation")
    ) -> some View { self }

    /// Sets how the view appears and disappears. Ignored on Linux.
    nonisolated public func transition(
        _ transition: AnyTransition,
        _ ignored: _IgnoredUse = #_ignored("effect:transition")
    ) -> some View { self }

    /// Sets how changes of content are shown. Ignored on Linux.
    nonisolated public func contentTransition(
        _ transition: ContentTransition,
        _ ignored: _IgnoredUse = #_ignored("effect:contentTransition")
    ) -> some View { self }

    /// Sets the shape in which the view reacts to touches. Ignored on Linux.
    nonisolated public func contentShape<Area: Shape>(
        _ shape: Area,
        eoFill: Bool = false,
        _ ignored: _IgnoredUse = #_ignored("effect:contentShape")
    ) -> some View { self }

    /// Lets the view react to touches, or not. Ignored on Linux.
    nonisolated public func allowsHitTesting(
        _ enabled: Bool,
        _ ignored: _IgnoredUse = #_ignored("effect:allowsHitTesting")
    ) -> some View { self }
}
