package import IntentClient
import IntentRelay

/// The exit code of the process. Scripts rely on the numbers; those from 64 follow sysexits(3).
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// The intent threw.
    case failed = 1
    /// Unknown option; missing or bad parameter.
    case usage = 64
    /// Malformed input, such as broken JSON, or a value that is too large.
    case badInput = 65
    /// Unknown app, intent or run.
    case notFound = 66
    /// `intentd` is not running.
    case unavailable = 69
    /// The worker crashed, or broke its protocol.
    case crashed = 70
    /// A limit of the sandbox, or no space for the result.
    case resourceLimit = 71
    /// `intentd` is busy, or intentctl stopped waiting.
    case tryLater = 75
    /// A question was not answered.
    case unanswered = 76
    case notPermitted = 77
    case configuration = 78
    /// Cancelled: the run exceeded a time limit.
    case timeout = 124
    /// Cancelled: the client disconnected.
    case clientDisconnected = 129
    /// Cancelled by a user, or replaced by a newer run.
    case userCancelled = 130
    /// Cancelled: `intentd` stopped.
    case serviceStopped = 143
}

extension ExitCode {
    /// The code for how a run ended.
    package init(_ outcome: RunOutcome) {
        self =
            switch outcome {
            case .done: .done
            case .failed: .failed
            case .unanswered: .unanswered
            case .cancelled(.timeout): .timeout
            case .cancelled(.userCancelled): .userCancelled
            case .cancelled(.serviceStopping): .serviceStopped
            case .cancelled(.clientDisconnected): .clientDisconnected
            // To a shell, 130 means that a program was stopped from outside. An unknown reason is from a newer daemon.
            case .cancelled(.replaced), .cancelled(.unknown): .userCancelled
            case .crashed(.exited): .crashed
            // SIGXCPU and SIGXFSZ: a limit of processor time or of file size.
            case .crashed(.signaled(24)), .crashed(.signaled(25)): .resourceLimit
            case .crashed(.signaled): .crashed
            case .exceeded: .resourceLimit
            case .violated: .crashed
            case .notStarted: .configuration
            case .busy: .tryLater
            case .lost: .crashed
            // An outcome from a newer daemon.
            case .unknown: .failed
            }
    }

    /// The code for a failed request. An unknown kind of failure has the general code.
    package init(_ code: ErrorReport.Code) {
        self = Self.ofErrors[code] ?? .failed
    }

    private static let ofErrors: [ErrorReport.Code: ExitCode] = [
        .noDaemon: .unavailable,
        .connectionLost: .unavailable,
        .unreachableHost: .unavailable,
        .protocolViolation: .unavailable,
        .notPermitted: .notPermitted,
        .versionMismatch: .configuration,
        .unknownRequest: .configuration,
        .brokenApp: .configuration,
        .badConfiguration: .configuration,
        .notUpgraded: .configuration,
        .noProgram: .configuration,
        .noExecutable: .notFound,
        .unreadableFile: .usage,
        .unknownParameter: .usage,
        .missingParameter: .usage,
        .badParameter: .usage,
        .badRequest: .usage,
        .tooLarge: .badInput,
        .unknownApp: .notFound,
        .unknownIntent: .notFound,
        .unknownRun: .notFound,
        .cannotUndo: .notFound,
        .noQuestion: .notFound,
        .badAnswer: .usage,
        .historyUnavailable: .tryLater,
        .keyConflict: .usage,
        .busy: .tryLater,
        .stopping: .tryLater,
        .system: .resourceLimit,
    ]
}
