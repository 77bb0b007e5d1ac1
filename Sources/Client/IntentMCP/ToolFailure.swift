import IntentCommandLine
import IntentProtocol

/// The error of a failed call, with a message for the model. The server returns it as a result with `isError`, not as a
/// JSON-RPC error.
struct ToolFailure: Error, Hashable {
    /// The kind of failure, for programs: a code of ``ErrorReport`` or the kind of a run's outcome.
    var code: String
    var message: String
    /// The next step; nil if none is known.
    var hint: String?

    init(_ message: String, hint: String? = nil, code: String = ErrorReport.Code.badParameter.rawValue) {
        (self.message, self.hint, self.code) = (message, hint, code)
    }

    init(_ report: ErrorReport) {
        // A model has no command line.
        let hint = report.code == .unknownRun ? "the tool \(RunTool.runs.rawValue) lists your runs" : report.hint
        self.init(report.message, hint: hint, code: report.code.rawValue)
    }

    /// The message and the next step.
    var text: String { hint.map { "\(message); \($0)" } ?? message }

    static func mapping<Value>(_ body: () throws(ParameterError) -> Value) throws(ToolFailure) -> Value {
        do throws(ParameterError) {
            return try body()
        } catch {
            throw ToolFailure(error.message, hint: error.hint, code: (error.code ?? .badParameter).rawValue)
        }
    }
}
