public import Foundation

// The modifiers for effects, animations and touches, which a snippet ignores. They exist so that source files for
// Apple's platforms compile without changes.

extension View {
    /// Adds a shadow. Ignored on Linux.
    nonisolated public func shadow(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0,
        _ ignored: _IgnoredUse = #_ignored("effect:shadow")
    ) -> some View { self }

    /// Adds a border. Ignored on Linux.
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

    /// Reduces the saturation of colours by a fraction. Ignored on Linux.
    nonisolated public func grayscale(_ amount: Double, _ ignored: _IgnoredUse = #_ignored("effect:grayscale"))
        -> some View
    { self }

    /// Rotates the hues of colours by an angle. Ignored on Linux.
    nonisolated public func hueRotation(_ angle: Angle, _ ignored: _IgnoredUse = #_ignored("effect:hueRotation"))
        -> some View
    { self }

    /// Inverts colours. Ignored on Linux.
    nonisolated public func colorInvert(_ ignored: _IgnoredUse = #_ignored("effect:colorInvert")) -> some View { self }

    /// Multiplies the view's colours by a colour. Ignored on Linux.
    nonisolated public func colorMultiply(_ color: Color, _ ignored: _IgnoredUse = #_ignored("effect:colorMultiply"))
        -> some View
    { self }

    /// Sets the function that mixes the view's colours with the colours behind it. Ignored on Linux.
    nonisolated public func blendMode(_ blendMode: BlendMode, _ ignored: _IgnoredUse = #_ignored("effect:blendMode"))
        -> some View
    { self }

    /// Draws the view as one layer so that effects apply to it as a whole. Ignored on Linux.
    nonisolated public func compositingGroup(_ ignored: _IgnoredUse = #_ignored("effect:compositingGroup")) -> some View
    { self }

    /// Draws the view into a bitmap first. Ignored on Linux.
    nonisolated public func drawingGroup(
        opaque: Bool = false,
        _ ignored: _IgnoredUse = #_ignored("effect:drawingGroup")
    ) -> some View { self }

    /// Shows the view only where another view is opaque. Ignored on Linux.
    nonisolated public func mask<Mask: View>(
        alignment: Alignment = .center,
        @ViewBuilder _ mask: () -> Mask,
        _ ignored: _IgnoredUse = #_ignored("effect:mask")
    ) -> some View { self }

    /// Rotates the view. Ignored on Linux.
    nonisolated public func rotationEffect(
        _ angle: Angle,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:rotationEffect")
    ) -> some View { self }

    /// Rotates the view in three dimensions. Ignored on Linux.
    nonisolated public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat),
        _ ignored: _IgnoredUse = #_ignored("effect:rotation3DEffect")
    ) -> some View { self }

    /// Scales the view by a factor. Ignored on Linux.
    nonisolated public func scaleEffect(
        _ scale: CGFloat,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:scaleEffect")
    ) -> some View { self }

    /// Scales the width and the height of the view. Ignored on Linux.
    nonisolated public func scaleEffect(
        x: CGFloat = 1,
        y: CGFloat = 1,
        anchor: UnitPoint = .center,
        _ ignored: _IgnoredUse = #_ignored("effect:scaleEffect")
    ) -> some View { self }

    /// Sets the light or dark appearance. Ignored on Linux.
    nonisolated public func preferredColorScheme(
        _ colorScheme: ColorScheme?,
        _ ignored: _IgnoredUse = #_ignored("effect:preferredColorScheme")
    ) -> some View { self }

    /// Sets the light or dark appearance. Ignored on Linux.
    nonisolated public func colorScheme(
        _ colorScheme: ColorScheme,
        _ ignored: _IgnoredUse = #_ignored("effect:colorScheme")
    ) -> some View { self }

    /// Sets the size of text. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ size: DynamicTypeSize,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Limits the size of text to a range. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ range: ClosedRange<DynamicTypeSize>,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Sets the maximum size of text. Ignored on Linux.
    nonisolated public func dynamicTypeSize(
        _ range: PartialRangeThrough<DynamicTypeSize>,
        _ ignored: _IgnoredUse = #_ignored("effect:dynamicTypeSize")
    ) -> some View { self }

    /// Sets the background of a container that contains the view. Ignored on Linux.
    nonisolated public func containerBackground<Style: ShapeStyle>(
        _ style: Style,
        for container: ContainerBackgroundPlacement,
        _ ignored: _IgnoredUse = #_ignored("effect:containerBackground")
    ) -> some View { self }

    /// Sets the background of a container that contains the view. Ignored on Linux.
    nonisolated public func containerBackground<Content: View>(
        for container: ContainerBackgroundPlacement,
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content,
        _ ignored: _IgnoredUse = #_ignored("effect:containerBackground")
    ) -> some View { self }

    /// Shows the view on a background that looks like glass. Ignored on Linux.
    nonisolated public func glassEffect(_ ignored: _IgnoredUse = #_ignored("effect:glassEffect")) -> some View { self }

    /// Animates the view when a value changes. Ignored on Linux.
    nonisolated public func animation<Value: Equatable>(
        _ animation: Animation?,
        value: Value,
        _ ignored: _IgnoredUse = #_ignored("effect:animation")
    ) -> some View { self }

    /// Sets how the view's appearance and disappearance are animated. Ignored on Linux.
    nonisolated public func transition(
        _ transition: AnyTransition,
        _ ignored: _IgnoredUse = #_ignored("effect:transition")
    ) -> some View { self }

    /// Sets how a change to the view's content is animated. Ignored on Linux.
    nonisolated public func contentTransition(
        _ transition: ContentTransition,
        _ ignored: _IgnoredUse = #_ignored("effect:contentTransition")
    ) -> some View { self }

    /// Sets the area in which the view reacts to touches. Ignored on Linux.
    nonisolated public func contentShape<Area: Shape>(
        _ shape: Area,
        eoFill: Bool = false,
        _ ignored: _IgnoredUse = #_ignored("effect:contentShape")
    ) -> some View { self }

    /// Makes the view ignore touches if `enabled` is false. Ignored on Linux.
    nonisolated public func allowsHitTesting(
        _ enabled: Bool,
        _ ignored: _IgnoredUse = #_ignored("effect:allowsHitTesting")
    ) -> some View { self }
}
