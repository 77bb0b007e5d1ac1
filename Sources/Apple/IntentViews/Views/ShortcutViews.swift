public import AppIntents

/// A tip that names an intent. Clients show its title, because Linux has no Siri.
///
/// Source: Apple's SiriTipView page.
public struct SiriTipView<Intent: AppIntent>: View {
    private let isVisible: Bool

    /// Creates a tip.
    public init(intent: Intent, isVisible: Binding<Bool>? = nil) {
        self.isVisible = isVisible?.wrappedValue ?? true
    }

    public var body: some View {
        if isVisible { Text(Intent.title) }
    }
}

/// A link to an app's shortcuts. Clients show it as text.
///
/// Source: Apple's ShortcutsLink page.
public struct ShortcutsLink: View {
    /// Creates a link.
    public init(action: @escaping () -> Void = {}, _ ignored: _IgnoredUse = #_ignored("action:ShortcutsLink")) {}

    public var body: some View { Text("Shortcuts") }
}

/// The appearance of a tip. Ignored on Linux.
///
/// Source: Apple's SiriTipViewStyle page.
public struct SiriTipViewStyle: Sendable {
    /// One of Apple's appearances.
    public static let automatic = SiriTipViewStyle(), light = SiriTipViewStyle(), dark = SiriTipViewStyle()
}

/// The appearance of a link to shortcuts. Ignored on Linux.
///
/// Source: Apple's ShortcutsLinkStyle page.
public struct ShortcutsLinkStyle: Sendable {
    /// One of Apple's appearances.
    public static let automatic = ShortcutsLinkStyle(), automaticOutline = ShortcutsLinkStyle(),
        light = ShortcutsLinkStyle(), lightOutline = ShortcutsLinkStyle(), dark = ShortcutsLinkStyle(),
        darkOutline = ShortcutsLinkStyle()
}
