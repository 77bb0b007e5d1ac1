public import Foundation

// The modifiers of texts, controls and screen readers that a snippet has no property for, and those with closures.
// They compile, so that source files for Apple's platforms need no change, and a snippet ignores them.

extension View {
    /// Reduces the size of texts that do not fit. Ignored on Linux.
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }

    /// Sets the part of a text that is left out. Ignored on Linux.
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }

    /// Lets characters move together. Ignored on Linux.
    nonisolated public func allowsTightening(_ flag: Bool) -> some View { self }

    /// Sets the space between lines. Ignored on Linux.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }

    /// Sets the space between characters. Ignored on Linux.
    nonisolated public func kerning(_ kerning: CGFloat) -> some View { self }

    /// Sets the space between characters. Ignored on Linux.
    nonisolated public func tracking(_ tracking: CGFloat) -> some View { self }

    /// Moves texts up or down. Ignored on Linux.
    nonisolated public func baselineOffset(_ baselineOffset: CGFloat) -> some View { self }

    /// Underlines texts. Ignored on Linux.
    nonisolated public func underline(
        _ isActive: Bool = true,
        pattern: Text.LineStyle.Pattern = .solid,
        color: Color? = nil
    ) -> some View {
        self
    }

    /// Sets the width of the font. Ignored on Linux.
    nonisolated public func fontWidth(_ width: Font.Width?) -> some View { self }

    /// Shows digits of the same width. Ignored on Linux.
    nonisolated public func monospacedDigit() -> some View { self }

    /// Sets the size of symbols. Ignored on Linux.
    nonisolated public func imageScale(_ scale: Image.Scale) -> some View { self }

    /// Sets the colours of symbols. Ignored on Linux.
    nonisolated public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }

    /// Sets the form of symbols. Ignored on Linux.
    nonisolated public func symbolVariant(_ variant: SymbolVariants) -> some View { self }

    /// Marks the view as private. Ignored on Linux.
    nonisolated public func privacySensitive(_ sensitive: Bool = true) -> some View { self }

    /// Marks content that an intent will change. Ignored on Linux.
    nonisolated public func invalidatableContent(_ invalidatable: Bool = true) -> some View { self }

    /// Sets the identity. Ignored on Linux.
    nonisolated public func id<Identifier: Hashable>(_ id: Identifier) -> some View { self }

    /// Sets the value that a selection has for the view. Ignored on Linux.
    nonisolated public func tag<Value: Hashable>(_ tag: Value) -> some View { self }

    /// Sets the shape of buttons. Ignored on Linux.
    nonisolated public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }

    /// Sets the size of controls. Ignored on Linux.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { self }

    /// Hides the labels of controls. Ignored on Linux.
    nonisolated public func labelsHidden() -> some View { self }

    /// Sets a description that is shown on demand. Ignored on Linux.
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { self }

    /// Adds a number to the view. Ignored on Linux.
    nonisolated public func badge(_ count: Int) -> some View { self }

    /// Adds a text to the view. Ignored on Linux.
    nonisolated public func badge(_ label: Text?) -> some View { self }

    /// Adds a text to the view. Ignored on Linux.
    nonisolated public func badge(_ key: LocalizedStringKey?) -> some View { self }

    /// Sets the title of a window. Ignored on Linux.
    nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }

    /// Sets the title of a window. Ignored on Linux.
    nonisolated public func navigationTitle(_ title: Text) -> some View { self }

    /// Hides the view from screen readers. Ignored on Linux.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View { self }

    /// Combines views for screen readers. Ignored on Linux.
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }

    /// Sets what screen readers speak as the value. Ignored on Linux.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { self }

    /// Sets what screen readers speak as the value. Ignored on Linux.
    nonisolated public func accessibilityValue(_ value: Text) -> some View { self }

    /// Sets what screen readers speak as an explanation. Ignored on Linux.
    nonisolated public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }

    /// Sets what screen readers speak as an explanation. Ignored on Linux.
    nonisolated public func accessibilityHint(_ hint: Text) -> some View { self }

    /// Sets the name of the view in tests. Ignored on Linux.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View { self }

    /// Adds traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }

    /// Removes traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { self }

    /// Sets the order in which screen readers speak. Ignored on Linux.
    nonisolated public func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }

    /// Calls a closure when the view appears. Ignored on Linux.
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Calls a closure when the view disappears. Ignored on Linux.
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Starts a task when the view appears. Ignored on Linux.
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View {
        self
    }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping (Value, Value) -> Void
    ) -> some View {
        self
    }

    /// Calls a closure when a value changes. Ignored on Linux.
    nonisolated public func onChange<Value: Equatable>(
        of value: Value,
        initial: Bool = false,
        _ action: @escaping () -> Void
    ) -> some View {
        self
    }
}
