package import IntentProtocol

/// A parameter of an intent: a section `[Intent NAME.Parameter NAME]`.
package struct CommandParameter: Hashable, Sendable {
    /// The parameter's declaration, as clients receive it.
    package var declaration: ParameterDeclaration
    /// `Pattern=`: the regular expression that a string value must match from start to end.
    package var pattern: ValuePattern?
    /// `OptionsCommand=`: a program that prints the permitted values, one per line.
    package var optionsCommand: [TemplateWord]?
    /// The line number of the section.
    package var line: Int

    package init(_ declaration: ParameterDeclaration, line: Int) {
        self.declaration = declaration
        self.line = line
    }

    package var name: String { declaration.name }
    package var isSecret: Bool { declaration.isSecret == true }

    /// True for numbers. A negative number begins with a hyphen, but names no option.
    var isNumber: Bool { [.int, .double, .duration].contains(declaration.type.element) }

    /// True if the file's author chose every possible value, so that a caller cannot pass an unintended option.
    var hasClosedValues: Bool {
        switch declaration.type.element {
        case .enumeration, .bool: true
        case .string, .int, .double, .file, .decimal, .date, .url, .duration, .array, .entity, .object, .measurement,
            .currencyAmount, .dateComponents, .unknown:
            false
        }
    }

    /// Returns true for a name of at most 64 ASCII letters, digits, hyphens and underscores that starts with a letter.
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

/// A valid regular expression from a file, stored as its source text.
package struct ValuePattern: Hashable, Sendable {
    package let text: String

    /// - Throws: ``TemplateError`` with the message from the regular expression compiler.
    package init(_ text: String) throws(TemplateError) {
        do {
            _ = try Regex(text)
        } catch {
            throw TemplateError("invalid regular expression '\(WireCoding.excerpt(text))': \(error)")
        }
        self.text = text
    }

    /// The compiled expression, which matches Unicode scalars: `[^;]*` matches no semicolon, even if a combining mark
    /// follows it. Each access compiles the expression again, because Regex is not Sendable.
    package var regex: Regex<AnyRegexOutput> {
        do {
            return try Regex(text).matchingSemantics(.unicodeScalar)
        } catch {
            preconditionFailure("the initialiser has already compiled '\(text)'")
        }
    }
}
