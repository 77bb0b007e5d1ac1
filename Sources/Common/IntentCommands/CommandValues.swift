package import IntentProtocol

/// The values of a run, converted to the strings that replace the placeholders in `Exec=`.
package struct CommandValues: Sendable {
    /// The text that replaces the placeholder of a parameter.
    enum Text: Hashable, Sendable {
        case absent
        case one(String)
        case list([String])
        case flag(Bool)
    }

    private var texts: [String: Text] = [:]
    private let parameters: [String: CommandParameter]
    /// The paths that replace `%{out:NAME}`, keyed by name.
    package var outputPaths: [String: String] = [:]
    /// The paths that replace `%{fd:NAME}`, keyed by parameter name. The program reads the value from the path.
    package var descriptorPaths: [String: String] = [:]
    package var result: String?
    package var lastLine: String?

    /// Checks the values, and adds defaults for missing values.
    ///
    /// - Parameters:
    ///   - values: Values that fit the types of the parameters.
    ///   - path: Returns the path at which the program finds a file. Called only for files that a word of `Exec=` or
    ///     `Environment=` names, because the file of a pipe can be read only once.
    /// - Throws: ``ArgumentError``, and any error that `path` throws.
    package init(
        _ values: [String: IntentValue],
        of intent: CommandIntent,
        path: (FileReference) throws -> String
    ) throws {
        parameters = Dictionary(intent.parameters.map { ($0.name, $0) }) { first, _ in first }
        let named = intent.namedParameters
        for parameter in intent.parameters {
            let value = Self.value(of: parameter, in: values)
            if value == .null {
                guard parameter.declaration.isOptional else {
                    throw ArgumentError("parameter '\(parameter.name)' is missing")
                }
                texts[parameter.name] = .absent
                continue
            }
            try parameter.check(value)
            // A condition needs only the fact that there is a file.
            texts[parameter.name] = try Self.text(of: value, named.contains(parameter.name) ? path : \.name)
        }
    }

    /// Returns the value that was given for a parameter. Falls back to the parameter's default, and then to null.
    package static func value(of parameter: CommandParameter, in values: [String: IntentValue]) -> IntentValue {
        let given = values[parameter.name] ?? .null
        return given == .null ? parameter.declaration.defaultValue ?? .null : given
    }

    private static func text(of value: IntentValue, _ path: (FileReference) throws -> String) throws -> Text {
        switch value {
        case .null: .absent
        case .bool(let flag): .flag(flag)
        case .array(let values): .list(try values.map { try element($0, path) })
        case .int, .double, .string, .file, .object: .one(try element(value, path))
        }
    }

    private static func element(_ value: IntentValue, _ path: (FileReference) throws -> String) throws -> String {
        switch value {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): String(number)
        case .double(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let text): text
        case .file(let file): try path(file)
        case .array, .object: throw ArgumentError("a value of type \(value.kindName) cannot be converted to a string")
        }
    }

    // MARK: Rendering

    /// Converts the words to the arguments of a program. A value remains within its argument, and cannot become an
    /// option.
    package func arguments(_ words: [TemplateWord]) throws(ArgumentError) -> [String] {
        var arguments: [String] = []
        var isBehindOptions = false
        for word in words {
            for argument in try render(word) {
                try check(argument, of: word, mayBeginWithHyphen: isBehindOptions)
                arguments.append(argument)
            }
            if word.fixedText == "--" { isBehindOptions = true }
        }
        return arguments
    }

    /// Returns the word as one string, with commas between the elements of a list. Returns nil for a word with a
    /// placeholder that has no value.
    package func text(_ word: TemplateWord) throws(ArgumentError) -> String? {
        let texts = try render(word)
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    /// Returns the strings for a word: one for each element of a list, otherwise one. The array is empty for a word
    /// with a placeholder that has no value.
    private func render(_ word: TemplateWord) throws(ArgumentError) -> [String] {
        var texts = [""]
        for piece in word.pieces {
            switch piece {
            case .text(let text): texts = texts.map { $0 + text }
            case .placeholder(let placeholder):
                switch text(for: placeholder) {
                case .absent: return []
                case .one(let text): texts = texts.map { $0 + text }
                case .flag(let flag): texts = texts.map { $0 + (flag ? "true" : "false") }
                case .list(let elements): texts = texts.flatMap { start in elements.map { start + $0 } }
                }
            }
        }
        for text in texts where text.utf8.contains(0) {
            throw ArgumentError("a value contains a NUL character, which cannot be passed to a program")
        }
        return texts
    }

    private func text(for placeholder: Placeholder) -> Text {
        switch placeholder {
        case .value(let name): texts[name] ?? .absent
        case .condition(let name, let then, let otherwise):
            holds(name) ? .one(then) : otherwise.map { .one($0) } ?? .absent
        case .part: .absent
        case .output(let name): outputPaths[name].map { .one($0) } ?? .absent
        case .descriptor(let name): descriptorPaths[name].map { .one($0) } ?? .absent
        case .result: result.map { .one($0) } ?? .absent
        case .lastLine: lastLine.map { .one($0) } ?? .absent
        }
    }

    private func holds(_ name: String) -> Bool {
        switch texts[name] ?? .absent {
        case .absent: false
        case .flag(let flag): flag
        case .list(let elements): !elements.isEmpty
        case .one: true
        }
    }

    /// The maximum size of an argument for execve(2), including its NUL (MAX_ARG_STRLEN).
    private static let argumentLimit = 128 << 10

    private func check(
        _ argument: String,
        of word: TemplateWord,
        mayBeginWithHyphen: Bool
    ) throws(ArgumentError) {
        guard argument.utf8.count < Self.argumentLimit else {
            throw ArgumentError(
                "an argument of \(argument.utf8.count) bytes is longer than the kernel permits; "
                    + "pass the value in a file or with StandardInput="
            )
        }
        guard !mayBeginWithHyphen, argument.utf8.first == UInt8(ascii: "-"), word.leadingText.isEmpty else { return }
        // The file's author chose the strings of a condition and the values of a closed list, so these strings may be
        // options.
        for piece in word.pieces {
            guard case .placeholder(let placeholder) = piece else { return }
            switch placeholder {
            case .condition: return
            case .value(let name):
                guard let parameter = parameters[name], !parameter.hasClosedValues, !parameter.isNumber else { return }
                // Skip an empty value: the next piece determines how the argument starts.
                if texts[name] == .one("") { continue }
                throw ArgumentError(
                    "parameter '\(name)': '\(WireCoding.excerpt(argument))' starts with '-', but the value must not be an option; "
                        + "an author permits it with the word '--' before it in Exec="
                )
            case .output, .descriptor, .part, .result, .lastLine: continue
            }
        }
    }
}

extension CommandParameter {
    /// Checks that a value matches the parameter's pattern, and contains no NUL character.
    package func check(_ value: IntentValue) throws(ArgumentError) {
        switch value {
        case .array(let values): for value in values { try check(value) }
        case .string(let text):
            if text.utf8.contains(0) { throw ArgumentError("parameter '\(name)' contains a NUL character") }
            guard let pattern else { return }
            // Treat an expression that fails on this string as not matching.
            guard (try? pattern.regex.wholeMatch(in: text)) != nil else {
                throw ArgumentError(
                    isSecret
                        ? "parameter '\(name)' does not match its pattern"
                        : "parameter '\(name)': '\(WireCoding.excerpt(text))' does not match the pattern \(pattern.text)"
                )
            }
        case .null, .bool, .int, .double, .file, .object: return
        }
    }
}
