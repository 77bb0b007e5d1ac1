import AppIntents
import OSLog
import SwiftUI

// Declarations as Apple's pages have them, where sources depend on the exact signature.

enum PagesFile {
    struct Sign: ForegroundContinuableIntent {
        static let title: LocalizedStringResource = "Sign"
        @Parameter(title: "Hard") var isHard: Bool

        func perform() async throws -> some IntentResult & ReturnsValue<Int> {
            if systemContext.preciseTimestamp != nil { try await requestToContinueInForeground("x") }
            if isHard { throw needsToContinueInForegroundError("x") { _ = try await Pen.shared.write() } }
            if !isHard { throw needsToContinueInForegroundError(continuation: nil) }
            try await requestToContinueInForeground { try await Pen.shared.write() }
            let count = try await requestToContinueInForeground("x") { try await Pen.shared.write() }
            return .result(value: count)
        }
    }

    @MainActor final class Pen {
        static let shared = Pen()
        func write() async throws -> Int { 1 }
    }

    struct ShowNothing: AppIntent {
        static let title: LocalizedStringResource = "Show nothing"

        func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog & ShowsSnippetView {
            .result(value: 1, dialog: "x")
        }
    }

    struct ShowNothing2: AppIntent {
        static let title: LocalizedStringResource = "Show nothing"
        func perform() async throws -> some IntentResult & ShowsSnippetView { .result() }
    }

    struct ShowNothing3: AppIntent {
        static let title: LocalizedStringResource = "Show nothing"
        func perform() async throws -> some IntentResult { .result(dialog: "x") }
    }

    struct Page: AppEntity, IndexedEntity, SyncableEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Page"
        static let defaultQuery = PageQuery()
        let id: SyncableEntityIdentifier<String, UUID>
        @Property(title: "Text") var text: String
        var displayRepresentation: DisplayRepresentation { "\(id.local)" }
        var attributeSet: CSSearchableItemAttributeSet {
            let attributes = CSSearchableItemAttributeSet()
            attributes.title = text
            return attributes
        }
    }

    struct PageQuery: IndexedEntityQuery {
        static let allowedExecutionTargets: IntentExecutionTargets = [.main]

        func entities(for identifiers: [Page.ID]) async throws -> [Page] { [] }
        func reindexEntities(
            for identifiers: [Page.ID],
            indexDescription: CSSearchableIndexDescription
        ) async throws {}
        func reindexAllEntities(indexDescription: CSSearchableIndexDescription) async throws {}
    }

    struct PageValues: IntentValueQuery {
        static let allowedExecutionTargets: IntentExecutionTargets = .main
        func values(for input: String) async throws -> [Page] { [] }
    }

    struct Turn: AppIntent, PredictableIntent {
        static let title: LocalizedStringResource = "Turn"
        @Parameter(title: "Page") var page: Page?
        @Parameter(title: "Number") var number: Int?

        static var parameterSummary: some ParameterSummary {
            When(\.$page, identifier: .equalTo, SyncableEntityIdentifier(local: "1", stable: UUID())) {
                Summary("Turn to the first")
            } otherwise: {
                When(\.$page, identifier: .hasPrefix, "appendix") {
                    Summary("Turn to the appendix \(\.$page)")
                } otherwise: {
                    When(\.$page, identifier: .oneOf, []) {
                        Summary("Turn to nothing")
                    } otherwise: {
                        Summary("Turn to \(\.$page)")
                    }
                }
            }
        }

        static var predictionConfiguration: some IntentPredictionConfiguration {
            IntentPrediction(parameters: \.$number) { number in "\(number ?? 0)" }
            IntentPrediction(parameters: (\.$page, \.$number)) { _, number in "\(number ?? 0)" }
        }

        func perform() async throws -> some IntentResult { .result() }
    }

    static let operators: (HasValueComparisonOperator, OneOfComparisonOperator, StringComparisonOperator) =
        (.hasAnyValue, .oneOf, .doesNotContain)

    static func describe(_ value: some AnyIntentValue) -> String { value.isOptional ? "optional" : "required" }
    static func targets<Content: ParameterSummary>(_: Content) -> Content.Intent.Type { Content.Intent.self }

    struct Predictable: PredictableIntent {
        typealias Prediction = TupleIntentPrediction<
            Predictable, (IntentPrediction<Predictable, Void>, IntentPrediction<Predictable, Void>)
        >
        static let title: LocalizedStringResource = "Predictable"
        static var predictionConfiguration: Prediction {
            IntentPrediction { "a" }
            IntentPrediction { "b" }
        }
        func perform() async throws -> some IntentResult { .result() }
    }

    @AppIntent(schema: .journal.createEntry)
    struct Create {
        static let title: LocalizedStringResource = "Create"
        var message: String
        var tags: [String]?
        var finished: (@Sendable () -> Void)?
        var onError: (@Sendable (any Error) -> Void)?
        var store: (any Storage)?
        var cache: [String: Int]?
        var size: (Int, Int)?

        func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: message) }
    }

    // MARK: SDK 27.3, a beta

    @AppIntent(.tool)
    struct FindPatient: AppIntent {
        static let title: LocalizedStringResource = "Find a patient"
        func perform() async throws -> some IntentResult & ReturnsValue<Patient> { .result(value: Patient()) }
    }

    @AppIntent([.tool], schema: .journal.createEntry)
    struct Note {
        static let title: LocalizedStringResource = "Note"
        var text: String
        func perform() async throws -> some IntentResult { .result() }
    }

    struct Patient: TransientAppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Patient"
        @Property(title: "Name") var name: String
        @Property(title: "Number", visibility: .internal) var number: Int
        @ComputedProperty(visibility: .internal) var initials: String { String(name.prefix(1)) }
        @DeferredProperty(title: "Age", visibility: .internal) var age: Int { get async throws { 7 } }
        @ComputedProperty(title: "Length", visibility: .default) var length: Int { name.count }
        var displayRepresentation: DisplayRepresentation { "\(name)" }

        init() {
            name = "Ada"
            number = 7
        }
    }

    static let schema: AppSchema.Schema = .journal.createEntry

    struct Log: AppIntent {
        static let title: LocalizedStringResource = "Log"

        func perform() async throws -> some IntentResult {
            let (ratio, count) = (1.0 / 3, 255)
            let logger = Logger(subsystem: "org.example", category: "pages")
            logger.info("\(ratio, format: .fixed(precision: 2)) \(ratio, format: .exponential, privacy: .public)")
            logger.info(
                """
                \(count, format: .hex(includePrefix: true, minDigits: 4), align: .right(columns: 10)) \
                \("name", align: .left(columns: 10), privacy: .public)|
                """
            )
            return .result()
        }
    }

    static func cancelled(_ reason: IntentCancellationReason) -> Bool {
        switch reason {
        case .timeout: true
        case .unknown: false
        default: false
        }
    }
}
