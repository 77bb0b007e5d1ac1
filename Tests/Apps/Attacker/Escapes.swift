import AppIntents

/// Emits terminal control sequences through every text that an app can provide.
struct Escape: ProgressReportingIntent {
    static let title: LocalizedStringResource = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}2JEscape"
    static let description: IntentDescription? = "\u{1B}[31mred\u{202E}\u{8}\u{7F}"

    @Parameter(title: "\u{1B}[1mPlace", description: "\u{1B}[2J\u{9B}H", default: "value") var place: String

    static let words = "before\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\u{8}\u{7F}\u{202E}\rafter\u{1B}"

    func perform() async throws -> some IntentResult & ReturnsValue<String> & ProvidesDialog {
        switch place {
        case "progress":
            for count in 1...3 {
                updateProgress(fractionCompleted: Double(count) / 4, message: Self.words)
                progress.localizedDescription = Self.words
                progress.localizedAdditionalDescription = Self.words
                try await Task.sleep(for: .milliseconds(200))
            }
        case "output": print(Self.words, Self.words)
        case "errors": FileHandle.standardError.write(Data((Self.words + "\n" + Self.words).utf8))
        case "error": throw Touched(errorDescription: Self.words)
        case "question": throw $place.needsValueError("\(Self.words)")
        case "dialog": return .result(value: "", dialog: "\(Self.words)")
        default: return .result(value: Self.words, dialog: "")
        }
        return .result(value: "", dialog: "")
    }
}

struct EscapeByName: AppIntent {
    static let title: LocalizedStringResource = "Return a file with terminal control sequences in its name"

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        .result(value: IntentFile(data: Data("text".utf8), filename: Escape.words + ".txt"))
    }
}
