public import Foundation

/// How a value looks to people: a title, and what may stand beside it.
///
/// Source: Apple's DisplayRepresentation page.
public struct DisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// What the value is called.
    public var title: LocalizedStringResource
    /// A second line.
    public var subtitle: LocalizedStringResource?
    /// A picture. On Linux nobody shows it.
    public var image: Image?
    /// Further names of the value.
    public var synonyms: [LocalizedStringResource]

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

    /// With a picture that is made when it is shown; on Linux it never is.
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

    /// A picture by where it is.
    ///
    /// Source: Apple's DisplayRepresentation.Image page.
    public struct Image: Sendable, Hashable {
        /// Where a picture is.
        enum Source: Sendable, Hashable {
            case systemName(String)
            case name(String)
            case data(Data)
            case url(URL)
        }

        let source: Source
        /// True: only its outline counts.
        let isTemplate: Bool?

        /// A symbol of the system.
        public init(systemName: String, isTemplate: Bool? = nil) {
            source = .systemName(systemName)
            self.isTemplate = isTemplate
        }

        /// A picture of the app by its name.
        public init(named name: String, isTemplate: Bool? = nil) {
            source = .name(name)
            self.isTemplate = isTemplate
        }

        /// A picture's bytes.
        public init(data: Data, isTemplate: Bool? = nil) {
            source = .data(data)
            self.isTemplate = isTemplate
        }

        /// A picture at a URL.
        public init(url: URL, isTemplate: Bool? = nil) {
            source = .url(url)
            self.isTemplate = isTemplate
        }
    }
}
