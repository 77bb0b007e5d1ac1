/// The sender of a request: a user, or an agent that the operator permits to act for a user (`User=` and `For=` in
/// `[Agents]`).
package struct Requester: Hashable, Sendable {
    /// The user who owns the requested runs.
    package var user: Caller
    /// The agent's uid; nil when the user sent the request.
    package var agent: UInt32?

    package init(_ user: Caller, agent: UInt32? = nil) {
        self.user = user
        self.agent = agent
    }

    /// Returns true if this requester owns a run that `other` requested. Users own the runs that their agents request;
    /// an agent owns only the runs that it requested itself.
    package func owns(runOf other: Requester) -> Bool {
        user == other.user && (agent == nil || agent == other.agent)
    }
}

extension CallerProcess {
    package var requester: Requester { Requester(caller, agent: agent) }
}
