import IntentWire

/// Parsing of values in systemd's syntax. Callers handle empty values.
extension UnitFile.Assignment {
    /// The value as a boolean (systemd.syntax(7)): `1`, `yes`, `true`, `on` and their opposites, in any case.
    package func flag() throws(ConfigurationProblem) -> Bool {
        try parsed(as: "yes or no") { text in
            switch text.lowercased() {
            case "1", "yes", "true", "on": true
            case "0", "no", "false", "off": false
            default: nil
            }
        }
    }

    /// The value as a whole number.
    func count(in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int {
        try parsed(as: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            guard let number = Int(text), range.contains(number) else { return nil }
            return number
        }
    }

    /// The value in bytes; nil for infinity. Zero is invalid, because file systems treat it as no limit.
    func size() throws(ConfigurationProblem) -> Int64? {
        let size = try parsed(as: "a size: bytes, a number with K, M, G or T, or infinity", ByteSize.parse)
        if size == .bytes(0) { throw problem("the size must be greater than 0") }
        return size.byteCount
    }

    /// The value as a positive time span.
    func span() throws(ConfigurationProblem) -> Duration {
        try parsed(as: "a time span such as 30s") { text in
            guard let span = TimeSpan.parse(text), span > .zero else { return nil }
            return span
        }
    }

    /// The value, parsed. `form` describes the expected syntax for the error.
    package func parsed<Value>(as form: String, _ parse: (String) -> Value?) throws(ConfigurationProblem) -> Value {
        guard let parsed = parse(value) else { throw problem("'\(value)' is not \(form)") }
        return parsed
    }

    /// The list with the words of the value appended, without duplicates.
    func list<Element: Equatable>(
        after list: [Element],
        as form: String,
        _ parse: (String) -> Element?
    ) throws(ConfigurationProblem) -> [Element] {
        var list = list
        for word in value.words {
            guard let element = parse(word) else { throw problem("'\(word)' is not \(form)") }
            if !list.contains(element) { list.append(element) }
        }
        return list
    }

    /// Returns `names` with the names in the value added, because a list may continue in other files. An empty value
    /// clears the list.
    ///
    /// - Throws: ``ConfigurationProblem`` as ``plainNames()``.
    func names(after names: Set<String>) throws(ConfigurationProblem) -> Set<String> {
        let more = try plainNames()
        return more.isEmpty ? [] : names.union(more)
    }

    /// The names in the value.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that cannot be the name of a user, group or parameter. It may be a
    ///   fragment of another line, or names joined by commas, and the rule would apply to other users than the operator
    ///   meant.
    func plainNames() throws(ConfigurationProblem) -> [String] {
        let words = value.words
        let signs = "=[]#;,:/\\\"'`".unicodeScalars
        for word in words where word.unicodeScalars.contains(where: signs.contains) {
            throw problem("'\(word)' is not a name; separate names by spaces")
        }
        return words
    }

    package func problem(_ message: String) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, message: "\(key)=: \(message)")
    }
}

extension ConfigurationProblem {
    /// Adds to the problem that the current value is kept.
    func keeping(_ value: some CustomStringConvertible) -> ConfigurationProblem {
        var problem = self
        problem.message += ", keeping \(value)"
        return problem
    }
}
