import AppIntents
import Glibc

// Intents in the style of Apple's samples, in language mode 5: stored `static var`, `@Parameter` without parentheses.

struct Echo: AppIntent {
    static var title: LocalizedStringResource = "Echo"
    static var description = IntentDescription("Returns the text.", categoryName: "Plain", searchKeywords: ["say"])

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
        .result(value: text, dialog: "You said: \(text)")
    }
}

struct AddIntent: AppIntent {
    static var title: LocalizedStringResource = "Add two numbers"

    @Parameter var first: Int
    @Parameter(title: "Second", default: 1) var second: Int

    func perform() async throws -> some ReturnsValue<Int> {
        .result(value: first + second)
    }
}

struct Choices: AppIntent {
    static var title: LocalizedStringResource = "Optional parameters"
    static var description: IntentDescription? = "Returns the given values."

    @Parameter(title: "Text") var text: String?
    @Parameter(title: "Number", inclusiveRange: (0, 10)) var number: Int?
    @Parameter(title: "Ratio", default: 0.5) var ratio: Double?
    @Parameter(title: "Flag", default: true) var isLoud: Bool
    @Parameter(title: "File") var file: IntentFile?

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let texts = [text ?? "-", number.map(String.init) ?? "-", ratio.map { "\($0)" } ?? "-", "\(isLoud)"]
        return .result(value: (texts + [file?.filename ?? "-"]).joined(separator: " "))
    }
}

/// Has a sentence for each way of travelling, and one more for a journey without a destination.
struct Travel: AppIntent {
    enum Vehicle: String, AppEnum {
        case train, bicycle

        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Vehicle"
        static let caseDisplayRepresentations: [Vehicle: DisplayRepresentation] = [
            .train: "Train", .bicycle: "Bicycle",
        ]
    }

    static var title: LocalizedStringResource = "Travel"

    @Parameter(title: "Vehicle", default: .train) var vehicle: Vehicle
    @Parameter(title: "Town") var town: String?

    static var parameterSummary: some ParameterSummary {
        When(\.$town, .hasAnyValue) {
            Switch(\.$vehicle) {
                Case(.bicycle) { Summary("Cycle to \(\.$town)") }
                DefaultCase { Summary("Take the \(\.$vehicle) to \(\.$town)") }
            }
        } otherwise: {
            Summary("Stay at home")
        }
    }

    func perform() async throws -> some IntentResult { .result() }
}

struct Unlisted: AppIntent {
    static let title: LocalizedStringResource = "Not listed"
    static var isDiscoverable: Bool { false }
    static var persistentIdentifier: String { "HiddenIntent" }

    func perform() async throws -> some IntentResult { .result() }
}

enum Namespace {
    struct Nested: AppIntent {
        static let title: LocalizedStringResource = "Inside an enum"
        static var description: IntentDescription { "Nested." }

        func perform() async throws -> some IntentResult { .result() }
    }
}

private struct Secret: AppIntent {
    static var title: LocalizedStringResource { "Private" }

    func perform() async throws -> some IntentResult { .result() }
}

/// Receives a secret, donates an intent with another secret, and returns that intent as the next intent.
struct SignIn: AppIntent {
    static let title: LocalizedStringResource = "Sign in"
    static let secretParameters: Set = ["password"]

    @Parameter(title: "User") var user: String
    @Parameter(title: "Password") var password: String

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & OpensIntent {
        let next = SignIn()
        next.user = user
        next.password = password
        try await next.donate()
        return .result(value: password.count, opensIntent: next)
    }
}

struct OnMain: AppIntent {
    static var title: LocalizedStringResource = "On the main actor"

    @MainActor func perform() async throws -> some IntentResult & ReturnsValue<Bool> {
        MainActor.assertIsolated()
        await Task.yield()
        return .result(value: true)
    }
}

/// Observes the thread on which the main actor and the main queue execute code.
struct ObserveMain: AppIntent {
    static var title: LocalizedStringResource { "Observe the main actor and the main queue" }

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        let actor = await MainActor.run {
            MainActor.assertIsolated()
            return "actor: \(Thread.isMainThread)"
        }
        let queue = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                MainActor.assertIsolated()
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume(returning: "queue: \(Thread.isMainThread)")
            }
        }
        return .result(value: [actor, queue])
    }
}

