public import Foundation

// The modifiers of effects, animations and touches.
// They compile, so that source files for Apple's platforms need no change, and a snippet ignores them.

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

    /// Adds a line around the view. Ignored on Linux.
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

    /// Removes colours. Ignored on Linux.
    nonisolated public func grayscale(_ amount: Double) -> some View { self }

    /// Turns colours around. Ignored on Linux.
    nonisolated public func hueRotation(_ angle: Angle) -> some View { self }

    /// Inverts colours. Ignored on Linux.
    nonisolated public func colorInvert() -> some View { self }

    /// Multiplies colours. Ignored on Linux.
    nonisolated public func colorMultiply(_ color: Color) -> some View { self }

    /// Sets how colours are mixed with those behind. Ignored on Linux.
    nonisolated public func blendMode(_ blendMode: BlendMode) -> some View { self }

    /// Draws the view as one layer. Ignored on Linux.
    nonisolated public func compositingGroup() -> some View { self }

    /// Draws the view as one picture. Ignored on Linux.
    nonisolated public func drawingGroup(opaque: Bool = false) -> some View { self }

    /// Cuts the view to another. Ignored on Linux.
    nonisolated public func mask<Mask: View>(
        alignment: Alignment = .center,
        @ViewBuilder _ mask: () -> Mask
    ) -> some View {
        self
    }

    /// Rotates the view. Ignored on Linux.
    nonisolated public func rotationEffect(_ angle: Angle, anchor: UnitPoint = .center) -> some View { self }

    /// Rotates the view in space. Ignored on Linux.
    nonisolated public func rotation3DEffect(
        _ angle: Angle,
        axis: (x: CGFloat, y: CGFloat, z: CGFloat)
    ) -> some View {
        self
    }

    /// Scales the view. Ignored on Linux.
    nonisolated public func scaleEffect(_ scale: CGFloat, anchor: UnitPoint = .center) -> some View { self }

    /// Scales the view. Ignored on Linux.
    nonisolated public func scaleEffect(
        x: CGFloat = 1,
        y: CGFloat = 1,
        anchor: UnitPoint = .center
    ) -> some View {
        self
    }

    /// Sets the appearance. Ignored on Linux.
    nonisolated public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { self }

    /// Sets the appearance. Ignored on Linux.
    nonisolated public func colorScheme(_ colorScheme: ColorScheme) -> some View { self }

    /// Sets the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }

    /// Sets the bounds of the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ range: ClosedRange<DynamicTypeSize>) -> some View { self }

    /// Sets the bounds of the size of texts. Ignored on Linux.
    nonisolated public func dynamicTypeSize(_ range: PartialRangeThrough<DynamicTypeSize>) -> some View { self }

    /// Sets the background of the container. Ignored on Linux.
    nonisolated public func containerBackground<Style: ShapeStyle>(
        _ style: Style,
        for container: ContainerBackgroundPlacement
    ) -> some View {
        self
    }

    /// Sets the background of the container. Ignored on Linux.
    nonisolated public func containerBackground<Content: View>(
        for container: ContainerBackgroundPlacement,
        alignment: Alignment = .center,
        @ViewBuilder content: () -> Content
    ) -> some View {
        self
    }

    /// Shows the view on glass. Ignored on Linux.
    nonisolated public func glassEffect() -> some View { self }

    /// Animates changes. Ignored on Linux.
    nonisolated public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View { self }

    /// Sets how the view appears and disappears. Ignored on Linux.
    nonisolated public func transition(_ transition: AnyTransition) -> some View { self }

    /// Sets how changes of content are shown. Ignored on Linux.
    nonisolated public func contentTransition(_ transition: ContentTransition) -> some View { self }

    /// Sets the shape in which the view reacts to touches. Ignored on Linux.
    nonisolated public func contentShape<Area: Shape>(_ shape: Area, eoFill: Bool = false) -> some View { self }

    /// Lets the view react to touches, or not. Ignored on Linux.
    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View { self }
}
