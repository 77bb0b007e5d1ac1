import AppIntents

struct Old: DeprecatedAppIntent {
    static var title: LocalizedStringResource = "Old"
    static var deprecation = IntentDeprecation(message: "Use new", replacedBy: New.self)
    func perform() async throws -> some IntentResult { .result() }
}
struct Old2: DeprecatedAppIntent {
    static var title: LocalizedStringResource = "Old"
    static var deprecation: IntentDeprecation<New> { IntentDeprecation(replacedBy: New.self) }
    func perform() async throws -> some IntentResult { .result() }
}
struct Old3: DeprecatedAppIntent {
    static var title: LocalizedStringResource = "Old"
    static var deprecation = IntentDeprecation(message: "No more")
    func perform() async throws -> some IntentResult { .result() }
}
struct New: ProgressReportingIntent, UndoableIntent, CustomIntentMigratedAppIntent, TargetContentProvidingIntent {
    static var intentClassName = "NewIntent"
    static var title: LocalizedStringResource = "New"
    static var supportedModes: IntentModes { [.background, .foreground(.dynamic)] }
    static let allowedExecutionTargets: ExecutionTargets = [.main]
    static let authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication
    @Parameter(title: "A") var a: Int?
    @Parameter(title: "B") var b: String?
    init() { progress.totalUnitCount = 10 }
    @MainActor
    func perform() async throws -> some IntentResult & ProvidesDialog & ShowsSnippetIntent {
        undoManager?.registerUndo(withTarget: Target()) { t in t.undo() }
        undoManager?.setActionName("x")
        if systemContext.currentMode.canContinueInForeground {
            try await continueInForeground(alwaysConfirm: false)
        }
        if systemContext.currentMode == .foreground { throw needsToContinueInForegroundError("x") }
        let c = try await requestChoice(
            between: [.init(title: "One"), .init(title: "Two", style: .destructive), .cancel],
            dialog: "Which?"
        )
        if c == .cancel { throw CancellationError() }
        progress.completedUnitCount += 1
        _ = try await donate(); _ = try await donate(result: .result())

        _ = try await IntentDonationManager.shared.donate(intent: self, result: .result(value: 1))
        return .result(dialog: .init(full: "a", supporting: "b", systemImageName: "x"), snippetIntent: Snip(a: 3))
    }
}
@MainActor final class Target { func undo() {} }
struct Snip: SnippetIntent {
    static let title: LocalizedStringResource = "Snip"
    @Parameter var a: Int
    init() {}
    init(a: Int) { self.a = a }
    func perform() async throws -> some IntentResult & ShowsSnippetView { .result() }
}
struct Opens: AppIntent {
    static let title: LocalizedStringResource = "Opens"
    func perform() async throws -> some IntentResult & OpensIntent {
        return .result(opensIntent: OpenURLIntent(URL(string: "https://x.y")!))
    }
}
struct Opens2: AppIntent {
    static let title: LocalizedStringResource = "Opens"
    func perform() async throws -> some OpensIntent {
        let i = New()
        i.a = 2
        return .result(actionButtonIntent: i)
    }
}
struct Settings: UniqueAppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Settings"
    static var defaultQuery = UniqueAppEntityProvider { Settings() }
    var displayRepresentation: DisplayRepresentation { "Settings" }
    @Property(title: "A") var a: Bool
}
struct Pred: PredictableIntent {
    static let title: LocalizedStringResource = "Pred"
    @Parameter(title: "A") var a: Int?
    @Parameter(title: "B") var b: TypeE
    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$a, \.$b)) { a, b in
            DisplayRepresentation(title: "x \(a ?? 0)")
        }
        IntentPrediction(parameters: \.$b) { b in
            DisplayRepresentation(title: "x", subtitle: "\(b.rawValue)")
        }
        IntentPrediction { DisplayRepresentation(title: "x") }
    }
    func perform() async throws -> some IntentResult { .result() }
}
struct Pred1: PredictableIntent {
    static let title: LocalizedStringResource = "Pred"
    @Parameter(title: "A") var a: Int?
    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: \.$a) { a in
            DisplayRepresentation(title: "x \(a ?? 0)")
        }
    }
    func perform() async throws -> some IntentResult { .result() }
}
enum TypeE: Int, AppEnum {
    case a = 1, b = 2
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "T"
    static var caseDisplayRepresentations: [TypeE: DisplayRepresentation] = [
        .a: .init(title: "A", subtitle: "s", image: .init(named: "x"), synonyms: ["z"]),
        .b: .init(title: LocalizedStringResource("b", defaultValue: "B", table: nil)),
    ]
}
struct Workout: StartWorkoutIntent {
    static var title: LocalizedStringResource = "W"
    static var suggestedWorkouts: [Workout] { [Workout()] }
    @Parameter(title: "style") var workoutStyle: TypeE
    var displayRepresentation: DisplayRepresentation { "W" }
    func perform() async throws -> some IntentResult { .result() }
}
struct Pause: PauseWorkoutIntent {
    static var title: LocalizedStringResource = "P"
    func perform() async throws -> some IntentResult { .result() }
}
struct Search: ShowInAppSearchResultsIntent {
    static var title: LocalizedStringResource = "Search"
    static var searchScopes: [StringSearchScope] = [.general]
    @Parameter(title: "c") var criteria: StringSearchCriteria
    func perform() async throws -> some IntentResult { _ = criteria.term; return .result() }
}
struct PkgA: AppIntentsPackage {}
struct PkgB: AppIntentsPackage { static var includedPackages: [any AppIntentsPackage.Type] { [PkgA.self] } }
struct PkgC: AppIntentsPackage { static var includedPackages: [AppIntentsPackage.Type] = [PkgA.self] }
struct UE: URLRepresentableEntity {
    static var urlRepresentation: URLRepresentation { "https://x.y/\(.id)/\(\.$n)" }
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "UE"
    static var defaultQuery = UEQ()
    let id: Int
    @Property(title: "N") var n: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}
