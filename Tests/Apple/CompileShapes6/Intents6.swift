import AppIntents

enum Priority: String, AppEnum {
    case low, high

    static let typeDisplayRepresentation: TypeDisplayRepresentation = .init(name: "Priority", synonyms: ["Urgency"])
    static let caseDisplayRepresentations: [Priority: DisplayRepresentation] = [.low: "Low", .high: "High"]
}

struct SaveNote: AppIntent {
    static let title: LocalizedStringResource = "Save a note"
    static let description: IntentDescription? = IntentDescription("Saves.", categoryName: "Notes")
    static let supportedModes: IntentModes = .background

    @Parameter(title: "Text") var text: String
    @Parameter(title: "Priority", default: .low) var priority: Priority?
    @Parameter(title: "Due", default: Date(timeIntervalSince1970: 0)) var due: Date
    @Dependency private var storage: any Storage

    static var parameterSummary: some ParameterSummary {
        When(\.$priority, .equalTo, .high) {
            Summary("Save \(\.$text) at once")
        } otherwise: {
            Summary("Save \(\.$text)") {
                \.$priority
                \.$due
            }
        }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
        let number = await storage.save(text)
        return .result(value: number, dialog: "Saved as \(number).")
    }
}

struct RenameWindow: AppIntent {
    static var title: LocalizedStringResource { "Rename" }
    @Parameter var name: String
    @Dependency var window: Window

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let old = window.title
        window.title = name
        return .result(value: "\(old) to \(window.title)")
    }
}

struct ListPanes: AppIntent {
    static let title: LocalizedStringResource = "List panes"
    @Dependency(key: Pane.left) var left: Window
    @Dependency(key: Pane.right) var right: Window
    @Dependency(key: Pane.top) var top: Window
    @Dependency(key: Pane.bottom) var bottom: Window
    @Dependency(key: nil, manager: AppDependencyManager(), default: { @MainActor in Window(title: "spare") })
    var spare: Window

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: [left, right, top, bottom, spare].map(\.title).joined(separator: " "))
    }
}

struct Instants: AppIntent {
    static let title: LocalizedStringResource = "Instants and spans"
    @Parameter var date: Date
    @Parameter var span: Duration?

    func perform() async throws -> some IntentResult & ReturnsValue<Date> {
        .result(value: date.addingTimeInterval((span ?? .zero) / .seconds(1)))
    }
}

struct Spans: AppIntent {
    static let title: LocalizedStringResource = "A span doubled"
    @Parameter var span: Duration
    func perform() async throws -> some IntentResult & ReturnsValue<Duration> { .result(value: span * 2) }
}

struct Links: AppIntent {
    static let title: LocalizedStringResource = "Links and money"
    @Parameter var link: URL
    @Parameter var prices: [Decimal]
    func perform() async throws -> some IntentResult & ReturnsValue<[URL]> {
        .result(value: prices.map { link.appending(path: "\($0 * 2)") })
    }
}

struct Files: AppIntent {
    static let title: LocalizedStringResource = "Files in a list"
    @Parameter(supportedContentTypes: [.plainText]) var files: [IntentFile]
    func perform() async throws -> some IntentResult & ReturnsValue<[IntentFile]> {
        .result(value: files.reversed())
    }
}

struct Cancellable: CancellableIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Cancellable"

    func perform() async throws -> some IntentResult & ProvidesDialog {
        try await withIntentCancellationHandler {
            progress.totalUnitCount = 1
            try Task.checkCancellation()
            progress.completedUnitCount += 1
            return .result(dialog: .init("done"))
        } onCancel: { reason in
            Task { print("cancelled: \(reason)") }
        }
    }
}

@available(macOS 13, *)
public struct ByExtension {
    public init() {}
}

extension ByExtension: AppIntent {
    public static let title = LocalizedStringResource("By extension", comment: "A test")
    public func perform() async throws -> some IntentResult { .result() }
}
