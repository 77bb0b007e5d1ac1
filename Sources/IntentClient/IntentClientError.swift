package import IntentLinux
public import IntentProtocol

/// Why a request to `intentd` failed: what failed, why, and the next step.
public struct IntentClientError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public let code: ErrorReport.Code
    /// What failed and why, for people.
    public let message: String
    /// The next step, for people; nil when nothing helps.
    public let hint: String?
    /// The run that is affected; nil when the error is not about one run.
    public let run: RunID?

    /// About how long to wait before the same request can succeed; nil when waiting does not help.
    public var retryAfter: Duration?

    /// Creates an error.
    public init(_ code: ErrorReport.Code, _ message: String, hint: String? = nil, run: RunID? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.run = run
    }
}

// Failures that the client itself detects.
extension ErrorReport.Code {
    /// No daemon listens on the socket.
    public static let noDaemon: ErrorReport.Code = ErrorReport.Code(rawValue: "noDaemon")
    /// The daemon speaks another version of the protocol.
    public static let versionMismatch: ErrorReport.Code = ErrorReport.Code(rawValue: "versionMismatch")
    /// The connection ended before the answer, or while a run was in progress.
    public static let connectionLost: ErrorReport.Code = ErrorReport.Code(rawValue: "connectionLost")
    /// A file cannot be opened or passed to a run.
    public static let unreadableFile: ErrorReport.Code = ErrorReport.Code(rawValue: "unreadableFile")
    /// The executable for a private daemon does not exist.
    public static let noExecutable: ErrorReport.Code = ErrorReport.Code(rawValue: "noExecutable")
    /// `intentd` was not found, so a private daemon cannot start.
    public static let noProgram: ErrorReport.Code = ErrorReport.Code(rawValue: "noProgram")
    /// The kernel refused a system call of the client itself.
    public static let system: ErrorReport.Code = ErrorReport.Code(rawValue: "system")
}

extension IntentClientError: CustomStringConvertible {
    /// The message and the hint as one text.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
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
            "the daemon's answer cannot be read: \(reason)",
            hint: "check that intentd listens on this socket, and that the client and intentd have one version."
        )
    }

    /// This failure, as an error about a run in progress.
    func losing(run: RunID) -> IntentClientError {
        IntentClientError(
            code,
            "run \(run): \(message)",
            hint: hint ?? "check with 'intentctl ps' whether the run continues.",
            run: run
        )
    }
}

extension IntentClientError {
    static let wrongAnswer = violation("the answer is to another request")

    /// Why connecting to a socket failed, and how to fix it.
    package init(connecting path: String, _ location: SocketLocation, failed error: SystemError) {
        switch error.code {
        case .noSuchFile, .notDirectory, .connectionRefused:
            let start = location == .user ? "systemctl --user start" : "systemctl start"
            self.init(
                .noDaemon,
                "no intentd listens on '\(path)': \(error.code)",
                hint:
                    "start it with '\(start) intentd.socket', or run without it: 'intentctl run --local EXECUTABLE INTENT'."
            )
        case .accessDenied, .notPermitted:
            self.init(
                .notPermitted,
                "may not use '\(path)': \(error.code)",
                hint: "ask for membership of the group 'intentd', then log in again."
            )
        default:
            self.init(.noDaemon, "cannot connect to '\(path)': \(error.code)", hint: "check the socket's path.")
        }
    }
}
