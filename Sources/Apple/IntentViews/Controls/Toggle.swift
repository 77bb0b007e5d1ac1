public import AppIntents
import IntentSharedTypes

/// A toggle that performs an intent.
///
/// When a person uses the toggle, the client requests an ordinary run of the intent. If the intent is a
/// `SetValueIntent` with a Boolean value, its `value` is the new state of the toggle.
///
/// Source: Apple's Toggle page.
public struct Toggle<Label: View> {
    private let intent: (any AppIntent)?
    private let isOn: Bool
    private let label: Label
}

extension Toggle {
    /// Creates a toggle that performs an intent.
    public init<Intent: AppIntent>(isOn: Bool, intent: Intent, @ViewBuilder label: () -> Label) {
        self.init(intent: intent, isOn: isOn, label: label())
    }

    /// Creates a toggle that has no effect in a snippet. Use ``init(isOn:intent:label:)`` instead.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.init(intent: nil, isOn: isOn.wrappedValue, label: label())
    }
}

extension Toggle where Label == Text {
    /// Creates a toggle that performs an intent.
    public init<Intent: AppIntent>(_ titleKey: LocalizedStringKey, isOn: Bool, intent: Intent) {
        self.init(isOn: isOn, intent: intent) { Text(titleKey) }
    }

    /// Creates a toggle that performs an intent.
    @_disfavoredOverload
    public init<Intent: AppIntent>(_ titleResource: LocalizedStringResource, isOn: Bool, intent: Intent) {
        self.init(isOn: isOn, intent: intent) { Text(titleResource) }
    }

    /// Creates a toggle that performs an intent. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Intent: AppIntent>(_ title: Title, isOn: Bool, intent: Intent) {
        self.init(isOn: isOn, intent: intent) { Text(title) }
    }

    /// Creates a toggle that has no effect in a snippet.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(titleKey) }
    }

    /// Creates a toggle that has no effect in a snippet. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        guard let intent else {
            canvas.remark("a toggle with a binding has no effect in a snippet: use Toggle(isOn:intent:)")
            return try canvas.add(.stack(.horizontal)) {
                try canvas.draw(Image(systemName: isOn ? "checkmark.circle.fill" : "circle"))
                try canvas.draw(label)
            }
        }
        try canvas.addControl(performing: intent, isOn: isOn, label: label)
    }
}
