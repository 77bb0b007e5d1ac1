import Glibc
import IntentConfiguration
import IntentSandbox

/// Determines the user ids of sandboxes, and of processes without a sandbox.
final class SandboxIdentities {
    /// The ids assigned to apps. Nil if the launcher has no ids to assign; all apps then run as the launcher's user.
    private var assignments: IDAssignments?
    /// The reason why the launcher has no ids to assign; nil if it has ids.
    let problem: String?
    private let states: StateFolders

    init(_ arguments: LauncherArguments, states: StateFolders) {
        self.states = states
        switch arguments.ids {
        case .none: (assignments, problem) = (nil, "the launcher was not started by intentd-starter")
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

    /// The group through which operators permit apps, but not other users, to access files: the launcher's group, or
    /// nogroup if the launcher runs with root's group.
    var grantsGroup: UInt32 { getgid() == 0 ? 65534 : getgid() }

    /// Returns the ids of the owner's processes and files, with or without a sandbox. Returns nil if the launcher has
    /// no ids to assign.
    func ids(of app: AppSettings, for owner: SandboxOwner) throws -> SandboxIDs? {
        try assignments?.ids(of: owner, isShared: app.unit.state == .shared)
    }

    /// Returns the uid of the owner's unsandboxed processes, or nil for the launcher's user. If the launcher runs as
    /// root and has no ids to assign, returns 65534, which owns no files.
    func unsandboxedUser(of app: AppSettings, for owner: SandboxOwner) throws -> UInt32? {
        if let pair = try ids(of: app, for: owner) { return pair.app }
        return getuid() == 0 ? 65534 : nil
    }
}
