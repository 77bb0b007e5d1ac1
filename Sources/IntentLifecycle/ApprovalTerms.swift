import IntentHash
import IntentWire

/// All that a person approves when an agent requested a run: the text of question 0 and its digest.
///
/// Both consist of the same words, so that the digest covers everything that the question shows.
struct ApprovalTerms {
    private let run: RunTable.Run
    private let files: [PassedFile]

    /// - Parameter files: The files of the run as they are now.
    init(_ run: RunTable.Run, _ files: [PassedFile]) {
        self.run = run
        self.files = files
    }

    var text: String {
        let agent = run.caller.agent.map { "An agent, uid \($0)," } ?? "An agent"
        var text = "\(agent) asks to perform \(run.app.name)/\(run.intent.name)"
        let words = words
        for heading in Heading.allCases {
            let items = words.filter { $0.heading == heading }.map(\.shown)
            guard !items.isEmpty else { continue }
            text += ". \(heading.rawValue): \(Self.shown(items.joined(separator: ", "), upTo: heading.limit))"
        }
        if let title = run.title, title != run.intent.name {
            text += ". Summary: \(Self.shown(Self.quoted(title), upTo: 500))"
        }
        text += ". Client: \(Self.shown(Self.quoted(run.caller.software), upTo: 100)), process \(run.caller.process)"
        return text
    }

    /// The digest of the run and of everything that its question shows, without abbreviations, and of the identities of
    /// its files.
    var digest: String {
        let words = words.flatMap { [$0.heading.rawValue, $0.name ?? "", $0.value] }
        let identities = files.map { "\($0.device) \($0.inode) \($0.byteCount) \($0.modifiedNanoseconds)" }
        let parts =
            [run.id.text, run.app.name.text, run.intent.name].map { Array($0.utf8) }
            + [Array(run.accepted.values.json), WireCoding.encode(run.accepted.limits)]
            + (words + identities).map { Array($0.utf8) }
        // Prefix each part with its length, so that two different lists of parts never have the same encoding.
        return SHA256.hexadecimal(of: parts.flatMap { Array("\($0.count):".utf8) + $0 })
    }

    /// The error for a request that the question cannot show completely; nil if the person can see all of it. The record
    /// of the run contains its values, but neither the paths of its files nor its answers in advance.
    var refusal: ErrorReport? {
        for heading in [Heading.answers, .files] {
            let text = words.filter { $0.heading == heading }.map(\.shown).joined(separator: ", ")
            guard text.scalarCount > heading.limit else { continue }
            let parts = heading == .files ? "paths of the files" : "answers in advance"
            return ErrorReport(
                .tooLarge,
                "a person must approve the run, and its \(parts) have more than \(heading.limit) characters",
                hint: "make several requests"
            )
        }
        return nil
    }

    // MARK: Words

    private enum Heading: String, CaseIterable {
        case values = "Values"
        case answers = "Answers in advance"
        case files = "Files"
        case conditions = "Conditions"

        /// The maximum number of characters below the heading.
        var limit: Int {
            switch self {
            case .values, .conditions: 1500
            case .answers, .files: 4000
            }
        }

        /// The maximum number of characters of an item below the heading.
        var itemLimit: Int {
            switch self {
            case .values, .conditions: 200
            case .answers, .files: .max
            }
        }
    }

    private struct Word {
        var heading: Heading
        var name: String?
        var value: String

        var shown: String {
            (name.map { "\($0)=" } ?? "") + ApprovalTerms.shown(value, upTo: heading.itemLimit)
        }
    }

    private var words: [Word] { RequestPart.allCases.flatMap { words(for: $0) } }

    /// Returns the words that show a part of the request. The question's first sentence shows the app, the intent and
    /// the agent.
    private func words(for part: RequestPart) -> [Word] {
        let accepted = run.accepted
        func condition(_ name: String?, _ text: String) -> [Word] {
            [Word(heading: .conditions, name: name, value: text)]
        }
        return switch part {
        case .values: Self.words(under: .values, accepted.values.byName)
        // Requests that an earlier release accepted may contain secret values.
        case .secretValues: run.secretNames.map { Word(heading: .values, name: $0, value: "(secret)") }
        case .answerValues: Self.words(under: .answers, run.answers?.values ?? [:])
        case .answerOthers: run.answers?.others == .refuse ? condition(nil, "refuses other questions") : []
        case .files:
            files.isEmpty && run.fileCount > 0
                ? [Word(heading: .files, value: "unknown (\(run.fileCount))")] : files.map(Self.word)
        case .limit: condition("limit", TimeSpan.format(accepted.limits.runtime))
        case .ceiling: condition("ceiling", TimeSpan.format(accepted.limits.ceiling))
        case .onDisconnect:
            switch accepted.onDisconnect {
            case .cancel: condition(nil, "ends with its client")
            case .continue: condition(nil, "continues without its client")
            }
        case .locale: accepted.locale.map { condition("locale", Self.quoted($0)) } ?? []
        case .key: accepted.key.map { condition("key", Self.quoted($0)) } ?? []
        case .retryOf: accepted.retryOf.map { condition("retry of", $0.text) } ?? []
        case .traceparent: accepted.traceparent.map { condition("trace", Self.quoted($0)) } ?? []
        // The word of a file states whether the run may change the file.
        case .writable: []
        case .app, .intent, .undoOf, .entryPoint: []
        case .request, .query, .isInteractive, .answerConfirmations, .secretAnswerValues: []
        }
    }

    private static func words(under heading: Heading, _ values: [String: IntentValue]) -> [Word] {
        values.sorted { $0.key < $1.key }
            .map { name, value in
                Word(
                    heading: heading,
                    name: name == AnswersInAdvance.choiceName ? "(choice)" : name,
                    value: text(of: value)
                )
            }
    }

    private static func word(for file: PassedFile) -> Word {
        let path = file.path.map(quoted) ?? "a file without a path"
        return Word(heading: .files, value: file.isWritable ? "\(path) (writable)" : path)
    }

    // MARK: Text

    /// Truncates a long string and appends its length, so that the person sees that there is more to approve.
    private static func shown(_ text: String, upTo limit: Int) -> String {
        let count = text.scalarCount
        return count <= limit
            ? text
            : "\(text.prefix(scalars: limit))… (\(count) characters in total; 'intentctl show' prints the values of the run)"
    }

    /// Quotes an untrusted string as a JSON string, so that it cannot imitate another part of the question.
    private static func quoted(_ text: String) -> String { String(foreign: WireCoding.encode(text)) }

    private static func text(of value: IntentValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): quoted(text)
        case .file(let file): text(of: file)
        case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \(text(of: $0.value))" }.joined(separator: ", "))}"
        }
    }

    /// Describes a file by the name and type that the agent chose, and by its position in the list of files.
    private static func text(of file: FileReference) -> String {
        "\(quoted(file.name)) (file \(file.index + 1)\(file.contentType.map { ", type \(quoted($0))" } ?? ""))"
    }
}
