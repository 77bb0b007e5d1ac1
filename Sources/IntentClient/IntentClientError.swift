internal import IntentLinux
internal import IntentWire

/// Why `intentd` could not be asked, or refused: what failed and why, and the next step.
public struct IntentClientError: Error, Hashable, Sendable {
    /// The kind of failure.
    public let code: Code
    /// What failed and why.
    public let message: String
    /// What to do next, when something can be done.
    public let hint: String?
    /// The run that is concerned, when there is one.
    public let run: String?

    /// For what may work later: about when.
    public var retryAfter: Duration?

    /// Makes an error.
    public init(_ code: Code, _ message: String, hint: String? = nil, run: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.run = run
    }

    /// The kinds of failure. New ones may come: treat one that you do not know as a plain failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's word, as in messages and in JSON.
        public let rawValue: String

        /// The code of that word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // What the client itself finds.

        /// Nobody listens on the socket.
        public static let noDaemon: Code = Code(rawValue: "noDaemon")
        /// The socket may not be used by this user.
        public static let notPermitted: Code = Code(rawValue: "notPermitted")
        /// The daemon speaks another version of the protocol.
        public static let versionMismatch: Code = Code(rawValue: "versionMismatch")
        /// The connection ended before the answer, or in the middle of a run.
        public static let connectionLost: Code = Code(rawValue: "connectionLost")
        /// A file that should be handed over cannot be opened.
        public static let unreadableFile: Code = Code(rawValue: "unreadableFile")
        /// There is no executable of that path, for a private daemon.
        public static let noExecutable: Code = Code(rawValue: "noExecutable")
        /// There is no `intentd` to run privately.
        public static let noProgram: Code = Code(rawValue: "noProgram")
        /// The kernel refused what the client needs for itself.
        public static let system: Code = Code(rawValue: "system")

        // What the daemon answers.

        /// There is no app of that name.
        public static let unknownApp: Code = Code(rawValue: "unknownApp")
        /// The app has no intent of that name.
        public static let unknownIntent: Code = Code(rawValue: "unknownIntent")
        /// There is no such run, or it is somebody else's.
        public static let unknownRun: Code = Code(rawValue: "unknownRun")
        /// The intent has no parameter of that name.
        public static let unknownParameter: Code = Code(rawValue: "unknownParameter")
        /// A parameter without default got no value.
        public static let missingParameter: Code = Code(rawValue: "missingParameter")
        /// A parameter's value is not of its type.
        public static let badParameter: Code = Code(rawValue: "badParameter")
        /// The request's fields are not what its type asks for.
        public static let badRequest: Code = Code(rawValue: "badRequest")
        /// The daemon is older and does not know the request.
        public static let unknownRequest: Code = Code(rawValue: "unknownRequest")
        /// The request or a value in it is over a limit of size.
        public static let tooLarge: Code = Code(rawValue: "tooLarge")
        /// Every place is taken and the queue is full.
        public static let busy: Code = Code(rawValue: "busy")
        /// The daemon stops and takes no new runs.
        public static let stopping: Code = Code(rawValue: "stopping")
        /// Nothing can be put on record now, or read from it.
        public static let historyUnavailable: Code = Code(rawValue: "historyUnavailable")
        /// The key belongs to another wish.
        public static let keyConflict: Code = Code(rawValue: "keyConflict")
        /// The run waits with no question, or not with that one any more.
        public static let noQuestion: Code = Code(rawValue: "noQuestion")
        /// The answer does not fit the question, which stays open.
        public static let badAnswer: Code = Code(rawValue: "badAnswer")
        /// The run registered nothing that takes it back.
        public static let cannotUndo: Code = Code(rawValue: "cannotUndo")
        /// The app's executable could not give its catalogue.
        public static let brokenApp: Code = Code(rawValue: "brokenApp")
        /// The operator's files have mistakes, and what they said before still holds.
        public static let badConfiguration: Code = Code(rawValue: "badConfiguration")
        /// A new program cannot take over from the daemon, or the daemon's runs would not outlive it.
        public static let notUpgraded: Code = Code(rawValue: "notUpgraded")
        /// One side's bytes are not this protocol; the connection has ended.
        public static let protocolViolation: Code = Code(rawValue: "protocolViolation")
    }
}

extension IntentClientError: CustomStringConvertible {
    /// The message and the hint as one text.
    public var description: String {
        hint.map { "\(message) \($0)" } ?? message
    }
}

extension IntentClientError {
    init(_ report: ErrorReport) {
        self.init(Code(rawValue: report.code.rawValue), report.message, hint: report.hint)
        retryAfter = report.retryAfter
    }

    static func violation(_ reason: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "the daemon's answer is not understood: \(reason)",
            hint: "check that the socket belongs to intentd, and that client and daemon are of one release."
        )
    }

    /// The same failure as seen by a run that was under way.
    func losing(run: String) -> IntentClientError {
        IntentClientError(
            code,
            "run \(run): \(message)",
            hint: hint ?? "ask 'intentctl ps' whether the run goes on.",
            run: run
        )
    }
}

extension IntentClientError {
    static let wrongAnswer = violation("it answers another question")

    /// Why a socket could not be connected to, in the words of who has to make it work.
    init(connecting path: String, _ location: SocketLocation, failed error: SystemError) {
        switch error.code {
        case .noSuchFile, .notDirectory, .connectionRefused:
            let start = location == .user ? "systemctl --user start" : "systemctl start"
            self.init(
                .noDaemon,
                "no intentd listens on '\(path)': \(error.code)",
                hint:
                    "start it with '\(start) intentd.socket', or do without: 'intentctl run --local EXECUTABLE INTENT'."
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
