import IntentLinux
import IntentProtocol
import IntentSystemd

/// The server of a session of `intentctl --host`. It exits when its last channel has ended, unless the session may be
/// continued.
extension WebServer {
    /// Connects the standard streams to the socket of this server.
    func beginSession() throws(SystemError) {
        api.whenReleased = { [weak self] in self?.exitUnlessNeeded() }
        let name = OpeningFile.name(ofPrivateFolder: listener.folder ?? "")
        try SessionChannel.begin(name, authorization: access.authorization, at: listener.path ?? "")
    }

    /// Counts the open connections.
    func countConnection(isOpen: Bool) {
        guard isSession else { return }
        connectionCount += isOpen ? 1 : -1
        if connectionCount == 0 { exitUnlessNeeded() }
    }

    /// Exits, or waits for another channel if a run or a file of the session would be lost.
    func exitUnlessNeeded() {
        guard isSession, connectionCount == 0 else { return }
        guard api.isNeeded else { return loop.exit(0) }
        do throws(SystemError) {
            let instant = ClockReading.monotonicNanoseconds() + WebLimits.sessionPatience.nanoseconds
            sessionTimer = try loop.timer(atNanoseconds: instant) { [weak self] in
                if self?.connectionCount == 0 { self?.loop.exit(0) }
            }
        } catch {
            loop.exit(1)
        }
    }

    /// Returns the caller of a request of a session: each client has the name in its header field User-Agent in history.
    func sessionCaller(_ agent: String?) -> APICaller {
        let software = SafeText.line(agent ?? APICaller.program)
        return APICaller(name: software, software: software)
    }
}
