public import AppIntents

/// A button that performs an intent.
///
/// When a person uses the button, the client requests an ordinary run of the intent, with the parameter values that the
/// intent had when the snippet was created. A button with a closure has no effect and is shown as its label, because a
/// snippet contains no code.
///
/// Source: Apple's Button page.
public struct Button<Label: View> {
    private let intent: (any AppIntent)?
    private let role: ButtonRole?
    private let label: Label
}

extension Button {
    /// Creates a button that performs an intent.
    public init<Intent: AppIntent>(intent: Intent, @ViewBuilder label: () -> Label) {
        self.init(role: nil, intent: intent, label: label)
    }

    /// Creates a button that performs an intent.
    public init<Intent: AppIntent>(role: ButtonRole?, intent: Intent, @ViewBuilder label: () -> Label) {
        self.init(intent: intent, role: role, label: label())
    }

    /// Creates a button that has no effect in a snippet. Use ``init(intent:label:)`` instead.
    public init(
        action: @escaping @MainActor () -> Void,
        @ViewBuilder label: () -> Label,
        _ ignored: _IgnoredUse = #_ignored("action:Button")
    ) {
        self.init(intent: nil, role: nil, label: label())
    }

    /// Creates a button that has no effect in a snippet. Use ``init(role:intent:label:)`` instead.
    public init(
        role: ButtonRole?,
        action: @escaping @MainActor () -> Void,
        @ViewBuilder label: () -> Label,
        _ ignored: _IgnoredUse = #_ignored("action:Button")
    ) {
        self.init(intent: nil, role: role, label: label())
    }
}

extension Button where Label == Text {
    /// Creates a button that performs an intent.
    public init<Intent: AppIntent>(_ titleKey: LocalizedStringKey, intent: Intent) {
        self.init(intent: intent) { Text(titleKey) }
    }

    /// Creates a button that performs an intent.
    @_disfavoredOverload
    public init<Intent: AppIntent>(_ titleResource: LocalizedStringResource, intent: Intent) {
        self.init(intent: intent) { Text(titleResource) }
    }

    /// Creates a button that performs an intent. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Intent: AppIntent>(_ title: Title, intent: Intent) {
        self.init(intent: intent) { Text(title) }
    }

    /// Creates a button that performs an intent.
    public init<Intent: AppIntent>(_ titleKey: LocalizedStringKey, role: ButtonRole?, intent: Intent) {
        self.init(role: role, intent: intent) { Text(titleKey) }
    }

    /// Creates a button that performs an intent.
    @_disfavoredOverload
    public init<Intent: AppIntent>(_ titleResource: LocalizedStringResource, role: ButtonRole?, intent: Intent) {
        self.init(role: role, intent: intent) { Text(titleResource) }
    }

    /// Creates a button that performs an intent. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Intent: AppIntent>(_ title: Title, role: ButtonRole?, intent: Intent) {
        self.init(role: role, intent: intent) { Text(title) }
    }

    /// Creates a button that has no effect in a snippet.
    public init(
        _ titleKey: LocalizedStringKey,
        role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void,
        _ ignored: _IgnoredUse = #_ignored("action:Button")
    ) {
        self.init(intent: nil, role: role, label: Text(titleKey))
    }

    /// Creates a button that has no effect in a snippet. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title,
        role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void,
        _ ignored: _IgnoredUse = #_ignored("action:Button")
    ) {
        self.init(intent: nil, role: role, label: Text(title))
    }
}

extension Button where Label == IntentViews.Label<Text, Image> {
    /// Creates a button that performs an intent and shows a symbol.
    public init<Intent: AppIntent>(_ titleKey: LocalizedStringKey, systemImage: String, intent: Intent) {
        self.init(intent: intent) { IntentViews.Label(titleKey, systemImage: systemImage) }
    }

    /// Creates a button that performs an intent and shows a symbol. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Intent: AppIntent>(_ title: Title, systemImage: String, intent: Intent) {
        self.init(intent: intent) { IntentViews.Label(title, systemImage: systemImage) }
    }

    /// Creates a button that performs an intent and shows a symbol.
    public init<Intent: AppIntent>(
        _ titleKey: LocalizedStringKey,
        systemImage: String,
        role: ButtonRole?,
        intent: Intent
    ) {
        self.init(role: role, intent: intent) { IntentViews.Label(titleKey, systemImage: systemImage) }
    }

    /// Creates a button that performs an intent and shows a symbol. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Intent: AppIntent>(
        _ title: Title,
        systemImage: String,
        role: ButtonRole?,
        intent: Intent
    ) {
        self.init(role: role, intent: intent) { IntentViews.Label(title, systemImage: systemImage) }
    }

    /// Creates a button with a symbol, which has no effect in a snippet.
    public init(
        _ titleKey: LocalizedStringKey,
        systemImage: String,
        role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void,
        _ ignored: _IgnoredUse = #_ignored("action:Button")
    ) {
        self.init(intent: nil, role: role, label: IntentViews.Label(titleKey, systemImage: systemImage))
    }
}

extension Button: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        guard let intent else {
            canvas.remark("a button with a closure has no effect in a snippet: use Button(intent:)")
            return try canvas.draw(label)
        }
        try canvas.addControl(performing: intent, isDestructive: role == .destructive, label: label)
    }
}
