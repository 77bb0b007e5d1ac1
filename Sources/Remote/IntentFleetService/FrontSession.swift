import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// A local user's connection.
///
/// Use an instance only on the loop's thread.
final class FrontSession {
    let id: UInt64
    /// The uid from SO_PEERCRED.
    let user: UInt32
    /// The account that pays for the user.
    let account: Account
    /// The user's name in the fleet.
    let owner: String
    let stream: FrameStream
    /// The instant on CLOCK_MONOTONIC, in nanoseconds, at which the client is disconnected unless it has sent `hello`.
    let helloDeadline: Int64
    var isGreeted = false
    /// The number of requests that have not been answered.
    var openCount = 0
    /// The runs to cancel when the client disconnects.
    var attached: Set<Int64> = []
    /// The number of runs that the client subscribes to.
    var watchCount = 0

    static let openLimit = 64
    static let watchLimit = 1000

    init(id: UInt64, user: UInt32, account: Account, owner: String, stream: FrameStream, helloDeadline: Int64) {
        self.id = id
        self.user = user
        self.account = account
        self.owner = owner
        self.stream = stream
        self.helloDeadline = helloDeadline
    }

    func answer(_ id: UInt64, _ answer: ClientAnswer, files: [SharedFileDescriptor] = []) {
        openCount -= 1
        stream.send(ClientMessage.answer(id: id, answer), files: files)
    }

    func refuse(_ id: UInt64, _ error: ErrorReport) { answer(id, .refused(error)) }

    // MARK: Refusals

    /// The maximum number of connections, in total and per account.
    private static let limit = 256
    private static let accountLimit = 80

    /// Returns the reason why a user may not have another connection, or nil if they may.
    ///
    /// - Parameters:
    ///   - account: The account that pays for the user.
    ///   - appIDs: The uids of sandboxes on this host.
    ///   - agents: The uids that intentd treats as agents; nil if they are unknown.
    static func refusal(
        of user: Caller,
        _ account: Account,
        appIDs: [HostIDs],
        agents: Set<UInt32>?,
        among sessions: some Collection<FrontSession>
    ) -> ErrorReport? {
        if appIDs.contains(where: { user.uid >= $0.first && user.uid - $0.first < $0.count }) { return appRefusal }
        // The account of a subordinate id is the agent itself.
        if agents?.contains(account.payer.uid) == true { return agentRefusal }
        guard sessions.count >= limit || sessions.count(where: { $0.account == account }) >= accountLimit else {
            return nil
        }
        return ErrorReport(.busy, "too many connections", hint: "close some of your connections, then try again")
    }

    /// The refusal of an app that reached the socket through `Sockets=`, as intentd refuses it at its own socket.
    static let appRefusal = ErrorReport(
        .notPermitted,
        "a process in a sandbox of intentd cannot be a client of the fleet",
        hint: "a run can exchange data with other apps only through its parameters and its result"
    )

    /// The refusal of a client that intentd treats as an agent. Approvals are requested only at intentd, because the
    /// fleet does not know for which person an agent acts (`For=`).
    static let agentRefusal = ErrorReport(
        .notPermitted,
        "agents (User= in [Agents] of intentd.conf) may not use the service of a fleet",
        hint: "send the request to intentd, without --fleet: a person can approve it there"
    )

    /// The refusal of a request before intentd has named its agents.
    static let unknownAgents = ErrorReport(
        .busy,
        "intentd has not answered yet which users are agents",
        hint: "try again in a second; without an answer, check intentd: intentctl status"
    )
}

extension ClientRequest {
    /// True for a request that is served before intentd has named its agents: about the fleet, and not about a run.
    var isAboutState: Bool { self == .status || self == .metrics }
}
