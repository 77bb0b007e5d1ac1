package import IntentProtocol

/// A parameter of an intent: a section `[Intent NAME.Parameter NAME]`.
package struct CommandParameter: Hashable, Sendable {
    /// The parameter as clients see it.
    package var declaration: ParameterDeclaration
    /// `Pattern=`: what the whole text of a value must match.
    package var pattern: ValuePattern?
    /// `OptionsCommand=`: a program that prints the values to choose from, one per line.
    package var optionsCommand: [TemplateWord]?
    /// The line of the section.
    package var line: Int

    package init(_ declaration: ParameterDeclaration, line: Int) {
        self.declaration = declaration
        self.line = line
    }

    package var name: String { declaration.name }
    package var isSecret: Bool { declaration.isSecret == true }

    /// True if the author of the file determines every possible value, so that no value can be an option that the author
    /// did not mean.
    var hasClosedValues: Bool {
        switch declaration.type.element {
        case .enumeration, .bool: true
        case .string, .int, .double, .file, .decimal, .date, .url, .duration, .array, .entity, .object, .measurement,
            .currencyAmount, .dateComponents, .unknown:
            false
        }
    }

    /// True for a name of letters, digits, hyphens and underscores that begins with a letter.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetterOrDigit(first), !(48...57).contains(first), name.utf8.count <= 64
        else {
            return false
        }
        return name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}

/// A regular expression of a file, with its text.
package struct ValuePattern: Hashable, Sendable {
    package let text: String

    /// - Throws: The message of the compiler of regular expressions.
    package init(_ text: String) throws(TemplateError) {
        do {
            _ = try Regex(text)
        } catch {
            throw TemplateError("'\(text)' is not a regular expression: \(error)")
        }
        self.text = text
    }

    /// The compiled expression. Regex is not Sendable, so each use compiles it.
    package var regex: Regex<AnyRegexOutput> {
        do {
            return try Regex(text)
        } catch {
            preconditionFailure("the initialiser has compiled '\(text)'")
        }
    }
}