struct BigResult: AppIntent {
    static var title: LocalizedStringResource = "A result of any size"

    @Parameter(title: "Bytes") var byteCount: Int

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        .result(value: String(repeating: "x", count: byteCount))
    }
}

struct Flood: AppIntent {
    static var title: LocalizedStringResource = "Print lots"

    @Parameter(title: "Lines", default: 100_000) var lineCount: Int

    func perform() async throws -> some IntentResult {
        for line in 0..<lineCount { print("line \(line) of \(lineCount), printed to fill buffers") }
        return .result()
    }
}

struct Prints: AppIntent {
    static var title: LocalizedStringResource = "Print a line"

    @Parameter(title: "Text") var text: String

    func perform() async throws -> some IntentResult {
        print(text)
        return .result()
    }
}

/// Writes bytes that need not be text.
struct PrintBytes: AppIntent {
    static var title: LocalizedStringResource = "Print bytes"

    @Parameter(title: "Bytes", description: "as hexadecimal digits") var hex: String
    @Parameter(title: "Times", default: 1) var count: Int
    @Parameter(title: "Stays", description: "runs until it is cancelled", default: false) var stays: Bool

    func perform() async throws -> some IntentResult {
        let digits = hex.compactMap(\.hexDigitValue).map { UInt8($0) }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        for _ in 0..<count { _ = Glibc.write(1, bytes, bytes.count) }
        if stays { try await Task.sleep(for: .seconds(600)) }
        return .result()
    }
}

/// Adds a word to a file of the app, and registers an undo intent.
struct RememberWord: UndoableIntent {
    static let title: LocalizedStringResource = "Remember a word"

    @Parameter(title: "Word") var word: String
    @Parameter(title: "How", default: "intent") var how: String

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let file = WordList.file
        try await WordList.change { how == "remove" ? $0.filter { $0 != word } : $0 + [word] }
        if how == "intent" {
            await undoManager?.registerUndo(performing: ForgetWord(word))
            await undoManager?.setActionName("Remember \(word)")
        } else if how == "closure" {
            await undoManager?.registerUndo(withTarget: WordList()) { _ in }
        }
        return .result(value: "\(try String(contentsOf: file, encoding: .utf8))")
    }
}

struct ForgetWord: AppIntent {
    static let title: LocalizedStringResource = "Forget a word"
    static let isDiscoverable = false

    @Parameter(title: "Word") var word: String

    init() {}

    init(_ word: String) {
        self.init()
        self.word = word
    }

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        if word == "sure" { try await requestConfirmation(actionName: .order, dialog: "Sure?") }
        // These words make the undo fail or hang.
        if WordList.words.contains("locked") { throw POSIXError(.EACCES) }
        if WordList.words.contains("stuck") { try await Task.sleep(for: .seconds(600)) }
        try await WordList.change { $0.filter { $0 != word } }
        return .result(value: "\(try String(contentsOf: WordList.file, encoding: .utf8)) by \(getpid())")
    }
}

final class WordList: Sendable {
    static var file: URL {
        URL(fileURLWithPath: ProcessInfo.processInfo.environment["STATE_DIRECTORY"] ?? ".").appending(path: "words")
    }

    static var words: [String] {
        (try? String(contentsOf: file, encoding: .utf8))?.split(separator: " ").map(String.init) ?? []
    }

    static func change(_ body: ([String]) -> [String]) async throws {
        try body(words).joined(separator: " ").write(to: file, atomically: true, encoding: .utf8)
    }
}

struct NeedsNaming: AppIntent {
    static let title: LocalizedStringResource = "Needs authentication"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresAuthentication

    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: "named") }
}

struct NeedsPresence: AppIntent {
    static let title: LocalizedStringResource = "Needs a local session"
    static let authenticationPolicy: IntentAuthenticationPolicy = .requiresLocalDeviceAuthentication

    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: "present") }
}
