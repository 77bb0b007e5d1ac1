public import AppIntents
public import Foundation
import IntentSharedTypes

/// A picture or a symbol.
///
/// Source: Apple's Image page. ``init(data:label:)`` and ``init(file:label:)`` are specific to Linux, which has neither
/// `UIImage` nor `NSImage`.
public struct Image: Equatable, Sendable {
    enum Source: Sendable {
        case symbol(String)
        /// A picture with the given name in the app's resources.
        case named(String, bundle: URL?)
        case file(IntentFile)
    }

    let source: Source
    /// The text that screen readers speak, and that a client shows if it cannot show the picture; nil for a picture
    /// without a label, such as a symbol or a decorative picture.
    let label: Text?
    /// The name of a symbol or resource; a random identifier for any other picture.
    private let identity: String

    private init(_ source: Source, identity: String, label: Text?) {
        self.source = source
        self.identity = identity
        self.label = label
    }

    public static func == (lhs: Image, rhs: Image) -> Bool { lhs.identity == rhs.identity && lhs.label == rhs.label }

    /// Creates a symbol by its name, such as `cart.fill`.
    public init(systemName: String) {
        self.init(.symbol(systemName), identity: systemName, label: nil)
    }

    /// Creates a symbol by its name. The variable value is ignored on Linux.
    public init(systemName: String, variableValue: Double?) {
        self.init(systemName: systemName)
    }

    /// Creates a picture from the app's resources. Its label is its name.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(.named(name, bundle: bundle?.bundleURL), identity: name, label: Text(verbatim: name))
    }

    /// Creates a picture from the app's resources. The variable value is ignored on Linux.
    public init(_ name: String, variableValue: Double?, bundle: Bundle? = nil) {
        self.init(name, bundle: bundle)
    }

    /// Creates a picture from the app's resources, with a label for screen readers.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        self.init(.named(name, bundle: bundle?.bundleURL), identity: name, label: label)
    }

    /// Creates a decorative picture from the app's resources, which screen readers ignore.
    public init(decorative name: String, bundle: Bundle? = nil) {
        self.init(.named(name, bundle: bundle?.bundleURL), identity: name, label: nil)
    }

    /// Creates a picture from the bytes of a PNG, JPEG, GIF, WebP or SVG file, with a label for screen readers.
    public init(data: Data, label: Text? = nil) {
        let kind = PictureKind(data)
        let file = IntentFile(data: data, filename: "picture.\(kind.filenameExtension)")
        self.init(.file(file), identity: UUID().uuidString, label: label)
    }

    /// Creates a picture from a file, with a label for screen readers.
    public init(file: IntentFile, label: Text? = nil) {
        self.init(.file(file), identity: UUID().uuidString, label: label)
    }
}

extension Image: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws {
        var style = SnippetStyle()
        style.accessibilityLabel = label?.plainText(in: canvas.environment.locale).bounded(to: 256)
        switch source {
        case .symbol(let name):
            let inherited = canvas.environment.textStyle
            style.font = inherited.font
            style.foreground = inherited.foreground
            return try canvas.add(.symbol(name.bounded(to: 128)), style: style)
        case .file(let file):
            if try canvas.add(picture: file, style: style) { return }
        case .named(let name, let bundle):
            guard let url = PictureKind.url(of: name, in: bundle.flatMap { Bundle(url: $0) } ?? .main) else {
                canvas.remark("cannot show the picture '\(name)': add '\(name).png' to the resources of the target")
                break
            }
            if try canvas.add(picture: IntentFile(fileURL: url), style: style) { return }
        }
        // If the picture cannot be shown, as in a question, its label is shown instead.
        if let text = style.accessibilityLabel { try canvas.add(text: text) }
    }
}

extension SymbolVariants {
    /// This variant with filled areas.
    public var fill: SymbolVariants { SymbolVariants(name: "\(name).fill") }
    /// This variant in a circle.
    public var circle: SymbolVariants { SymbolVariants(name: "\(name).circle") }
    /// This variant in a square.
    public var square: SymbolVariants { SymbolVariants(name: "\(name).square") }
}

/// A picture file format that clients can show.
private enum PictureKind: String, CaseIterable {
    case png, jpg, jpeg, webp, gif, svg

    /// Determines the format of a picture from its first bytes. Unknown bytes are treated as SVG, which has no
    /// signature.
    init(_ data: Data) {
        let start = Array(data.prefix(12))
        self =
            if start.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
                .png
            } else if start.starts(with: [0xFF, 0xD8]) {
                .jpg
            } else if start.starts(with: "GIF8".utf8) {
                .gif
            } else if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBP".utf8) {
                .webp
            } else {
                .svg
            }
    }

    var filenameExtension: String { rawValue }

    /// Returns the URL of a picture in a bundle's resources; nil if it was not found.
    static func url(of name: String, in bundle: Bundle) -> URL? {
        let kinds = allCases.map(\.rawValue)
        if kinds.contains(where: { name.utf8.reversed().starts(with: ("." + $0).utf8.reversed()) }),
            let url = bundle.url(forResource: name, withExtension: nil)
        {
            return url
        }
        for kind in kinds {
            for suffix in ["", "@2x", "@3x"] {
                if let url = bundle.url(forResource: name + suffix, withExtension: kind) { return url }
            }
        }
        return nil
    }
}

/// A picture that is loaded from a URL on Apple's platforms. A snippet shows the placeholder, because the worker does
/// not load pictures from the network.
///
/// Source: Apple's AsyncImage page.
public struct AsyncImage<Content: View> {
    private let content: Content
}

extension AsyncImage where Content == Image {
    /// Creates a picture with the symbol `photo` as its placeholder.
    public init(url: URL?, scale: CGFloat = 1, _ ignored: _IgnoredUse = #_ignored("download:AsyncImage")) {
        content = Image(systemName: "photo")
    }
}

extension AsyncImage {
    /// Creates a picture with a placeholder.
    public init<Picture: View, Placeholder: View>(
        url: URL?,
        scale: CGFloat = 1,
        @ViewBuilder content: (Image) -> Picture,
        @ViewBuilder placeholder: () -> Placeholder,
        _ ignored: _IgnoredUse = #_ignored("download:AsyncImage")
    ) where Content == _ConditionalContent<Picture, Placeholder> {
        self.content = _ConditionalContent(storage: .second(placeholder()))
    }
}

extension AsyncImage: View, _PrimitiveView {
    public func _draw(on canvas: _SnippetCanvas) throws { try canvas.draw(content) }
}
