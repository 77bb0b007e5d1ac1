/// The type of a file's content.
///
/// A short table describes the types that intents commonly use. For all other types, only the identifier is known.
///
/// `AppIntents` re-exports this type. The `UniformTypeIdentifiers` product provides it in a module with the same name
/// as Apple's.
///
/// Source: Apple's UTType page.
public struct UTType: Sendable, Hashable, Codable {
    /// The uniform type identifier, such as "public.plain-text".
    public let identifier: String
    /// The usual file name extension, without the dot; nil if unknown.
    public let preferredFilenameExtension: String?
    /// The media type, such as "text/plain"; nil if unknown.
    public let preferredMIMEType: String?

    /// Creates a type from its identifier; nil if the string is not an identifier.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty, !identifier.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self = Self.table.first { $0.identifier == identifier } ?? UTType(identifier, nil, nil)
    }

    /// Creates a type from a file name extension; nil if the table does not contain the extension.
    public init?(filenameExtension: String) {
        let wanted = filenameExtension.lowercased()
        let usual = ["jpg": "jpeg", "htm": "html", "yml": "yaml", "tif": "tiff"][wanted] ?? wanted
        guard let known = Self.table.first(where: { $0.preferredFilenameExtension == usual }) else { return nil }
        self = known
    }

    /// Creates a type from a media type; nil if the table does not contain the media type.
    public init?(mimeType: String) {
        let wanted = Substring(mimeType.utf8.prefix { $0 != UInt8(ascii: ";") }).lowercased()
        guard let known = Self.table.first(where: { $0.preferredMIMEType == wanted }) else { return nil }
        self = known
    }

    /// Creates a type that this app declares. The parent type is ignored.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = UTType(identifier) ?? UTType(identifier, nil, nil)
    }

    /// Creates a type that another app declares. The parent type is ignored.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = UTType(identifier) ?? UTType(identifier, nil, nil)
    }

    private init(_ identifier: String, _ filenameExtension: String?, _ mimeType: String?) {
        self.identifier = identifier
        preferredFilenameExtension = filenameExtension
        preferredMIMEType = mimeType
    }

    /// True if the table contains the type.
    package var isInTable: Bool { Self.table.contains { $0.identifier == identifier } }

    /// Returns true if this type equals the given type or is known to be a subtype of it.
    public func conforms(to type: UTType) -> Bool {
        if self == type || type == .item { return true }
        if self == .folder || self == .directory { return type == .directory }
        guard let mimeType = preferredMIMEType else { return type == .data }
        let group = Substring(mimeType.utf8.prefix { $0 != UInt8(ascii: "/") })
        switch type {
        case .data: return true
        case .text: return group == "text" || self == .json || self == .xml
        case .image: return group == "image"
        case .audio: return group == "audio"
        case .movie, .video: return group == "video"
        case .audiovisualContent: return group == "audio" || group == "video"
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
    public static let content = UTType("public.content", nil, nil)
    public static let url = UTType("public.url", nil, nil)
    public static let fileURL = UTType("public.file-url", nil, nil)
    public static let folder = UTType("public.folder", nil, nil)
    public static let directory = UTType("public.directory", nil, nil)
    public static let rtf = UTType("public.rtf", "rtf", "text/rtf")
    public static let delimitedText = UTType("public.delimited-values-text", nil, nil)
    public static let tabSeparatedText = UTType("public.tab-separated-values-text", "tsv", "text/tab-separated-values")
    public static let utf16PlainText = UTType("public.utf16-plain-text", nil, nil)
    public static let log = UTType("com.apple.log", "log", nil)
    public static let sourceCode = UTType("public.source-code", nil, nil)
    public static let swiftSource = UTType("public.swift-source", "swift", nil)
    public static let script = UTType("public.script", nil, nil)
    public static let javaScript = UTType("com.netscape.javascript-source", "js", "text/javascript")
    public static let shellScript = UTType("public.shell-script", "sh", nil)
    public static let pythonScript = UTType("public.python-script", "py", "text/x-python-script")
    public static let css = UTType("public.css", "css", "text/css")
    public static let propertyList = UTType("com.apple.property-list", "plist", nil)
    public static let geoJSON = UTType("public.geojson", "geojson", "application/geo+json")
    public static let epub = UTType("org.idpf.epub-container", "epub", "application/epub+zip")
    public static let vCard = UTType("public.vcard", "vcf", "text/vcard")
    public static let calendarEvent = UTType("public.calendar-event", nil, nil)
    public static let emailMessage = UTType("public.email-message", nil, nil)
    public static let spreadsheet = UTType("public.spreadsheet", nil, nil)
    public static let presentation = UTType("public.presentation", nil, nil)
    public static let database = UTType("public.database", nil, nil)
    public static let heic = UTType("public.heic", "heic", "image/heic")
    public static let heif = UTType("public.heif", "heif", "image/heif")
    public static let webP = UTType("org.webmproject.webp", "webp", "image/webp")
    public static let bmp = UTType("com.microsoft.bmp", "bmp", "image/bmp")
    public static let ico = UTType("com.microsoft.ico", "ico", "image/vnd.microsoft.icon")
    public static let rawImage = UTType("public.camera-raw-image", nil, nil)
    public static let audiovisualContent = UTType("public.audiovisual-content", nil, nil)
    public static let video = UTType("public.video", nil, nil)
    public static let quickTimeMovie = UTType("com.apple.quicktime-movie", "mov", "video/quicktime")
    public static let mpeg = UTType("public.mpeg", "mpg", "video/mpeg")
    public static let avi = UTType("public.avi", "avi", "video/avi")
    public static let mpeg4Audio = UTType("public.mpeg-4-audio", "mp4", "audio/mp4")
    public static let appleProtectedMPEG4Audio = UTType("com.apple.protected-mpeg-4-audio", "m4p", nil)
    public static let aiff = UTType("public.aiff-audio", "aiff", "audio/aiff")
    public static let midi = UTType("public.midi-audio", "midi", "audio/midi")
    public static let bz2 = UTType("public.bzip2-archive", "bz2", "application/x-bzip2")
    public static let executable = UTType("public.executable", nil, nil)
    public static let font = UTType("public.font", nil, nil)

    private static let table: [UTType] = [
        .item, .data, .text, .plainText, .utf8PlainText, .commaSeparatedText, .json, .yaml, .xml, .html, .pdf, .image,
        .png, .jpeg, .gif, .tiff, .svg, .audio, .mp3, .wav, .movie, .mpeg4Movie, .archive, .zip, .gzip,
        .content, .url, .fileURL, .folder, .directory, .rtf, .delimitedText, .tabSeparatedText, .utf16PlainText,
        .log, .sourceCode, .swiftSource, .script, .javaScript, .shellScript, .pythonScript, .css, .propertyList,
        .geoJSON, .epub, .vCard, .calendarEvent, .emailMessage, .spreadsheet, .presentation, .database, .heic,
        .heif, .webP, .bmp, .ico, .rawImage, .audiovisualContent, .video, .quickTimeMovie, .mpeg, .avi,
        .mpeg4Audio, .appleProtectedMPEG4Audio, .aiff, .midi, .bz2, .executable, .font,
    ]
}

extension UTType {
    /// Creates a type from a string that a peer sent: a media type or a uniform type identifier.
    package init?(contentType: String) {
        guard let type = UTType(mimeType: contentType) ?? UTType(contentType) else { return nil }
        self = type
    }
}
