import AppIntents

struct UseDependencies: AppIntent {
    static var title: LocalizedStringResource = "Dependencies"

    @Dependency var diary: Diary
    @Dependency(key: "greeting") private var greeting: String
    @AppDependency private var clockwork: Clockwork
    @Dependency(default: 5) var number: Int

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        diary.entries.append("used")
        return .result(value: "\(greeting) \(clockwork.turns) \(number) \(diary.entries.count)")
    }
}

struct NeedMissing: AppIntent {
    static var title: LocalizedStringResource = "An unregistered dependency"
    @Dependency var cup: Cup
    func perform() async throws -> some IntentResult { .result() }
}

struct NeedBroken: AppIntent {
    static var title: LocalizedStringResource = "A dependency with a provider that throws"
    @Dependency var broken: Broken
    func perform() async throws -> some IntentResult { .result() }
}

struct Ask: AppIntent {
    static var title: LocalizedStringResource = "Ask"

    @Parameter(title: "Count", requestValueDialog: "How many cups?") var count: Int?
    @Parameter(title: "Way", default: "words") var way: String

    func perform() async throws -> some IntentResult {
        switch way {
        case "words": throw $count.needsValueError("How many, \(3) or more?")
        case "none": throw $count.needsValueError()
        case "property": throw $count.needsValue
        case "title": throw $way.needsValueError()
        case "custom": throw CustomError.own
        case "other": try await Outer()()
        default: throw AppIntentError.Unrecoverable.entityNotFound
        }
        return .result()
    }

    enum CustomError: Error, CustomAppIntentErrorConvertible, CustomLocalizedStringResourceConvertible {
        case own
        var appIntentError: AppIntentError { AppIntentError(description: "the intent's own") }
        var localizedStringResource: LocalizedStringResource { "not this one" }
    }
}

@available(*, deprecated)
struct AskInTheOldWay: AppIntent {
    static var title: LocalizedStringResource = "The earlier name"
    @Parameter(title: "Count") var count: Int?
    func perform() async throws -> some IntentResult {
        guard count != nil else { throw $count.requestValue("How many?") }
        return .result()
    }
}

struct Outer: AppIntent {
    static var title: LocalizedStringResource = "Asks for its own"
    @Parameter(title: "Where") var place: String?
    func perform() async throws -> some IntentResult {
        guard place != nil else { throw $place.needsValueError("Where?") }
        return .result()
    }
}

struct Compose: LongRunningIntent, CancellableIntent {
    static var title: LocalizedStringResource = "Intents in intents"

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> & ProvidesDialog {
        let roast = try await OneRoast()()
        try await PlainEmpty()(donate: false)
        progress.totalUnitCount = 2
        progress.localizedDescription = "Composing"
        progress.localizedAdditionalDescription = "first"
        let half: some IntentResult & ReturnsValue<[String]> = try await performBackgroundTask {
            updateProgress(fractionCompleted: 0.5, message: "half")
            return .result(value: ["\(roast)"])
        }
        let words = half.value ?? []
        return try await performBackgroundTask {
            try Task.checkCancellation()
            return .result(value: words + ["done"], dialog: "Composed")
        } onCancel: { reason in
            switch reason {
            case .timeout: print("too long")
            case .userCancelled: print("stopped")
            default: break
            }
        }
    }
}

struct PlainEmpty: AppIntent {
    static var title: LocalizedStringResource = "Nothing"
    func perform() async throws -> some IntentResult { .result() }
}
