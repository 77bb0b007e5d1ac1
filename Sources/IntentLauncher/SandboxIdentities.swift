import Glibc
import IntentConfiguration
import IntentSandbox

/// The user ids of sandboxes, and of processes outside of any sandbox.
final class SandboxIdentities {
    /// Nil where the launcher has no ids to assign: all apps run as its own user then.
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

    /// The group with which operators give apps permissions besides those of all users: the launcher's group, or
    /// nogroup if that is root's.
    var grantsGroup: UInt32 { getgid() == 0 ? 65534 : getgid() }

    /// The ids of the owner's processes and files, with and without a sandbox; nil where the launcher has none to assign.
    func ids(of app: AppSettings, for owner: SandboxOwner) throws -> SandboxIDs? {
        try assignments?.ids(of: owner, isShared: states.isShared(by: app))
    }

    /// The user of the owner's processes outside of any sandbox; nil: the launcher's. Never root: 65534 owns nothing.
    func openUser(of app: AppSettings, for owner: SandboxOwner) throws -> UInt32? {
        if let pair = try ids(of: app, for: owner) { return pair.app }
        return getuid() == 0 ? 65534 : nil
    }
}
