public import Foundation

/// The representation of a value that is shown to people: a title and optional details.
///
/// Source: Apple's DisplayRepresentation page.
public struct DisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The value's title.
    public var title: LocalizedStringResource
    /// The subtitle, shown on a second line.
    public var subtitle: LocalizedStringResource?
    /// The image. Ignored on Linux.
    public var image: Image?
    /// Alternative names for the value.
    public var synonyms: [LocalizedStringResource]

    /// Creates a representation with a title and optional details.
    public init(
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: Image? = nil,
        synonyms: [LocalizedStringResource] = []
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.synonyms = synonyms
    }

    /// Creates a representation with a closure that creates the image. Linux never calls the closure.
    ///
    /// Source: Apple's DisplayRepresentation.init(title:subtitle:synonyms:image:) page.
    public init(
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        synonyms: [LocalizedStringResource] = [],
        image: @escaping @Sendable () async throws -> Image?
    ) {
        self.init(title: title, subtitle: subtitle, synonyms: synonyms)
    }

    public init(stringLiteral value: String) {
        self.init(title: LocalizedStringResource(stringLiteral: value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(title: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }

    /// An image, described by its source.
    ///
    /// Source: Apple's DisplayRepresentation.Image page.
    public struct Image: Sendable, Hashable {
        /// The source of an image.
        enum Source: Sendable, Hashable {
            case systemName(String)
            case name(String)
            case data(Data)
            case url(URL)
        }

        let source: Source
        /// True if only the shape of the image is drawn, in one colour; nil for the default.
        let isTemplate: Bool?

        /// Creates an image from a system symbol.
        public init(systemName: String, isTemplate: Bool? = nil) {
            source = .systemName(systemName)
            self.isTemplate = isTemplate
        }

        /// Creates an image from the app's resources.
        public init(named name: String, isTemplate: Bool? = nil) {
            source = .name(name)
            self.isTemplate = isTemplate
        }

        /// Creates an image from its encoded bytes.
        public init(data: Data, isTemplate: Bool? = nil) {
            source = .data(data)
            self.isTemplate = isTemplate
        }

        /// Creates an image from a URL.
        public init(url: URL, isTemplate: Bool? = nil) {
            source = .url(url)
            self.isTemplate = isTemplate
        }
    }
}
