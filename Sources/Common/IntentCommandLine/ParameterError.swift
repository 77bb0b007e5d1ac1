/// A mistake in the parameters of a command line.
package struct ParameterError: Error, Hashable, Sendable {
    /// The error code in JSON output; nil for a syntax error.
    package var code: Code?
    /// The error message: what failed and why.
    package var message: String
    /// The next step for the user; nil if it is unknown.
    package var hint: String?
    /// The index of an option that names no parameter; nil for other errors.
    package var unknownOption: Int?

    package init(_ code: Code, _ message: String, hint: String?, unknownOption: Int? = nil) {
        self.init(message, hint: hint)
        self.code = code
        self.unknownOption = unknownOption
    }

    /// Creates a syntax error.
    package init(_ message: String, hint: String?) {
        self.message = message
        self.hint = hint
    }

    /// The kinds of mistakes in values, with their names in the error codes of intentd.
    package enum Code: String, Hashable, Sendable {
        case badParameter, missingParameter, unknownParameter
    }
}