struct UEQ: EntityQuery {
    func entities(for ids: [Int]) async throws -> [UE] { [] }; func suggestedEntities() async throws -> [UE] { [] }
}
enum Err: Error, CustomLocalizedStringResourceConvertible, LocalizedError {
    case a
    var localizedStringResource: LocalizedStringResource { "a" }
}
func f() throws { throw AppIntentError.Unrecoverable.entityNotFound;  }
func g() throws {
    throw AppIntentError(predefinedError: AppIntentError.UserActionRequired.signin, description: "Sign in")
}
func h() -> String {
    let x = 3.0; let d = Date();
    return String(
        localized: "a \(x, specifier: "%.1f") \(d, format: .dateTime) \(3)",
        table: "T",
        bundle: .main,
        comment: "c"
    )
}
func k() -> LocalizedStringResource {
    LocalizedStringResource("k", table: "T", locale: .current, bundle: .atURL(Bundle.main.bundleURL), comment: "x")
}
func k2() -> LocalizedStringResource { .init("k", defaultValue: "v \(3)", bundle: .main) }
func k3() -> String { String(localized: "key", defaultValue: "x", comment: "x") }
func callIntent() async throws {
    let r = try await Opens().perform(); _ = r; try await New()(donate: false)
}
struct Res: Resolver {
    func resolve(from input: String, context: IntentParameterContext<Int>) async throws -> Int? { Int(input) }
}
struct UsesRes: AppIntent {
    static let title: LocalizedStringResource = "r"
    @Parameter(title: "x", resolvers: { Res() }) var x: Int
    @Parameter(title: "x", description: "d", requestValueDialog: "?", optionsProvider: OP(), resolvers: { Res() })
    var y: Int
    func perform() async throws -> some IntentResult { .result(value: x + 1) }
}
struct OP: DynamicOptionsProvider { func results() async throws -> [Int] { [1] } }
