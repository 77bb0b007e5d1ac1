public import Foundation

// The modifiers of texts, controls and screen readers that a snippet has no property for, and those with closures.
// They compile, so that source files for Apple's platforms need no change, and a snippet ignores them.

extension View {
    /// Reduces the size of texts that do not fit. Ignored on Linux.
    nonisolated public func minimumScaleFactor(
        _ factor: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("text:minimumScaleFactor")
    ) -> some View { self }

    /// Sets the part of a text that is left out. Ignored on Linux.
    nonisolated public func truncationMode(
        _ mode: Text.TruncationMode,
        _ ignored: _IgnoredUse = #_ignored("text:truncationMode")
    ) -> some View { self }

    /// Lets characters move together. Ignored on Linux.
    nonisolated public func allowsTightening(_ flag: Bool, _ ignored: _IgnoredUse = #_ignored("text:allowsTightening"))
        -> some View
    { self }

    /// Sets the space between lines. Ignored on Linux.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:lineSpacing"))
        -> some View
    { self }

    /// Sets the space between characters. Ignored on Linux.
    nonisolated public func kerning(_ kerning: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:kerning")) -> some View
    { self }

    /// Sets the space between characters. Ignored on Linux.
    nonisolated public func tracking(_ tracking: CGFloat, _ ignored: _IgnoredUse = #_ignored("text:tracking"))
        -> some View
    { self }

    /// Moves texts up or down. Ignored on Linux.
    nonisolated public func baselineOffset(
        _ baselineOffset: CGFloat,
        _ ignored: _IgnoredUse = #_ignored("text:baselineOffset")
    ) -> some View { self }

    /// Underlines texts. Ignored on Linux.
    nonisolated public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil,
        _ ignored: _IgnoredUse = #_ignored("text:underline")
    ) -> some View {
        self
    }

    /// Sets the width of the font. Ignored on Linux.
    nonisolated public func fontWidth(_ width: Font.Width?, _ ignored: _IgnoredUse = #_ignored("text:fontWidth"))
        -> some View
    { self }

    /// Shows digits of the same width. Ignored on Linux.
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

    /// Sets the form of symbols. Ignored on Linux.
    nonisolated public func symbolVariant(
        _ variant: SymbolVariants,
        _ ignored: _IgnoredUse = #_ignored("picture:symbolVariant")
    ) -> some View { self }

    /// Marks the view as private. Ignored on Linux.
    nonisolated public func privacySensitive(
        _ sensitive: Bool = true,
        _ ignored: _IgnoredUse = #_ignored("role:privacySensitive")
    ) -> some View { self }

    /// Marks content that an intent will change. Ignored on Linux.
    nonisolated public func invalidatableContent(
        _ invalidatable: Bool = true,
        _ ignored: _IgnoredUse = #_ignored("role:invalidatableContent")
    ) -> some View { self }

    /// Sets the identity. Ignored on Linux.
    nonisolated public func id<Identifier: Hashable>(_ id: Identifier, _ ignored: _IgnoredUse = #_ignored("role:id"))
        -> some View
    { self }

    /// Sets the value that a selection has for the view. Ignored on Linux.
    nonisolated public func tag<Value: Hashable>(_ tag: Value, _ ignored: _IgnoredUse = #_ignored("role:tag"))
        -> some View
    { self }

    /// Sets the shape of buttons. Ignored on Linux.
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

    /// Sets a description that is shown on demand. Ignored on Linux.
    nonisolated public func help(_ textKey: LocalizedStringKey, _ ignored: _IgnoredUse = #_ignored("role:help"))
        -> some View
    { self }

    /// Adds a number to the view. Ignored on Linux.
    nonisolated public func badge(_ count: Int, _ ignored: _IgnoredUse = #_ignored("role:badge")) -> some View { self }

    /// Adds a text to the view. Ignored on Linux.
    nonisolated public func badge(_ label: Text?, _ ignored: _IgnoredUse = #_ignored("role:badge")) -> some View {
        self
    }

    /// Adds a text to the view. Ignored on Linux.
    nonisolated public func badge(_ key: LocalizedStringKey?, _ ignored: _IgnoredUse = #_ignored("role:badge"))
        -> some View
    { self }

    /// Sets the title of a window. Ignored on Linux.
    nonisolated public func navigationTitle(
        _ titleKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("role:navigationTitle")
    ) -> some View { self }

    /// Sets the title of a window. Ignored on Linux.
    nonisolated public func navigationTitle(_ title: Text, _ ignored: _IgnoredUse = #_ignored("role:navigationTitle"))
        -> some View
    { self }

    /// Hides the view from screen readers. Ignored on Linux.
    nonisolated public func accessibilityHidden(
        _ hidden: Bool,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHidden")
    ) -> some View { self }

    /// Combines views for screen readers. Ignored on Linux.
    nonisolated public func accessibilityElement(
        children: AccessibilityChildBehavior = .ignore,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityElement")
    ) -> some View { self }

    /// Sets what screen readers speak as the value. Ignored on Linux.
    nonisolated public func accessibilityValue(
        _ valueKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityValue")
    ) -> some View { self }

    /// Sets what screen readers speak as the value. Ignored on Linux.
    nonisolated public func accessibilityValue(
        _ value: Text,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityValue")
    ) -> some View { self }

    /// Sets what screen readers speak as an explanation. Ignored on Linux.
    nonisolated public func accessibilityHint(
        _ hintKey: LocalizedStringKey,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHint")
    ) -> some View { self }

    /// Sets what screen readers speak as an explanation. Ignored on Linux.
    nonisolated public func accessibilityHint(
        _ hint: Text,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilityHint")
    ) -> some View { self }

    /// Sets the name of the view in tests. Ignored on Linux.
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

    /// Sets the order in which screen readers speak. Ignored on Linux.
    nonisolated public func accessibilitySortPriority(
        _ sortPriority: Double,
        _ ignored: _IgnoredUse = #_ignored("accessibility:accessibilitySortPriority")
    ) -> some View { self }

    /// Calls a closure when the view appears. Ignored on Linux.
    nonisolated public func onAppear(
        perform action: (() -> Void)? = nil,
        _ ignored: _IgnoredUse = #_ignored("event:onAppear")
    ) -> some View { self }

    /// Calls a closure when the view disappears. Ignored on Linux.
    nonisolated public func onDisappear(
        perform action: (() -> Void)? = nil,
        _ ignored: _IgnoredUse = #_ignored("event:onDisappear")
    ) -> some View { self }

    /// Starts a task when the view appears. Ignored on Linux.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor @Sendable () async -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:task")
    ) -> some View {
        self
    }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping (Value, Value) -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:onChange")
    ) -> some View {
        self
    }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping () -> Void,
        _ ignored: _IgnoredUse = #_ignored("event:onChange")
    ) -> some View {
        self
    }
}
