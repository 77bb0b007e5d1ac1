public import AppIntents
import Foundation
import IntentSharedTypes

/// A title with a symbol or a picture.
///
/// Source: Apple's Label page.
public struct Label<Title: View, Icon: View> {
    private let title: Title
    private let icon: Icon

    /// Creates a label.
    public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
        self.title = title()
        self.icon = icon()
    }
}

extension Label where Title == Text, Icon == Image {
    /// Creates a label with a picture from the app's resources.
    public init(_ titleKey: LocalizedStringKey, image name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(decorative: name) })
    }

    /// Creates a label with a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
        self.init(title: { Text(titleKey) }, icon: { Image(systemName: name) })
    }

    /// Creates a label with a symbol.
    @_disfavoredOverload
    public init(_ titleResource: LocalizedStringResource, systemImage name: String) {
        self.init(title: { Text(titleResource) }, icon: { Image(systemName: name) })
    }

    /// Creates a label with a picture from the app's resources. The title is not translated.
    @_disfavoredOverload
    public init<Name: StringProtocol>(_ title: Name, image name: String) {
        self.init(title: { Text(title) }, icon: { Image(decorative: name) })
    }

    /// Creates a label with a symbol. The title is not translated.
    @_disfavoredOverload
    public init<Name: StringProtocol>(_ title: Name, systemImage name: String) {
        self.init(title: { Text(title) }, icon: { Image(systemName: name) })
    }
}

extension Label: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        switch canvas.environment.labelStyle {
        case .titleOnly: try canvas.draw(title)
        case .iconOnly: try canvas.draw(icon)
        case .titleAndIcon:
            try canvas.add(.stack(.horizontal)) {
                try canvas.draw(icon)
                try canvas.draw(title)
            }
        }
    }
}

/// A style that determines whether a label shows its title, its icon, or both.
///
/// Source: Apple's LabelStyle page. Linux does not support styles that an app declares.
public protocol LabelStyle {
    /// The parts that the style shows. Not for direct use by apps.
    var _parts: _LabelParts { get }
}

/// The parts of a label that are shown. Not for direct use by apps.
public enum _LabelParts: Sendable {
    /// The title and the icon, or only one of them.
    case titleAndIcon, titleOnly, iconOnly
}

/// The style that shows the title and the icon.
public struct TitleAndIconLabelStyle: LabelStyle {
    /// Creates the style.
    public init() {}
    public var _parts: _LabelParts { .titleAndIcon }
}

/// The default style. On Linux, it shows the title and the icon.
public struct DefaultLabelStyle: LabelStyle {
    /// Creates the style.
    public init() {}
    public var _parts: _LabelParts { .titleAndIcon }
}

/// The style that shows only the title.
public struct TitleOnlyLabelStyle: LabelStyle {
    /// Creates the style.
    public init() {}
    public var _parts: _LabelParts { .titleOnly }
}

/// The style that shows only the icon.
public struct IconOnlyLabelStyle: LabelStyle {
    /// Creates the style.
    public init() {}
    public var _parts: _LabelParts { .iconOnly }
}

extension LabelStyle where Self == TitleAndIconLabelStyle {
    /// The style that shows the title and the icon.
    public static var titleAndIcon: Self { Self() }
}

extension LabelStyle where Self == DefaultLabelStyle {
    /// The default style. On Linux, it shows the title and the icon.
    public static var automatic: Self { Self() }
}

extension LabelStyle where Self == TitleOnlyLabelStyle {
    /// The style that shows only the title.
    public static var titleOnly: Self { Self() }
}

extension LabelStyle where Self == IconOnlyLabelStyle {
    /// The style that shows only the icon.
    public static var iconOnly: Self { Self() }
}

/// A value with a label.
///
/// Source: Apple's LabeledContent page.
public struct LabeledContent<Label: View, Content: View> {
    private let label: Label
    private let content: Content

    /// Creates a value with a label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.label = label()
        self.content = content()
    }
}

extension LabeledContent where Label == Text {
    /// Creates a value with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(content: content, label: { Text(titleKey) })
    }

    /// Creates a value with a title, which is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {
        self.init(content: content, label: { Text(title) })
    }
}

extension LabeledContent where Label == Text, Content == Text {
    /// Creates a value with a title. The value is a string, which is not translated.
    public init<Value: StringProtocol>(_ titleKey: LocalizedStringKey, value: Value) {
        self.init(content: { Text(value) }, label: { Text(titleKey) })
    }

    /// Creates a value with a title. The value is a string. Neither the title nor the value is translated.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: StringProtocol>(_ title: Title, value: Value) {
        self.init(content: { Text(value) }, label: { Text(title) })
    }

    /// Creates a formatted value with a title.
    public init<Format: FormatStyle>(_ titleKey: LocalizedStringKey, value: Format.FormatInput, format: Format)
    where Format.FormatInput: Equatable, Format.FormatOutput == String {
        self.init(content: { Text(value, format: format) }, label: { Text(titleKey) })
    }
}

extension LabeledContent: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.add(.stack(.horizontal)) {
            try canvas.draw(label)
            try canvas.add(.spacer)
            try canvas.draw(content)
        }
    }
}

/// A message that is shown when content is unavailable.
///
/// Source: Apple's ContentUnavailableView page.
public struct ContentUnavailableView<Label: View, Description: View, Actions: View> {
    private let label: Label
    private let description: Description
    private let actions: Actions
}

extension ContentUnavailableView {
    /// Creates a message.
    public init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        self.init(label: label(), description: description(), actions: actions())
    }
}

extension ContentUnavailableView
where Label == IntentViews.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// Creates a message with a symbol.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        self.init(label: IntentViews.Label(title, systemImage: name), description: description, actions: EmptyView())
    }

    /// Creates a message with a symbol. The title is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, systemImage name: String, description: Text? = nil) {
        self.init(label: IntentViews.Label(title, systemImage: name), description: description, actions: EmptyView())
    }
}

extension ContentUnavailableView: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        try canvas.add(.stack(.vertical)) {
            try canvas.draw(label) { $0.textStyle.font = .headline }
            try canvas.draw(description) {
                $0.textStyle.font = .caption
                $0.textStyle.foreground = .secondary
            }
            try canvas.draw(actions)
        }
    }
}
