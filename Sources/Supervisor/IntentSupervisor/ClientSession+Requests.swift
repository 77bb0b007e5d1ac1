import IntentHistory
import IntentLauncherMessages
import IntentLifecycle

extension ClientSession {
    var requester: Requester { Requester(owner, agent: agent) }
    var viewer: Viewer { Viewer(requester, seesAll: isOperator) }
    var caller: CallerProcess {
        guard let agent else { return CallerProcess(owner, process: process, software: software) }
        // The record of a cancellation or an answer contains the name of the software, but not the agent, so include
        // the agent in the name.
        let name = peerUser.account.isEmpty ? "\(agent)" : peerUser.account
        var caller = CallerProcess(user, process: process, software: "\(software), agent \(name)")
        caller.agent = agent
        return caller
    }

    func refuse(_ id: UInt64, _ error: ErrorReport) { send(.answer(id: id, .refused(error))) }

    /// Describes the sender of the request with this number to the run table.
    func origin(_ id: UInt64) -> RunTable.RequestOrigin {
        var origin = RunTable.RequestOrigin(
            client: self.id,
            user: owner,
            rank: rank,
            // Pass no groups for a fleet user, because that user is not a member of the fleet service's groups.
            groups: fleetUser == nil ? groups : [],
            id: id,
            caller: caller
        )
        origin.agent = agent
        origin.fleet = fleet
        return origin
    }
}
