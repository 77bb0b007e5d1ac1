import IntentHosts

/// The exit code of the process. The numbers never change, because scripts rely on them. The codes from 64 to 78 follow
/// sysexits(3).
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    /// The intent threw an error.
    case failed = 1
    /// An option is unknown, or a parameter is missing or invalid.
    case usage = 64
    /// The input is malformed, such as invalid JSON, or a value is too large.
    case badInput = 65
    /// The app, intent or run is unknown.
    case notFound = 66
    /// `intentd` does not answer, or the connection to it was lost.
    case unavailable = 69
    /// The worker crashed or violated its protocol.
    case crashed = 70
    /// The run exceeded one of its sandbox's limits, or there is not enough space for the result.
    case resourceLimit = 71
    /// `intentd` is busy, or intentctl stopped waiting.
    case tryLater = 75
    /// A question was not answered.
    case unanswered = 76
    case notPermitted = 77
    case configuration = 78
    /// The run was cancelled because it exceeded a time limit.
    case timeout = 124
    /// The run was cancelled because its client disconnected.
    case clientDisconnected = 129
    /// The run was cancelled by a user or replaced by a newer run.
    case userCancelled = 130
    /// The run was cancelled because `intentd` stopped.
    case serviceStopped = 143
}

extension ExitCode {
    /// Creates the exit code for the outcome of a run.
    package init(_ outcome: RunOutcome) { self = Self(rawValue: outcome.exitCode) ?? .failed }

    /// Creates the exit code for a failed request. An unknown error code maps to ``failed``.
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
