package import IntentLinux

/// The error thrown for a failed request to `intentd`: what failed, why, and the next step.
public struct IntentClientError: Error, Hashable, Sendable {
    /// The kind of failure, for programs that handle the error.
    public let code: ErrorReport.Code
    /// The error message: what failed and why.
    public let message: String
    /// The next step for the user; nil when there is no useful step.
    public let hint: String?
    /// The affected run; nil when the error does not concern a single run.
    public let run: RunID?

    /// The approximate time to wait before the same request can succeed; nil when waiting does not help.
    public var retryAfter: Duration?

    /// Creates an error.
    public init(_ code: ErrorReport.Code, _ message: String, hint: String? = nil, run: RunID? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.run = run
    }

    /// Creates the error of a thread that did not start.
    package init(noThread error: SystemError) {
        let hint = "try again when other processes have ended, or raise 'ulimit -u'"
        self.init(.busy, "no process id is free for a thread of the client: \(error)", hint: hint)
    }
}

// Codes for failures that the client detects. `intentd` never sends them.
extension ErrorReport.Code {
    /// No daemon listens on the socket.
    public static let noDaemon: ErrorReport.Code = ErrorReport.Code(rawValue: "noDaemon")
    /// The daemon uses a different version of the protocol.
    public static let versionMismatch: ErrorReport.Code = ErrorReport.Code(rawValue: "versionMismatch")
    /// The connection closed before the answer arrived, or while a run was in progress.
    public static let connectionLost: ErrorReport.Code = ErrorReport.Code(rawValue: "connectionLost")
    /// A file cannot be opened or passed to a run.
    public static let unreadableFile: ErrorReport.Code = ErrorReport.Code(rawValue: "unreadableFile")
    /// The name under which to save a result file is not a valid file name. Usually, the app chose this name.
    public static let unsafeFileName: ErrorReport.Code = ErrorReport.Code(rawValue: "unsafeFileName")
    /// The app's executable, which a private daemon would serve, does not exist or cannot be executed.
    public static let noExecutable: ErrorReport.Code = ErrorReport.Code(rawValue: "noExecutable")
    /// The program `intentd`, which a private daemon needs, was not found.
    public static let noProgram: ErrorReport.Code = ErrorReport.Code(rawValue: "noProgram")
    /// One of the client's system calls failed.
    public static let system: ErrorReport.Code = ErrorReport.Code(rawValue: "system")
}

extension IntentClientError: CustomStringConvertible {
    /// The message and the hint, as one string.
    public var description: String {
        hint.map { "\(message); \($0)" } ?? message
    }
}

extension IntentClientError {
    init(_ report: ErrorReport) {
        self.init(report.code, report.message, hint: report.hint)
        retryAfter = report.retryAfter
    }

    static func violation(_ reason: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "cannot read the daemon's answer: \(reason)",
            hint: "check that intentd listens on this socket, and that the client and intentd have the same version"
        )
    }

    /// Returns the error with the run's identifier. If the error has no hint, adds a hint to check whether the run
    /// continues.
    func affecting(run: RunID) -> IntentClientError {
        var error = IntentClientError(
            code,
            "run \(run): \(message)",
            hint: hint ?? "check with 'intentctl ps' whether the run continues",
            run: run
        )
        error.retryAfter = retryAfter
        return error
    }
}

extension IntentClientError {
    static let wrongAnswer = violation("it does not match the request")

    /// Creates the error for a failed connect(2), with a hint for the most likely cause.
    package init(connecting path: String, _ location: SocketLocation, failed error: SystemError) {
        switch error.code {
        case .noSuchFile, .notDirectory, .connectionRefused:
            // A start would do nothing if the unit is active and only its file has been removed.
            let start = location == .user ? "systemctl --user restart" : "systemctl restart"
            self.init(
                .noDaemon,
                "no intentd listens on '\(path)': \(error.code)",
                hint:
                    "start it with '\(start) intentd.socket', or run without it: 'intentctl run --local EXECUTABLE INTENT'"
            )
        case .accessDenied, .notPermitted:
            self.init(
                .notPermitted,
                "no permission to connect to '\(path)': \(error.code)",
                hint: "ask an administrator to add you to the group 'intentd', then log in again"
            )
        default:
            self.init(.noDaemon, "cannot connect to '\(path)': \(error.code)", hint: "check the socket's path")
        }
    }
}
