import IntentSystemd
import IntentWire

/// The order in which launches begin: users take turns.
///
/// Launches take most of the launcher's time: one user's many wait while another's few are begun.
extension Launcher {
    /// Queues a launch for the turn that follows the commands which came together with it.
    func queue(_ request: LaunchRequest) {
        guard !isQuitting else { return fail(request, "the launcher is about to end") }
        launches.append(request, of: request.user)
    }

    /// Begins one launch; the others wait for what is ready before them.
    func takeLaunchTurn() {
        guard let request = launches.next() else { return }
        launch(request)
        if !launches.isEmpty { askForTurn() }
    }

    func beginAllLaunches() {
        while let request = launches.next() { launch(request) }
    }

    /// Takes back a launch that was not begun; false when none waits.
    func takeBackLaunch(_ id: SlotID) -> Bool { launches.remove { $0.slot == id } }

    private func askForTurn() {
        do {
            try launchTurn?.fireOnce()
        } catch {
            journal.write(.error, "the loop gives no turns (\(error)), beginning all launches at once")
            beginAllLaunches()
        }
    }
}
