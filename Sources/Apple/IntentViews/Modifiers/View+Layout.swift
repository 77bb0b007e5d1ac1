public import Foundation

// The modifiers for size, position and scrolling, which a snippet ignores. They exist so that source files for Apple's
// platforms compile without changes.

extension View {
    /// Sets the size of the view, in points. Ignored on Linux.
    nonisolated public func frame(
        width: CGFloat? = nil,
        height: CGFloat? = nil,
        alignment: Alignment = .center,
        _ ignored: _IgnoredUse = #_ignored("layout:frame")
    ) -> some View { self }

    /// Sets the minimum, ideal and maximum size of the view, in points. Ignored on Linux.
    nonisolated public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center,
        _ ignored: _IgnoredUse = #_ignored("layout:frame")
    ) -> some View { self }

    /// Sets the size of the view relative to its container. Ignored on Linux.
    nonisolated public func containerRelativeFrame(
        _ axes: Axis.Set,
        alignment: Alignment = .center,
        _ ignored: _IgnoredUse = #_ignored("layout:containerRelativeFrame")
    ) -> some View { self }

    /// Keeps the view at its ideal size. Ignored on Linux.
    nonisolated public func fixedSize(_ ignored: _IgnoredUse = #_ignored("layout:fixedSize")) -> some View { self }

    /// Keeps the view at its ideal width, its ideal height, or both. Ignored on Linux.
    nonisolated public func fixedSize(
        horizontal: Bool,
        vertical: Bool,
        _ ignored: _IgnoredUse = #_ignored("layout:fixedSize")
    ) -> some View { self }

    /// Sets the view's priority when the container assigns space. Ignored on Linux.
    nonisolated public func layoutPriority(_ value: Double, _ ignored: _IgnoredUse = #_ignored("layout:layoutPriority"))
        -> some View
    { self }

    /// Sets the ratio of the view's width to its height. Ignored on Linux.
    nonisolated public func aspectRatio(
        _ aspectRatio: CGFloat? = nil,
        contentMode: ContentMode,
        _ ignored: _IgnoredUse = #_ignored("layout:aspectRatio")
    ) -> some View { self }

    /// Sets the ratio of the view's width to its height. Ignored on Linux.
    nonisolated public func aspectRatio(
        _ aspectRatio: CGSize,
        contentMode: ContentMode,
        _ ignored: _IgnoredUse = #_ignored("layout:aspectRatio")
    ) -> some View { self }

    /// Scales the view to fit the available space. Ignored on Linux.
    nonisolated public func scaledToFit(_ ignored: _IgnoredUse = #_ignored("layout:scaledToFit")) -> some View { self }

    /// Scales the view to fill the available space. Ignored on Linux.
    nonisolated public func scaledToFill(_ ignored: _IgnoredUse = #_ignored("layout:scaledToFill")) -> some View {
        self
    }

    /// Moves the view. Ignored on Linux.
    nonisolated public func offset(x: CGFloat = 0, y: CGFloat = 0, _ ignored: _IgnoredUse = #_ignored("layout:offset"))
        -> some View
    { self }

    /// Moves the view. Ignored on Linux.
    nonisolated public func offset(_ offset: CGSize, _ ignored: _IgnoredUse = #_ignored("layout:offset")) -> some View {
        self
    }

    /// Sets the position of the view's centre, in points. Ignored on Linux.
    nonisolated public func position(
        x: CGFloat = 0,
        y: CGFloat = 0,
        _ ignored: _IgnoredUse = #_ignored("layout:position")
    ) -> some View { self }

    /// Sets the order of overlapping views. Ignored on Linux.
    nonisolated public func zIndex(_ value: Double, _ ignored: _IgnoredUse = #_ignored("layout:zIndex")) -> some View {
        self
    }

    /// Extends the view beyond the safe area. Ignored on Linux.
    nonisolated public func ignoresSafeArea(
        _ regions: SafeAreaRegions = .all,
        edges: Edge.Set = .all,
        _ ignored: _IgnoredUse = #_ignored("layout:ignoresSafeArea")
    ) -> some View { self }

    /// Extends the view beyond the safe area. Ignored on Linux.
    nonisolated public func edgesIgnoringSafeArea(
        _ edges: Edge.Set,
        _ ignored: _IgnoredUse = #_ignored("layout:edgesIgnoringSafeArea")
    ) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(
        _ edges: Edge.Set = .all,
        _ length: CGFloat? = nil,
        _ ignored: _IgnoredUse = #_ignored("layout:safeAreaPadding")
    ) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(
        _ length: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("layout:safeAreaPadding")
    ) -> some View { self }

    /// Adds space inside the safe area. Ignored on Linux.
    nonisolated public func safeAreaPadding(
        _ insets: EdgeInsets,
        _ ignored: _IgnoredUse = #_ignored("layout:safeAreaPadding")
    ) -> some View { self }

    /// Sets the margins of scrolled content. Ignored on Linux.
    nonisolated public func contentMargins(
        _ edges: Edge.Set = .all,
        _ length: CGFloat?,
        for placement: ContentMarginPlacement = .automatic,
        _ ignored: _IgnoredUse = #_ignored("layout:contentMargins")
    ) -> some View { self }

    /// Sets the margins of scrolled content. Ignored on Linux.
    nonisolated public func contentMargins(
        _ length: CGFloat,
        for placement: ContentMarginPlacement = .automatic,
        _ ignored: _IgnoredUse = #_ignored("layout:contentMargins")
    ) -> some View { self }

    /// Sets the number of columns that a cell occupies. Ignored on Linux.
    nonisolated public func gridCellColumns(_ count: Int, _ ignored: _IgnoredUse = #_ignored("layout:gridCellColumns"))
        -> some View
    { self }

    /// Sets the alignment of a column. Ignored on Linux.
    nonisolated public func gridColumnAlignment(
        _ guide: HorizontalAlignment,
        _ ignored: _IgnoredUse = #_ignored("layout:gridColumnAlignment")
    ) -> some View { self }

    /// Sets the alignment of a cell. Ignored on Linux.
    nonisolated public func gridCellAnchor(
        _ anchor: UnitPoint,
        _ ignored: _IgnoredUse = #_ignored("layout:gridCellAnchor")
    ) -> some View { self }

    /// Prevents a cell from enlarging its row or column. Ignored on Linux.
    nonisolated public func gridCellUnsizedAxes(
        _ axes: Axis.Set,
        _ ignored: _IgnoredUse = #_ignored("layout:gridCellUnsizedAxes")
    ) -> some View { self }

    /// Sets the background of a row. Ignored on Linux.
    nonisolated public func listRowBackground<Background: View>(
        _ view: Background?,
        _ ignored: _IgnoredUse = #_ignored("layout:listRowBackground")
    ) -> some View { self }

    /// Sets the margins of a row. Ignored on Linux.
    nonisolated public func listRowInsets(
        _ insets: EdgeInsets?,
        _ ignored: _IgnoredUse = #_ignored("layout:listRowInsets")
    ) -> some View { self }

    /// Shows or hides the lines between rows. Ignored on Linux.
    nonisolated public func listRowSeparator(
        _ visibility: Visibility,
        edges: VerticalEdge.Set = .all,
        _ ignored: _IgnoredUse = #_ignored("layout:listRowSeparator")
    ) -> some View { self }

    /// Sets the colour of the lines between rows. Ignored on Linux.
    nonisolated public func listRowSeparatorTint(
        _ color: Color?,
        edges: VerticalEdge.Set = .all,
        _ ignored: _IgnoredUse = #_ignored("layout:listRowSeparatorTint")
    ) -> some View { self }

    /// Sets the distance between rows. Ignored on Linux.
    nonisolated public func listRowSpacing(
        _ spacing: CGFloat?,
        _ ignored: _IgnoredUse = #_ignored("layout:listRowSpacing")
    ) -> some View { self }

    /// Sets the distance between sections. Ignored on Linux.
    nonisolated public func listSectionSpacing(
        _ spacing: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("layout:listSectionSpacing")
    ) -> some View { self }

    /// Shows or hides the background of scrolled content. Ignored on Linux.
    nonisolated public func scrollContentBackground(
        _ visibility: Visibility,
        _ ignored: _IgnoredUse = #_ignored("layout:scrollContentBackground")
    ) -> some View { self }

    /// Shows or hides the scroll bars. Ignored on Linux.
    nonisolated public func scrollIndicators(
        _ visibility: ScrollIndicatorVisibility,
        axes: Axis.Set = [.vertical, .horizontal],
        _ ignored: _IgnoredUse = #_ignored("layout:scrollIndicators")
    ) -> some View { self }

    /// Disables scrolling if `disabled` is true. Ignored on Linux.
    nonisolated public func scrollDisabled(
        _ disabled: Bool,
        _ ignored: _IgnoredUse = #_ignored("layout:scrollDisabled")
    ) -> some View { self }

    /// Disables the clipping of scrolled content to the scroll view if `disabled` is true. Ignored on Linux.
    nonisolated public func scrollClipDisabled(
        _ disabled: Bool = true,
        _ ignored: _IgnoredUse = #_ignored("layout:scrollClipDisabled")
    ) -> some View { self }

    /// Clips the view to its frame. Ignored on Linux.
    nonisolated public func clipped(antialiased: Bool = false, _ ignored: _IgnoredUse = #_ignored("layout:clipped"))
        -> some View
    { self }

    /// Sets the horizontal alignment of the view in its container. Ignored on Linux.
    nonisolated public func alignmentGuide(
        _ guide: HorizontalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat,
        _ ignored: _IgnoredUse = #_ignored("layout:alignmentGuide")
    ) -> some View { self }

    /// Sets the vertical alignment of the view in its container. Ignored on Linux.
    nonisolated public func alignmentGuide(
        _ guide: VerticalAlignment,
        computeValue: @escaping (ViewDimensions) -> CGFloat,
        _ ignored: _IgnoredUse = #_ignored("layout:alignmentGuide")
    ) -> some View { self }
}
