import Glibc
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// Starts of schedules that did not result in a run.
extension ClientRequests {
    /// The uid for a user without an account: the overflow uid, which no process has (user_namespaces(7)).
    private static let overflowUser: UInt32 = 65_534

    /// Counts a start of a schedule without a run. Only an operator, or intentd itself, reports it for another user, who may
    /// no longer have an account.
    func startFailed(_ failure: StartFailure, _ origin: RunTable.RequestOrigin) {
        var origin = origin
        if let name = failure.userName {
            guard origin.rank == .operator else {
                let message = "cannot report a start of '\(name)': only operators may"
                return post(.refused(ErrorReport(.notPermitted, message)), id: origin.id, to: origin.client)
            }
            origin.user = apps.user(named: name)?.caller ?? .local(user: Self.overflowUser, account: name)
        }
        decisions.handle(.requested(origin, .startFailed(failure)))
    }

    /// Counts the starts of schedules that units have kept, because they found no intentd (`intentctl run --failed-start`).
    func countFailedStarts() {
        guard let folder = recorder.history?.options.folder else { return }
        let user = Caller.local(user: geteuid(), account: "")
        let caller = CallerProcess(user, process: getpid(), software: "intentd \(Hello.softwareVersion)")
        let origin = RunTable.RequestOrigin(
            client: .intentd,
            user: user,
            rank: .operator,
            groups: [],
            id: 0,
            caller: caller
        )
        FailedStarts.consume(in: folder, journal) { startFailed($0, origin) }
    }
}
