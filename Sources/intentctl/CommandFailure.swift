package import IntentClient

/// The failure of a command: a message and the exit code.
package struct CommandFailure: Error, Equatable, Sendable {
    package var exitCode: ExitCode
    /// The identifier of the error in JSON output, such as `badAnswer`.
    package var code: String
    /// The error message: what failed and why.
    package var message: String
    /// The next step for the user; nil if it is unknown.
    package var hint: String?

    package init(_ exitCode: ExitCode, code: String, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.code = code
        self.message = message
        self.hint = hint
    }

    package init(_ error: IntentClientError) {
        self.init(ExitCode(error.code), code: error.code.rawValue, error.message, hint: error.hint)
    }

    package init(_ error: ParameterError) {
        self.init(.usage, code: error.code?.rawValue ?? "usage", error.message, hint: error.hint)
    }

    /// Converts parameter errors that a closure throws into command failures.
    static func mapping<Value>(_ body: () throws(ParameterError) -> Value) throws(CommandFailure) -> Value {
        do throws(ParameterError) {
            return try body()
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Creates a failure for a mistake on the command line.
    static func usage(_ message: String, hint: String?) -> CommandFailure {
        CommandFailure(.usage, code: "usage", message, hint: hint)
    }
}
