public import Foundation

// The modifiers of texts, controls and screen readers that a snippet ignores, and the modifiers with closures, which are
// never called. They exist so that source files for Apple's platforms compile without changes.

extension View {
    /// Sets the minimum factor by which a text is shrunk to fit its space. Ignored on Linux.
    nonisolated public func minimumScaleFactor(_ factor: CGFloat) -> some View { self }

    /// Sets the position at which a long text is truncated. Ignored on Linux.
    nonisolated public func truncationMode(_ mode: Text.TruncationMode) -> some View { self }

    /// Permits less space between characters so that a text fits. Ignored on Linux.
    nonisolated public func allowsTightening(_ flag: Bool) -> some View { self }

    /// Sets the space between lines. Ignored on Linux.
    nonisolated public func lineSpacing(_ lineSpacing: CGFloat) -> some View { self }

    /// Sets additional space between characters. Ignored on Linux.
    nonisolated public func kerning(_ kerning: CGFloat) -> some View { self }

    /// Sets additional space between characters, and disables ligatures. Ignored on Linux.
    nonisolated public func tracking(_ tracking: CGFloat) -> some View { self }

    /// Moves texts above or below their baseline. Ignored on Linux.
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

    /// Shows all digits with the same width. Ignored on Linux.
    nonisolated public func monospacedDigit() -> some View { self }

    /// Sets the size of symbols. Ignored on Linux.
    nonisolated public func imageScale(_ scale: Image.Scale) -> some View { self }

    /// Sets the colours of symbols. Ignored on Linux.
    nonisolated public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }

    /// Sets the variant of symbols, such as filled. Ignored on Linux.
    nonisolated public func symbolVariant(_ variant: SymbolVariants) -> some View { self }

    /// Marks the view's content as private. Ignored on Linux.
    nonisolated public func privacySensitive(_ sensitive: Bool = true) -> some View { self }

    /// Marks content that an intent will change. Ignored on Linux.
    nonisolated public func invalidatableContent(_ invalidatable: Bool = true) -> some View { self }

    /// Sets the identity of the view. Ignored on Linux.
    nonisolated public func id<Identifier: Hashable>(_ id: Identifier) -> some View { self }

    /// Sets the value that identifies the view in a selection. Ignored on Linux.
    nonisolated public func tag<Value: Hashable>(_ tag: Value) -> some View { self }

    /// Sets the shape of the borders of buttons. Ignored on Linux.
    nonisolated public func buttonBorderShape(_ shape: ButtonBorderShape) -> some View { self }

    /// Sets the size of controls. Ignored on Linux.
    nonisolated public func controlSize(_ controlSize: ControlSize) -> some View { self }

    /// Hides the labels of controls. Ignored on Linux.
    nonisolated public func labelsHidden() -> some View { self }

    /// Sets the text of a tooltip. Ignored on Linux.
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { self }

    /// Adds a badge that contains a number. Ignored on Linux.
    nonisolated public func badge(_ count: Int) -> some View { self }

    /// Adds a badge that contains a text. Ignored on Linux.
    nonisolated public func badge(_ label: Text?) -> some View { self }

    /// Adds a badge that contains a text. Ignored on Linux.
    nonisolated public func badge(_ key: LocalizedStringKey?) -> some View { self }

    /// Sets the title of the window. Ignored on Linux.
    nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }

    /// Sets the title of the window. Ignored on Linux.
    nonisolated public func navigationTitle(_ title: Text) -> some View { self }

    /// Hides the view from screen readers. Ignored on Linux.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View { self }

    /// Makes the view one element for screen readers. Ignored on Linux.
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }

    /// Sets the value that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { self }

    /// Sets the value that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityValue(_ value: Text) -> some View { self }

    /// Sets the explanation that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View { self }

    /// Sets the explanation that screen readers speak. Ignored on Linux.
    nonisolated public func accessibilityHint(_ hint: Text) -> some View { self }

    /// Sets the name by which tests find the view. Ignored on Linux.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View { self }

    /// Adds traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }

    /// Removes traits for screen readers. Ignored on Linux.
    nonisolated public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View { self }

    /// Sets the order in which screen readers read the views of a container. Ignored on Linux.
    nonisolated public func accessibilitySortPriority(_ sortPriority: Double) -> some View { self }

    /// Sets a closure for the time when the view appears. Linux never calls it.
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Sets a closure for the time when the view disappears. Linux never calls it.
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }

    /// Sets the closure of a task for the time while the view is visible. Linux never starts the task.
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
