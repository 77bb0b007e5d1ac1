/// The type of a file's contents.
///
/// A short table of the types that intents name; a type beyond it is known by its identifier alone.
///
/// Source: Apple's UTType page (UniformTypeIdentifiers; absent on Linux).
public struct UTType: Sendable, Hashable, Codable {
    /// The uniform type identifier, such as "public.plain-text".
    public let identifier: String
    /// Without the dot.
    public let preferredFilenameExtension: String?
    /// The media type, such as "text/plain".
    public let preferredMIMEType: String?

    /// The type of that identifier; nil when the text is none.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty, !identifier.contains("/") else { return nil }
        self = Self.table.first { $0.identifier == identifier } ?? UTType(identifier, nil, nil)
    }

    /// The type of files with that extension; nil when the table has none.
    public init?(filenameExtension: String) {
        let wanted = filenameExtension.lowercased()
        let usual = ["jpg": "jpeg", "htm": "html", "yml": "yaml", "tif": "tiff"][wanted] ?? wanted
        guard let known = Self.table.first(where: { $0.preferredFilenameExtension == usual }) else { return nil }
        self = known
    }

    /// The type with that media type; nil when the table has none.
    public init?(mimeType: String) {
        let wanted = mimeType.prefix { $0 != ";" }.lowercased()
        guard let known = Self.table.first(where: { $0.preferredMIMEType == wanted }) else { return nil }
        self = known
    }

    private init(_ identifier: String, _ filenameExtension: String?, _ mimeType: String?) {
        self.identifier = identifier
        preferredFilenameExtension = filenameExtension
        preferredMIMEType = mimeType
    }

    /// False: nothing is known of the type but its identifier.
    package var isInTable: Bool { Self.table.contains { $0.identifier == identifier } }

    /// True when the type is the other one, or a kind of it, as far as the table knows.
    public func conforms(to type: UTType) -> Bool {
        if self == type || type == .item { return true }
        guard let group = preferredMIMEType?.prefix(while: { $0 != "/" }) else { return type == .data }
        switch type {
        case .data: return true
        case .text: return group == "text" || self == .json || self == .xml
        case .image: return group == "image"
        case .audio: return group == "audio"
        case .movie: return group == "video"
        case .archive: return self == .zip || self == .gzip
        default: return false
        }
    }

    public static let item = UTType("public.item", nil, nil)
    public static let data = UTType("public.data", nil, "application/octet-stream")
    public static let text = UTType("public.text", nil, nil)
    public static let plainText = UTType("public.plain-text", "txt", "text/plain")
    public static let utf8PlainText = UTType("public.utf8-plain-text", nil, nil)
    public static let commaSeparatedText = UTType("public.comma-separated-values-text", "csv", "text/csv")
    public static let json = UTType("public.json", "json", "application/json")
    public static let yaml = UTType("public.yaml", "yaml", "application/yaml")
    public static let xml = UTType("public.xml", "xml", "application/xml")
    public static let html = UTType("public.html", "html", "text/html")
    public static let pdf = UTType("com.adobe.pdf", "pdf", "application/pdf")
    public static let image = UTType("public.image", nil, nil)
    public static let png = UTType("public.png", "png", "image/png")
    public static let jpeg = UTType("public.jpeg", "jpeg", "image/jpeg")
    public static let gif = UTType("com.compuserve.gif", "gif", "image/gif")
    public static let tiff = UTType("public.tiff", "tiff", "image/tiff")
    public static let svg = UTType("public.svg-image", "svg", "image/svg+xml")
    public static let audio = UTType("public.audio", nil, nil)
    public static let mp3 = UTType("public.mp3", "mp3", "audio/mpeg")
    public static let wav = UTType("com.microsoft.waveform-audio", "wav", "audio/vnd.wave")
    public static let movie = UTType("public.movie", nil, nil)
    public static let mpeg4Movie = UTType("public.mpeg-4", "mp4", "video/mp4")
    public static let archive = UTType("public.archive", nil, nil)
    public static let zip = UTType("public.zip-archive", "zip", "application/zip")
    public static let gzip = UTType("org.gnu.gnu-zip-archive", "gz", "application/gzip")

    private static let table: [UTType] = [
        .item, .data, .text, .plainText, .utf8PlainText, .commaSeparatedText, .json, .yaml, .xml, .html, .pdf, .image,
        .png, .jpeg, .gif, .tiff, .svg, .audio, .mp3, .wav, .movie, .mpeg4Movie, .archive, .zip, .gzip,
    ]
}

extension UTType {
    /// From a peer's word: a media type or a uniform type identifier.
    package init?(contentType: String) {
        guard let type = UTType(mimeType: contentType) ?? UTType(contentType) else { return nil }
        self = type
    }
}
