import Glibc
import IntentConfiguration
import IntentSandbox

/// The user ids of sandboxes, and of processes without a sandbox.
final class SandboxIdentities {
    /// Nil if the launcher has no ids to assign. All apps then run as the launcher's user.
    private var assignments: IDAssignments?
    /// Why the host has no ids for apps; nil when it has some.
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

    /// The ids of the trial sandbox.
    var trial: SandboxIDs? { assignments?.trial }

    /// The group to which operators give permissions that apps should have and other users should not: the launcher's
    /// group, or nogroup if the launcher's group is root's.
    var grantsGroup: UInt32 { getgid() == 0 ? 65534 : getgid() }

    /// The ids of the owner's processes and files, with and without a sandbox; nil if the launcher has no ids to
    /// assign.
    func ids(of app: AppSettings, for owner: SandboxOwner) throws -> SandboxIDs? {
        try assignments?.ids(of: owner, isShared: states.isShared(by: app))
    }

    /// The user of the owner's processes without a sandbox; nil: the launcher's user. Never root: uid 65534 owns no
    /// files.
    func openUser(of app: AppSettings, for owner: SandboxOwner) throws -> UInt32? {
        if let pair = try ids(of: app, for: owner) { return pair.app }
        return getuid() == 0 ? 65534 : nil
    }
}
