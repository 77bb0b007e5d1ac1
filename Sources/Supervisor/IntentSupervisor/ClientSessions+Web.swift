import IntentLauncherMessages
import IntentLifecycle

/// The users for which clients act, when a service names its user and when the operator's files change.
extension ClientSessions {
    /// Makes the service of the HTTP API act for one of its users.
    func represent(_ name: String, on session: ClientSession) throws(ErrorReport) {
        session.represent(try webUser(name, operators))
    }

    /// Returns true if a reload of `[Agents]`, `[Fleet]` or `[Web]` has changed the user for which a client acts.
    private func isChanged(_ session: ClientSession) -> Bool {
        guard let (user, service) = session.web else {
            return actor(of: session.peerUser, session.peerGroups) != session.actor
        }
        return actor(of: service, session.peerGroups) != .web || (try? webUser(user.name, operators)) != user
    }

    /// Closes the connections for which a reload has changed the user for which the client acts.
    func endChangedAgents() {
        for session in sessions.values where isChanged(session) {
            session.send(
                .answer(
                    id: nil,
                    .refused(
                        ErrorReport(
                            .notPermitted,
                            "the operator changed [Agents], [Fleet] or [Web]",
                            hint: "connect again"
                        )
                    )
                )
            )
            session.endAfterWriting()
        }
    }
}
