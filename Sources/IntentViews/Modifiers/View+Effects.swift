public import Foundation

// The modifiers of effects, animations and touches, which a snippet ignores. They exist so that source files for Apple's
// platforms compile without changes.

extension View {
    /// Adds a shadow. Ignored on Linux.
    nonisolated public func shadow(
        color: Color = .black,
        radius: CGFloat,
        x: CGFloat = 0,
        y: CGFloat = 0
    ) -> some View {
        self
    }

    /// Adds a border. Ignored on Linux.
    nonisolated public func border<Style: ShapeStyle>(_ content: Style, width: CGFloat = 1) -> some View { self }

    /// Blurs the view. Ignored on Linux.
    nonisolated public func blur(radius: CGFloat, opaque: Bool = false) -> some View { self }

    /// Sets the opacity. Ignored on Linux.
    nonisolated public func opacity(_ opacity: Double) -> some View { self }

    /// Sets the brightness. Ignored on Linux.
    nonisolated public func brightness(_ amount: Double) -> some View { self }

    /// Sets the contrast. Ignored on Linux.
    nonisolated public func contrast(_ amount: Double) -> some View { self }

    /// Sets the saturation. Ignored on Linux.
    nonisolated public func saturation(_ amount: Double) -> some View { self }

    /// Reduces the saturation of colours by a fraction. Ignored on Linux.
    nonisolated public func grayscale(_ amount: Double) -> some View { self }

    /// Rotates the hues of colours by an angle. Ignored on Linux.
    nonisolated public func hueRotation(_ angle: Angle) -> some View { self }

    /// Inverts colours. Ignored on Linux.
    nonisolated public func colorInvert() -> some View { self }

    /// Multiplies the view's colours by a colour. Ignored on Linux.
    nonisolated public func colorMultiply(_ color: Color) -> some View { self }

    /// Sets the function that mixes the view's colours with the colours behind it. Ignored on Linux.
    nonisolated public func blendMode(_ blendMode: BlendMode) -> some View { self }

    /// Draws the view as one layer, so that effects apply to it as a whole. Ignored on Linux.
    nonisolated public func compositingGroup() -> some View { self }

    /// Draws the view into a bitmap first. Ignored on Linux.
    nonisolated public func drawingGroup(opaque: Bool = false) -> some View { self }

    /// Shows the view only where another view is opaque. Ignored on Linux.
    nonisolated public func mask<Mask: View>(
        alignment: Alignment = .center,
        @ViewBuilder _ mask: () -> Mask
    ) -> some View {
        self
    }

    /// Rotates the view. Ignored on Linux.
    nonisolated public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { self }

    /// Rotates the view in three dimensions. Ignored on Linux.
    nonisolated public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat)
    ) -> some View {
        self
    }

    /// Scales the view by a factor. Ignored on Linux.
    nonisolated public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View { self }

    /// Scales the width and the height of the view. Ignored on Linux.
    nonisolated public func scaleEffect(
        x: CGFloat = 1,
        y: CGFloat = 1,
        anchor: UnitPoint = .center
    ) -> some View {
        self
    }

    /// Sets the light or dark appearance. Ignored on Linux.
    nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }

    /// Sets the light or dark appearance. Ignored on Linux.
    nonisolated public func colorScheme(_ colorScheme: ColorScheme) -> some View { self }

    /// Sets the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }

    /// Limits the size of texts to a range. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ range: ClosedRange<DynamicTypeSize>) -> some View { self }

    /// Sets the maximum size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ range: PartialRangeThrough<DynamicTypeSize>) -> some View { self }

    /// Sets the background of a container that contains the view. Ignored on Linux.
    nonisolated public func containerBackground<Style: ShapeStyle>(
        _ style: Style,
        for container: ContainerBackgroundPlacement
    ) -> some View {
        self
    }

    /// Sets the background of a container that contains the view. Ignored on Linux.
    nonisolated public func containerBackground<Content: View>(
        for container: ContainerBackgroundPlacement,
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View {
        self
    }

    /// Shows the view on a background that looks like glass. Ignored on Linux.
    nonisolated public func glassEffect() -> some View { self }

    /// Animates the view when a value changes. Ignored on Linux.
    nonisolated public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View { self }

    /// Sets the animation with which the view appears and disappears. Ignored on Linux.
    nonisolated public func transition(_ transition: AnyTransition) -> some View { self }

    /// Sets the animation with which the view's content changes. Ignored on Linux.
    nonisolated public func contentTransition(_ transition: ContentTransition) -> some View { self }

    /// Sets the area in which the view reacts to touches. Ignored on Linux.
    nonisolated public func contentShape<Area: Shape>(_ shape: Area, eoFill: Bool = false) -> some View { self }

    /// Makes the view ignore touches if `enabled` is false. Ignored on Linux.
    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { self }
}
