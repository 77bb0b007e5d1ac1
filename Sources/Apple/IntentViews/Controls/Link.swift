public import AppIntents
import Foundation
import IntentSharedTypes

/// A link that opens a URL, such as the address of a web page.
///
/// Source: Apple's Link page.
public struct Link<Label: View> {
    private let destination: URL
    private let label: Label

    /// Creates a link with a label.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        self.destination = destination
        self.label = label()
    }
}

extension Link where Label == Text {
    /// Creates a link with a title.
    public init(_ titleKey: LocalizedStringKey, destination: URL) {
        self.init(destination: destination) { Text(titleKey) }
    }

    /// Creates a link with a title.
    @_disfavoredOverload
    public init(_ titleResource: LocalizedStringResource, destination: URL) {
        self.init(destination: destination) { Text(titleResource) }
    }

    /// Creates a link with a title, which is not translated.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, destination: URL) {
        self.init(destination: destination) { Text(title) }
    }
}

extension Link: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        let address = destination.absoluteString
        // A part of an address would lead to another page.
        guard address.utf8.count <= 4 << 10 else { return try canvas.draw(label) }
        try canvas.add(.link(address)) { try canvas.draw(label) }
    }
}
