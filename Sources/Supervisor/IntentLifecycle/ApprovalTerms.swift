import IntentHash
import IntentLauncherMessages

/// All that a person approves when an agent requested a run: the text of question 0 and its digest.
///
/// Both consist of the same words, so that the digest covers everything that the question shows.
struct ApprovalTerms {
    private let run: RunTable.Run

    init(_ run: RunTable.Run) {
        self.run = run
    }

    private var files: [PassedFile] { run.files ?? [] }

    var text: String {
        let agent = run.caller.agent.map { "An agent, uid \($0)," } ?? "An agent"
        var text = "\(agent) asks to perform \(run.app.name)/\(SafeText.line(run.intent.name))"
        let words = words
        for heading in Heading.allCases {
            let limit = limit(of: heading)
            let items = words.filter { $0.heading == heading }.map { $0.shown(upTo: limit.ofItem) }
            guard !items.isEmpty else { continue }
            text += ". \(heading.rawValue): \(Self.shown(items.joined(separator: ", "), upTo: limit.inTotal))"
        }
        if let title = run.title, title != run.intent.name {
            text += ". Summary: \(Self.shown(SafeText.quoted(title), upTo: 500))"
        }
        let software = Self.shown(SafeText.quoted(run.caller.software), upTo: 100)
        text += ". The client says that it is \(software), process \(run.caller.process)"
        return text
    }

    /// The later requests that the approval covers if it stays open, as text for users.
    var scopeText: String {
        let agent = run.caller.agent.map { "the agent with uid \($0)" } ?? "agents of this user"
        let limits = run.accepted.limits
        return """
            later requests of \(agent) for \(run.app.name)/\(SafeText.line(run.intent.name)), with any values and \
            conditions, \(files.isEmpty ? "without files" : "with no files but those of this request, unchanged"), with \
            limits of up to \(TimeSpan.format(limits.runtime)) and \(TimeSpan.format(limits.ceiling)), from a client that \
            says that it is \(Self.shown(SafeText.quoted(run.caller.software), upTo: 100)); the intent's own \
            confirmations are still asked
            """
    }

    /// The digest of the run and of everything that its question shows, without abbreviations, and of the identities of
    /// its files, and of the version of its intent.
    var digest: String {
        let words = words.flatMap { [$0.heading.rawValue, $0.name ?? "", $0.value] }
        let identities = files.map { file in
            switch file.contents {
            case .copy(let digest): digest
            case .writable(let device, let inode): "\(device) \(inode)"
            }
        }
        let parts =
            [run.id.text, run.app.name.text, run.intent.name].map { Array($0.utf8) }
            + [Array(run.accepted.values.json), WireCoding.encode(run.accepted.limits)]
            + (words + identities + [run.intent.details?.version].compactMap(\.self) + versions).map { Array($0.utf8) }
        // Prefix each part with its length, so that two different lists of parts never have the same encoding.
        return SHA256.hexadecimal(of: parts.flatMap { Array("\($0.count):".utf8) + $0 })
    }

    /// The versions of the apps that perform the steps of a shortcut.
    private var versions: [String] {
        (run.app.shortcut?.versions ?? [:]).sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }

    /// The error for a request that the question cannot show completely; nil if the person can see all of it.
    var refusal: ErrorReport? {
        for heading in Heading.allCases {
            let limit = limit(of: heading)
            let text = words.filter { $0.heading == heading }.map { $0.shown(upTo: .max) }.joined(separator: ", ")
            guard limit.isForWhole, text.scalarCount > limit.inTotal else { continue }
            let (parts, hint) =
                switch heading {
                case .steps: ("steps", "divide the shortcut into several")
                case .values: ("values", "pass large values as files")
                case .answers: ("answers in advance", "make several requests")
                case .files: ("files", "make several requests")
                case .conditions: ("key, locale and other conditions", "shorten the key")
                }
            return ErrorReport(
                .tooLarge,
                "a person must approve the run, and its \(parts) have more than \(limit.inTotal) characters in the question",
                hint: hint
            )
        }
        return nil
    }

    private struct Limit {
        /// The maximum number of characters of an item below the heading.
        var ofItem = Int.max
        /// The maximum number of characters below the heading.
        var inTotal: Int
        /// True if a request above the limit is refused. Otherwise, the text is truncated.
        var isForWhole = true
    }

