public import Foundation

// The modifiers of size, position and scrolling, which a snippet ignores. They exist so that source files for Apple's
// platforms compile without changes.

extension View {
    /// Sets the size of the view, in points. Ignored on Linux.
    nonisolated public func frame(
        width: CGFloat? = nil,
        height: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        self
    }

    /// Sets the minimum, ideal and maximum size of the view, in points. Ignored on Linux.
    nonisolated public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        self
    }

    /// Sets the size of the view relative to its container. Ignored on Linux.
    nonisolated public func containerRelativeFrame(
        _ axes: Axis.Set,
        alignment: Alignment = .center
    ) -> some View {
        self
    }

    /// Keeps the view at its ideal size. Ignored on Linux.
    nonisolated public func fixedSize() -> some View { self }

    /// Keeps the view at its ideal width, its ideal height, or both. Ignored on Linux.
    nonisolated public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { self }

    /// Sets the priority with which the container assigns space to the view. Ignored on Linux.
    nonisolated public func layoutPriority(_ value: Double) -> some View { self }

    /// Sets the ratio of width and height. Ignored on Linux.
    nonisolated public func aspectRatio(_ aspectRatio: CGFloat? = nil, contentMode: ContentMode) -> some View { self }

    /// Sets the ratio of width and height. Ignored on Linux.
    nonisolated public func aspectRatio(_ aspectRatio: CGSize, contentMode: ContentMode) -> some View { self }

    /// Scales the view so that it fits into its space. Ignored on Linux.
    nonisolated public func scaledToFit() -> some View { self }

    /// Scales the view so that it covers its space. Ignored on Linux.
    nonisolated public func scaledToFill() -> some View { self }

    /// Moves the view. Ignored on Linux.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }

    /// Moves the view. Ignored on Linux.
    nonisolated public func offset(_ offset: CGSize) -> some View { self }

    /// Sets the position of the view's centre, in points. Ignored on Linux.
    nonisolated public func position(x: CGFloat = 0, y: CGFloat = 0) -> some View { self }

    /// Sets the order of overlapping views. Ignored on Linux.
    nonisolated public func zIndex(_ value: Double) -> some View { self }

    /// Extends the view beyond the safe area. Ignored on Linux.
    nonisolated public func ignoresSafeArea(
        _ regions: SafeAreaRegions = .all,
        edges: Edge.Set = .all
    ) -> some View {
        self
    }

    /// Extends the view beyond the safe area. Ignored on Linux.
    nonisolated public func edgesIgnoringSafeArea(_ edges: Edge.Set) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(_ length: CGFloat) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(_ insets: EdgeInsets) -> some View { self }

    /// Sets the margins of scrolled content. Ignored on Linux.
    nonisolated public func contentMargins(
        _ edges: Edge.Set = .all,
        _ length: CGFloat?,
        for placement: ContentMarginPlacement = .automatic
    ) -> some View {
        self
    }

    /// Sets the margins of scrolled content. Ignored on Linux.
    nonisolated public func contentMargins(
        _ length: CGFloat,
        for placement: ContentMarginPlacement = .automatic
    ) -> some View {
        self
    }

    /// Sets the number of columns that a cell occupies. Ignored on Linux.
    nonisolated public func gridCellColumns(_ count: Int) -> some View { self }

    /// Sets the alignment of a column. Ignored on Linux.
    nonisolated public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View { self }

    /// Sets the alignment of a cell. Ignored on Linux.
    nonisolated public func gridCellAnchor(_ anchor: UnitPoint) -> some View { self }

    /// Prevents a cell from enlarging its row or column. Ignored on Linux.
    nonisolated public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View { self }

    /// Sets the background of a row. Ignored on Linux.
    nonisolated public func listRowBackground<Background: View>(_ view: Background?) -> some View { self }

    /// Sets the margins of a row. Ignored on Linux.
    nonisolated public func listRowInsets(_ insets: EdgeInsets?) -> some View { self }

    /// Shows or hides the lines between rows. Ignored on Linux.
    nonisolated public func listRowSeparator(
        _ visibility: Visibility,
        edges: VerticalEdge.Set = .all
    ) -> some View {
        self
    }

    /// Sets the colour of the lines between rows. Ignored on Linux.
    nonisolated public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View { self }

    /// Sets the distance between rows. Ignored on Linux.
    nonisolated public func listRowSpacing(_ spacing: CGFloat?) -> some View { self }

    /// Sets the distance between sections. Ignored on Linux.
    nonisolated public func listSectionSpacing(_ spacing: CGFloat) -> some View { self }

    /// Shows or hides the background of scrolled content. Ignored on Linux.
    nonisolated public func scrollContentBackground(_ visibility: Visibility) -> some View { self }

    /// Shows or hides the scroll bars. Ignored on Linux.
    nonisolated public func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility,
        axes: Axis.Set = [.vertical, .horizontal]
    ) -> some View {
        self
    }

    /// Disables scrolling if `disabled` is true. Ignored on Linux.
    nonisolated public func scrollDisabled(_ disabled: Bool) -> some View { self }

    /// Shows scrolled content outside the scrolled area if `disabled` is true. Ignored on Linux.
    nonisolated public func scrollClipDisabled(_ disabled: Bool = true) -> some View { self }

    /// Clips the view to its frame. Ignored on Linux.
    nonisolated public func clipped(antialiased: Bool = false) -> some View { self }

    /// Sets the horizontal alignment of the view in its container. Ignored on Linux.
    nonisolated public func alignmentGuide(
        _ guide: HorizontalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View {
        self
    }

    /// Sets the vertical alignment of the view in its container. Ignored on Linux.
    nonisolated public func alignmentGuide(
        _ guide: VerticalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat
    ) -> some View {
        self
    }
}
