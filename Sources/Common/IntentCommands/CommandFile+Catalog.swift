import IntentConfiguration
package import IntentProtocol

extension CommandFile {
    /// The file's intents, as clients receive them.
    package var catalog: IntentCatalog {
        IntentCatalog(
            intents: intents.map { $0.declaration(category: description) },
            warnings: warnings.isEmpty ? nil : warnings
        )
    }

    /// Probable mistakes in a valid file.
    package var warnings: [String] { comments + intents.flatMap(\.warnings) }

    package func intent(_ name: String) -> CommandIntent? { intents.first { $0.name == name } }
}

extension CommandIntent {
    func declaration(category: String?) -> IntentDeclaration {
        IntentDeclaration(
            name: name,
            title: title,
            summary: description,
            parameters: parameters.map(\.declaration),
            sentence: summary.map(Self.sentence),
            result: resultType,
            traits: traits,
            details: details(category)
        )
    }

    private var traits: IntentTraits {
        var traits: IntentTraits = []
        if progress != .none { traits.insert(.progressReporting) }
        if isLongRunning { traits.formUnion([.longRunning, .progressReporting]) }
        if isCancellable || isLongRunning { traits.insert(.cancellable) }
        return traits
    }

    private var resultType: ValueType? {
        switch result {
        case .none: nil
        case .text: .string
        case .integer, .status: .int
        case .number: .double
        case .boolean: .bool
        case .json: .object(ObjectType(title: title))
        case .lines: .array(.string)
        case .files: outputs.count == 1 ? .file : .array(.file)
        }
    }

    private func details(_ category: String?) -> IntentDetails? {
        var details = IntentDetails()
        details.category = category
        details.effect = effects.first
        details.isIdempotent = isIdempotent.trueOrNil
        // A successful run with `Undo=` always registers its undo.
        if undo != nil { details.protocols = ["UndoableIntent"] }
        return details.isEmpty ? nil : details
    }

    /// Converts a summary to the syntax of the catalogue, in which clients replace `${name}` with a value.
    static func sentence(_ word: TemplateWord) -> String {
        word.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let placeholder): placeholder.parameter.map { "${\($0)}" } ?? ""
            }
        }.joined()
    }

    /// Probable mistakes in a valid intent.
    package var warnings: [String] {
        var warnings: [String] = []
        if isLongRunning, progress == .none {
            warnings.append(
                "the intent '\(name)' is long-running but reports no progress, so Runtime= ends it. "
                    + "Set Progress=notify, lines or output"
            )
        }
        for script in ScriptArgument.all(in: exec) {
            warnings.append(
                """
                the intent '\(name)' has %{\(script.placeholder)} inside a script that \(script.interpreter) executes, so a \
                value can be executed as code. Pass the value as an argument after the script, such as $1 in a shell
                """
            )
        }
        return warnings
    }
}

/// A placeholder within a script, such as the argument of `sh -c`. The interpreter would execute the value as code.
struct ScriptArgument: Hashable {
    var interpreter: String
    var placeholder: String

    /// The options of each interpreter that take a script as their argument.
    private static let interpreters: [String: Set<String>] = {
        let shell: Set<String> = ["-c", "-ec", "-ce", "-lc", "-xc", "-exc", "-euc"]
        let perl: Set<String> = ["-e", "-E", "-ne", "-pe", "-lne", "-lpe"]
        return [
            "sh": shell, "bash": shell, "dash": shell, "zsh": shell, "ksh": shell, "fish": shell, "busybox": shell,
            "python": ["-c"], "python3": ["-c"], "perl": perl, "ruby": perl, "node": ["-e", "-p"], "php": ["-r"],
            "awk": [], "gawk": [], "mawk": [], "sed": ["-e"], "psql": ["-c", "--command"], "sqlite3": [], "jq": [],
        ]
    }()

    /// Interpreters that take a script as their first non-option argument.
    private static let withScriptFirst: Set<String> = ["awk", "gawk", "mawk", "sed", "jq"]

    static func all(in exec: [TemplateWord]) -> [ScriptArgument] {
        var found: [ScriptArgument] = []
        for (index, word) in exec.enumerated() {
            guard let path = word.fixedText, let name = path.split(scalar: "/").last.map({ String($0) }),
                let options = interpreters[name]
            else { continue }
            var previous: String?
            var isFirst = true
            for word in exec[(index + 1)...] {
                let isOption = word.leadingText.utf8.first == UInt8(ascii: "-")
                let isScript =
                    previous.map(options.contains) == true
                    || withScriptFirst.contains(name) && isFirst && !isOption && previous.map { $0 == "-v" } != true
                if isScript, let placeholder = word.placeholders.lazy.compactMap(\.parameter).first {
                    found.append(ScriptArgument(interpreter: name, placeholder: placeholder))
                }
                if !isOption { isFirst = false }
                previous = word.fixedText
            }
            break
        }
        return found
    }
}

extension ValuePattern {
    /// True if the regular expression has the named groups from which progress is computed: `percent`, or both `done`
    /// and `total`.
    var hasProgressGroups: Bool {
        func has(_ group: String) -> Bool {
            text.contains(utf8: "(?<\(group)>") || text.contains(utf8: "(?P<\(group)>")
        }
        return has("percent") || has("done") && has("total")
    }
}