    /// Returns the limit of a heading. Only values are truncated, and only if the caller of the run approves it: the
    /// caller may read the record, which contains all values. Another approver (`Confirm=`) sees only the question.
    private func limit(of heading: Heading) -> Limit {
        switch heading {
        case .steps: Limit(inTotal: 12_000)
        case .values:
            run.app.confirmRule(for: run.intent) == .caller
                ? Limit(ofItem: 200, inTotal: 1500, isForWhole: false) : Limit(inTotal: 4000)
        case .answers, .files: Limit(inTotal: 4000)
        case .conditions: Limit(inTotal: 1500)
        }
    }

    // MARK: Words

    private enum Heading: String, CaseIterable {
        case steps = "Steps"
        case values = "Values"
        case answers = "Answers in advance"
        case files = "Files"
        case conditions = "Conditions"
    }

    private struct Word {
        var heading: Heading
        var name: String?
        var value: String

        func shown(upTo limit: Int) -> String {
            (shownName.map { "\($0)=" } ?? "") + ApprovalTerms.shown(value, upTo: limit)
        }

        /// The name as a person reads it. Only the answer to a choice without a parameter has the name `(choice)`,
        /// because a parameter's name with parentheses is quoted.
        private var shownName: String? {
            guard let name else { return nil }
            return heading == .answers && name == AnswersInAdvance.choiceName
                ? "(choice)" : ApprovalTerms.shown(name: name)
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
        case .plan: stepWords
        case .values:
            // Show the defaults of a shortcut, too, because they are values of its steps.
            Self.words(under: .values, shownDefaults.merging(accepted.values.byName) { $1 })
        // The operator may have declared a parameter secret after the request was accepted.
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
        case .locale: accepted.locale.map { condition("locale", SafeText.quoted($0)) } ?? []
        case .key: accepted.key.map { condition("key", SafeText.quoted($0)) } ?? []
        case .retryOf: accepted.retryOf.map { condition("retry of", $0.text) } ?? []
        case .traceparent: accepted.traceparent.map { condition("trace", SafeText.quoted($0)) } ?? []
        // The word of a file states whether the run may change the file.
        case .writable: []
        case .app, .intent, .undoOf, .entryPoint: []
        case .request, .query, .isInteractive, .answerConfirmations, .secretAnswerValues: []
        }
    }

    /// The steps of a shortcut. The undo of a shortcut performs what its steps have registered.
    private var stepWords: [Word] {
        guard let plan = run.app.shortcut?.plan, run.accepted.key.flatMap(UndoKey.init) == nil else { return [] }
        return plan.steps.map { Word(heading: .steps, name: $0.name, value: $0.text) }
            + plan.conditions.map { Word(heading: .conditions, name: $0.name, value: $0.text) }
    }

    private var shownDefaults: [String: IntentValue] {
        let secrets = run.app.secretNames(of: run.intent)
        return (run.app.shortcut?.plan.defaults ?? [:]).filter { !secrets.contains($0.key) }
    }

    private static func words(under heading: Heading, _ values: [String: IntentValue]) -> [Word] {
        values.sorted { $0.key < $1.key }
            .map { name, value in Word(heading: heading, name: name, value: value.quoted) }
    }

    private static func word(for file: PassedFile) -> Word {
        let (path, doubt) =
            switch file.name {
            case .none: ("a file without a path", "")
            case .verified(let path): (SafeText.quoted(path), "")
            case .unverified(let path): (SafeText.quoted(path), "the name is not verified; ")
            }
        let contents =
            switch file.contents {
            case .copy(let digest): "\(file.byteCount) bytes, SHA-256 \(digest)"
            case .writable: "writable: its contents can still change"
            }
        return Word(heading: .files, value: "\(path) (\(doubt)\(contents))")
    }

    // MARK: Text

    /// Truncates a long string and appends its length, so that the person sees that there is more to approve.
    private static func shown(_ text: String, upTo limit: Int) -> String {
        let count = text.scalarCount
        return count <= limit
            ? text
            : "\(text.prefix(scalars: limit))… (\(count) characters in total; 'intentctl show' prints the values of the run)"
    }

    /// Returns a name as it is, or quoted if it could imitate another part of the question.
    private static func shown(name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || " _.-".utf8.contains($0) }
        return isPlain ? name : SafeText.quoted(name)
    }
}
