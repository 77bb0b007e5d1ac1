public import Foundation

// The modifiers for text, controls and screen readers that a snippet ignores, and modifiers with closures that are
// never called. They exist so that source files for Apple's platforms compile without changes.

extension View {
    /// Sets the minimum factor by which text is scaled down to fit the available space. Ignored on Linux.
    nonisolated public func minimumScaleFactor(
        _ factor: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("text:minimumScaleFactor")
    ) -> some View { self }

    /// Sets the position at which long text is truncated. Ignored on Linux.
    nonisolated public func truncationMode(
        _ mode: Text.TruncationMode,
        _ ignored: _IgnoredUse = #_ignored("text:truncationMode")
    ) -> some View { self }

    /// Permits less space between characters so that text fits. Ignored on Linux.
    nonisolated public func allowsTightening(_ flag: Bool, _ ignored: _IgnoredUse = #_ignored("text:allowsTightening"))
        -> some View
    { self }

    /// Sets the space between lines. Ignored on Linux.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:lineSpacing"))
        -> some View
    { self }

    /// Sets additional space between characters. Ignored on Linux.
    nonisolated public func kerning(_ kerning: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:kerning")) -> some View
    { self }

    /// Sets additional space between characters, and disables ligatures. Ignored on Linux.
    nonisolated public func tracking(_ tracking: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:tracking"))
        -> some View
    { self }

    /// Moves text above or below its baseline. Ignored on Linux.
    nonisolated public func baselineOffset(
        _ baselineOffset: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("text:baselineOffset")
    ) -> some View { self }

    /// Underlines text. Ignored on Linux.
    nonisolated public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil,
        _ ignored: _IgnoredUse = #_ignored("text:underline")
    ) -> some View { self }

    /// Sets the width of the font. Ignored on Linux.
    nonisolated public func fontWidth(_ width: Font.Width?, _ ignored: _IgnoredUse = #_ignored("text:fontWidth"))
        -> some View
    { self }

    /// Shows all digits with the same width. Ignored on Linux.
    nonisolated public func monospacedDigit(_ ignored: _IgnoredUse = #_ignored("text:monospacedDigit")) -> some View {
        self
    }

    /// Sets the size of symbols. Ignored on Linux.
    nonisolated public func imageScale(_ scale: Image.Scale, _ ignored: _IgnoredUse = #_ignored("picture:imageScale"))
        -> some View
    { self }

    /// Sets the colours of symbols. Ignored on Linux.
    nonisolated public func symbolRenderingMode(
        _ mode: SymbolRenderingMode?,
        _ ignored: _IgnoredUse = #_ignored("picture:symbolRenderingMode")
    ) -> some View { self }

    /// Sets the variant of symbols, such as filled. Ignored on Linux.
    nonisolated public func symbolVariant(
        _ variant: SymbolVariants,
        _ ignored: _IgnoredUse = #_ignored("picture:symbolVariant")
    ) -> some View { self }

    /// Marks the view's content as private. Ignored on Linux.
    nonisolated public func privacySensitive(
        _ sensitive: Bool = true,
        _ ignored: _IgnoredUse = #_ignored("role:privacySensitive")
    ) -> some View { self }

    /// Marks content that an intent will change. Ignored on Linux.
    nonisolated public func invalidatableContent(
        _ invalidatable: Bool = true,
        _ ignored: _IgnoredUse = #_ignored("role:invalidatableContent")
    ) -> some View { self }

    /// Sets the identity of the view. Ignored on Linux.
    nonisolated public func id<Identifier: Hashable>(_ id: Identifier, _ ignored: _IgnoredUse = #_ignored("role:id"))
        -> some View
    { self }

    /// Sets the value that identifies the view in a selection. Ignored on Linux.
    nonisolated public func tag<Value: Hashable>(_ tag: Value, _ ignored: _IgnoredUse = #_ignored("role:tag"))
        -> some View
    { self }

    /// Sets the shape of button borders. Ignored on Linux.
    nonisolated public func buttonBorderShape(
        _ shape: ButtonBorderShape,
        _ ignored: _IgnoredUse = #_ignored("style:buttonBorderShape")
    ) -> some View { self }

    /// Sets the size of controls. Ignored on Linux.
    nonisolated public func controlSize(
        _ controlSize: ControlSize,
        _ ignored: _IgnoredUse = #_ignored("style:controlSize")
    ) -> some View { self }

    /// Hides the labels of controls. Ignored on Linux.
    nonisolated public func labelsHidden(_ ignored: _IgnoredUse = #_ignored("style:labelsHidden")) -> some View { self }

    /// Sets the text of a tooltip. Ignored on Linux.
    nonisolated public func help(_ textKey: LocalizedStringKey, _ ignored: _IgnoredUse = #_ignored("role:help"))
        -> some View
    { self }

    /// Adds a badge that contains a number. Ignored on Linux.
    nonisolated public func badge(_ count: Int, _ ignored: _IgnoredUse = #_ignored("role:badge")) -> some View { self }

    /// Adds a badge that contains text. Ignored on Linux.
    nonisolated public func badge(_ label: Text?, _ ignored: _IgnoredUse = #_ignored("role:badge")) -> some View {
        self
    }

    /// Adds a badge that contains text. Ignored on Linux.
    nonisolated public func badge(_ key: LocalizedStringKey?, _ ignored: _IgnoredUse = #_ignored("role:badge"))
        -> some View
    { self }

    /// Sets the title that navigation shows for this view. Ignored on Linux.
    nonisolated public func navigationTitle(
        _ titleKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("role:navigationTitle")
    ) -> some View { self }

    /// Sets the title that navigation shows for this view. Ignored on Linux.
    nonisolated public func navigationTitle(_ title: Text, _ ignored: _IgnoredUse = #_ignored("role:navigationTitle"))
        -> some View
    { self }

    /// Hides the view from screen readers. Ignored on Linux.
    nonisolated public func accessibilityHidden(
        _ hidden: Bool,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHidden")
    ) -> some View { self }

    /// Makes the view one element for screen readers. Ignored on Linux.
    nonisolated public func accessibilityElement(
        children: AccessibilityChildBehavior = .ignore,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityElement")
    ) -> some View { self }

    /// Sets the value that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityValue(
        _ valueKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityValue")
    ) -> some View { self }

    /// Sets the value that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityValue(
        _ value: Text,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityValue")
    ) -> some View { self }

    /// Sets the hint that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityHint(
        _ hintKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHint")
    ) -> some View { self }

    /// Sets the hint that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityHint(
        _ hint: Text,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHint")
    ) -> some View { self }

    /// Sets the name by which tests find the view. Ignored on Linux.
    nonisolated public func accessibilityIdentifier(
        _ identifier: String,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityIdentifier")
    ) -> some View { self }

    /// Adds traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityAddTraits(
        _ traits: AccessibilityTraits,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityAddTraits")
    ) -> some View { self }

    /// Removes traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityRemoveTraits(
        _ traits: AccessibilityTraits,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityRemoveTraits")
    ) -> some View { self }

    /// Sets the order in which screen readers read the views of a container. Ignored on Linux.
    nonisolated public func accessibilitySortPriority(
        _ sortPriority: Double,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilitySortPriority")
    ) -> some View { self }

    /// Adds an action to perform when the view appears. Never performed on Linux.
    nonisolated public func onAppear(
        perform action: (() -> Void)? = nil,
        _ ignored: _IgnoredUse = #_ignored("event:onAppear")
    ) -> some View { self }

    /// Adds an action to perform when the view disappears. Never performed on Linux.
    nonisolated public func onDisappear(
        perform action: (() -> Void)? = nil,
        _ ignored: _IgnoredUse = #_ignored("event:onDisappear")
    ) -> some View { self }

    /// Adds a task to perform while the view is visible. Never started on Linux.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor @Sendable () async -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:task")
    ) -> some View { self }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping (Value, Value) -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:onChange")
    ) -> some View { self }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping () -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:onChange")
    ) -> some View { self }
}
