import IntentLauncherMessages

/// Parses values in systemd's syntax. Callers check for an empty value first, because an empty value resets the key.
extension UnitFile.Assignment {
    /// Parses the value as a boolean, in upper or lower case (systemd.syntax(7)).
    package func flag() throws(ConfigurationProblem) -> Bool {
        try parsed(as: "yes or no") { text in
            switch text.lowercased() {
            case "1", "yes", "true", "on": true
            case "0", "no", "false", "off": false
            default: nil
            }
        }
    }

    /// Parses the value as a whole number in a range.
    package func count(in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int {
        try parsed(as: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            guard let number = Int(text), range.contains(number) else { return nil }
            return number
        }
    }

    /// Parses the value as a size in bytes. Returns nil for infinity. Zero is invalid, because file systems interpret
    /// it as no limit.
    func size() throws(ConfigurationProblem) -> Int64? {
        let size = try parsed(as: "a size: bytes, a number with K, M, G or T, or infinity", ByteSize.parse)
        if size == .bytes(0) { throw problem("the size must be greater than 0") }
        return size.byteCount
    }

    /// Parses the value as a positive time span.
    package func span() throws(ConfigurationProblem) -> Duration {
        try parsed(as: "a time span such as 30s") { text in
            guard let span = TimeSpan.parse(text), span > .zero else { return nil }
            return span
        }
    }

    /// Parses the value with a function that returns nil for an invalid value. The error message contains `form` as the
    /// description of a valid value.
    package func parsed<Value>(as form: String, _ parse: (String) -> Value?) throws(ConfigurationProblem) -> Value {
        guard let parsed = parse(value) else { throw problem("expected \(form), got '\(excerpt)'") }
        return parsed
    }

    /// Parses the value as one of several words.
    package func word<Word: RawRepresentable<String> & CaseIterable>() throws(ConfigurationProblem) -> Word {
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        return try parsed(as: "one of \(words)") { text in Word.allCases.first { $0.rawValue == text } }
    }

    /// Returns the words of a list.
    func listWords() throws(ConfigurationProblem) -> [String] {
        guard let words = ListWords.split(value) else {
            throw problem("missing closing quotation mark in '\(excerpt)'")
        }
        return words
    }

    /// Returns the list with the words of the value appended, except words that the list already contains; an empty
    /// list if the value is empty.
    func list<Element: Equatable>(
        after list: [Element],
        as form: String,
        _ parse: (String) -> Element?
    ) throws(ConfigurationProblem) -> [Element] {
        var list = value.isEmpty ? [] : list
        for word in try listWords() {
            guard let element = parse(word) else {
                throw problem("expected \(form), got '\(WireCoding.excerpt(word))'")
            }
            if !list.contains(element) { list.append(element) }
        }
        return list
    }

    /// Returns the union of the set and the names in the value; an empty set if the value is empty.
    ///
    /// - Throws: ``ConfigurationProblem`` for the words that ``plainNames()`` rejects.
    func names(after names: Set<String>) throws(ConfigurationProblem) -> Set<String> {
        let more = try plainNames()
        return more.isEmpty ? [] : names.union(more)
    }

    /// Returns the names in the value.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that cannot be the name of a user, group or parameter. The word
    ///   may be a fragment of another line, or a list separated by commas. The rule would then apply to the wrong
    ///   users.
    func plainNames() throws(ConfigurationProblem) -> [String] {
        let words = try listWords()
        let signs = "=[]#;,:/\"'`".unicodeScalars
        for word in words where word.unicodeScalars.contains(where: signs.contains) {
            throw problem("expected names separated by spaces, got '\(WireCoding.excerpt(word))'")
        }
        return words
    }

    /// The start of the value, for error messages.
    package var excerpt: String { WireCoding.excerpt(value) }

    package func problem(_ message: String) -> ConfigurationProblem {
        let advice = hasTrailingComment ? "; a comment needs a line of its own" : ""
        return ConfigurationProblem(file: file, line: line, message: "\(key)=: \(message)\(advice)")
    }

    /// True if the value probably ends with a comment, which is part of the value (systemd.syntax(7)).
    package var hasTrailingComment: Bool { value.words.dropFirst().contains("#") }
}

extension ConfigurationProblem {
    /// Returns a copy of the problem with a message that also contains the value that stays in effect.
    func keeping(_ value: some CustomStringConvertible) -> ConfigurationProblem { adding(", keeping \(value)") }

    /// Returns a copy of the problem with a longer message.
    func adding(_ text: String) -> ConfigurationProblem {
        var problem = self
        problem.message += text
        return problem
    }
}
