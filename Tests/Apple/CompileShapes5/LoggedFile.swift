import AppIntents
import OSLog
import UniformTypeIdentifiers

private let logger = Logger(subsystem: "org.example.shapes", category: "Intents")

struct LogWords: AppIntent {
    static let title: LocalizedStringResource = "Log words"
    @Parameter(title: "Count", default: 3) var count: Int
    @Parameter(title: "File", supportedContentTypes: [UTType.image, .pdf]) var file: IntentFile?

    func perform() async throws -> some IntentResult & ReturnsValue<String?> {
        logger.info("asked for \(count), \("a secret", privacy: .private)")
        logger.debug("not written")
        logger.log(level: .error, "and \(file?.filename ?? "none", privacy: .public)")
        return .result(value: file?.type?.identifier)
    }
}

struct ComputedEntity: AppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Computed"
    static var defaultQuery = ComputedQuery()
    var id: String
    @ComputedProperty var initials: String { String(id.prefix(1)) }
    @DeferredProperty var size: Int { get async throws { id.count } }
    var displayRepresentation: DisplayRepresentation { "\(initials)" }
}

struct ComputedQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [ComputedEntity] {
        identifiers.map { ComputedEntity(id: $0) }
    }
}
