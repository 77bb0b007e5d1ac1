import IntentConfiguration
import IntentProtocol

/// Parses the values of the keys that describe intents.
extension UnitFile.Assignment {
    /// Parses the value as a boolean. An empty value is false.
    func isOn() throws(ConfigurationProblem) -> Bool { value.isEmpty ? false : try flag() }

    func templateWords() throws(ConfigurationProblem) -> [TemplateWord] {
        try explained { () throws(TemplateError) in try TemplateText.words(of: value) }
    }

    /// Parses the whole value as one string with placeholders.
    func sentence() throws(ConfigurationProblem) -> TemplateWord {
        try explained { () throws(TemplateError) in try TemplateText.sentence(value) }
    }

    /// Adds the place of the assignment to the error that a function throws.
    func explained<Value>(_ parse: () throws(TemplateError) -> Value) throws(ConfigurationProblem) -> Value {
        do {
            return try parse()
        } catch {
            throw problem(error.message)
        }
    }

    /// Parses the value as words without placeholders.
    func fixedWords() throws(ConfigurationProblem) -> [String] {
        try templateWords().map { word throws(ConfigurationProblem) in
            guard let text = word.fixedText else {
                throw problem("expected words without placeholders, got '\(excerpt)'")
            }
            return text
        }
    }

    /// Parses the value as a command: the absolute path of a program, and its arguments.
    func command() throws(ConfigurationProblem) -> [TemplateWord] {
        let words = try templateWords()
        guard let program = words.first else { throw problem("expected the path of a program") }
        guard let path = program.fixedText else { throw problem("expected a program's path without placeholders") }
        guard AbsolutePath.parse(path) != nil else {
            throw problem("expected an absolute path without '..', got '\(WireCoding.excerpt(path))'")
        }
        return words
    }

    /// Parses the value as environment variables `NAME=VALUE`, one per word. A name has the form that POSIX
    /// defines for environment variables (environ(7)).
    func variables() throws(ConfigurationProblem) -> [CommandVariable] {
        try templateWords().map { word throws(ConfigurationProblem) in
            guard let variable = CommandVariable(word), !variable.name.contains(utf8: "-") else {
                throw problem("expected words of the form NAME=VALUE, with a name of letters, digits and '_'")
            }
            return variable
        }
    }

    /// Parses the value as a range of numbers, such as `1..9`, `1..` or `..9`.
    func numberRange() throws(ConfigurationProblem) -> NumberRange {
        try parsed(as: "a range such as 1..9, 1.. or ..9") { text in
            guard let dots = text.firstRange(utf8: "..") else { return nil }
            let bounds = [text.utf8[..<dots.lowerBound], text.utf8[dots.upperBound...]]
                .map { Substring($0).replacing(utf8: " ", with: "") }
            let numbers = bounds.map { Double($0) }
            guard zip(bounds, numbers).allSatisfy({ $0.isEmpty || $1?.isFinite == true }),
                numbers.contains(where: { $0 != nil })
            else { return nil }
            if let lower = numbers[0], let upper = numbers[1], lower > upper { return nil }
            return NumberRange(lowerBound: numbers[0], upperBound: numbers[1])
        }
    }
}

extension CommandVariable {
    /// Splits a word at its first equals sign. Returns nil unless an equals sign precedes all placeholders.
    init?(_ word: TemplateWord) {
        let text = word.leadingText
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(Substring(text.utf8[..<equals]))
        guard let first = name.utf8.first, !(48...57).contains(first),
            name.utf8.allSatisfy({
                CommandParameter.isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        self.name = name
        value = word.dropping(utf8Count: name.utf8.count + 1)
    }
}
