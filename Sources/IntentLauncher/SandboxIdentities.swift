import Glibc
import IntentConfiguration
import IntentSandbox

/// The user ids of sandboxes, and of processes without a sandbox.
final class SandboxIdentities {
    /// Nil if the launcher has no ids to assign: then all apps run as its own user.
    private var assignments: IDAssignments?
    /// Why the host has no ids for apps; nil if it has.
    let problem: String?
    private let states: StateFolders

    init(_ arguments: LauncherArguments, states: StateFolders) {
        self.states = states
        switch arguments.ids {
        case .none: (assignments, problem) = (nil, "intentd-starter did not start it")
        case .failure(let error): (assignments, problem) = (nil, error.description)
        case .success(let range):
            do {
                assignments = try IDAssignments(range, in: states.base.map { "\($0)/.ids" })
                problem = nil
            } catch {
                (assignments, problem) = (nil, "\(error)")
            }
        }
    }

    var isAvailable: Bool { assignments != nil }

    /// The ids of the sandbox that the launcher tries out.
    var trial: SandboxIDs? { assignments?.trial }

    /// The group through which operators give apps more permissions than all users have: the launcher's group, or
    /// nogroup if the launcher's group is root's.
    var grantsGroup: UInt32 { getgid() == 0 ? 65534 : getgid() }

    /// The ids of the owner's processes and files, with and without a sandbox; nil if the launcher has no ids to
    /// assign.
    func ids(of app: AppSettings, for owner: SandboxOwner) throws -> SandboxIDs? {
        try assignments?.ids(of: owner, isShared: states.isShared(by: app))
    }

    /// The user of the owner's processes without a sandbox; nil: the launcher's user. Never root: 65534 owns nothing.
    func openUser(of app: AppSettings, for owner: SandboxOwner) throws -> UInt32? {
        if let pair = try ids(of: app, for: owner) { return pair.app }
        return getuid() == 0 ? 65534 : nil
    }
}
