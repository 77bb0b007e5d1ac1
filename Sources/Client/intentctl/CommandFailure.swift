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

    /// Creates a failure with a code of the protocol, which determines the exit code.
    init(_ code: ErrorReport.Code, _ message: String, hint: String? = nil) {
        self.init(ExitCode(code), code: code.rawValue, message, hint: hint)
    }

    package init(_ error: IntentClientError) {
        self.init(error.code, error.message, hint: error.hint)
    }

    /// Creates a failure for an error of any type.
    init(of error: any Error) {
        self =
            error as? CommandFailure ?? (error as? IntentClientError).map(CommandFailure.init)
            ?? CommandFailure(.failed, code: "failed", "\(error)")
    }

    package init(_ error: ParameterError) {
        self.init(.usage, code: error.code?.rawValue ?? "usage", error.message, hint: error.hint)
    }

    /// Converts a parameter error that an expression throws into a command failure.
    static func mapping<Value>(
        _ body: @autoclosure () throws(ParameterError) -> Value
    ) throws(CommandFailure) -> Value {
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

    /// Creates a failure to write a file or standard output.
    static func output(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.resourceLimit, code: "output", message, hint: hint)
    }

    /// Creates a failure for a value of `--json` that is not the expected JSON.
    static func badJSON(_ message: String) -> CommandFailure {
        CommandFailure(.badInput, code: "badJSON", message, hint: "for example: --json '{\"name\": \"value\"}'")
    }
}
