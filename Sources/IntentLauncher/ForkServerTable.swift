import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentWire

/// The current fork server of each owner, and failures of owners without one.
struct ForkServerTable {
    private var current: [SandboxOwner: Sandbox] = [:]
    private var deaths: [SandboxOwner: DeathTally] = [:]
    /// Counts uses. The sandbox with the lowest number has been unused for the longest time.
    private var lastUse: UInt64 = 0
    /// Apps with threads at their start. They are executed for each run instead of being forked.
    private var unforkable: [AppName: AppSettings] = [:]

    subscript(owner: SandboxOwner) -> Sandbox? { current[owner] }

    mutating func add(_ sandbox: Sandbox) {
        noteUse(of: sandbox)
        current[sandbox.owner] = sandbox
    }

    /// Removes the sandbox if it is its owner's current one.
    mutating func remove(_ sandbox: Sandbox) {
        if current[sandbox.owner] === sandbox { current[sandbox.owner] = nil }
    }

    mutating func noteUse(of sandbox: Sandbox) {
        lastUse += 1
        sandbox.lastUse = lastUse
    }

    /// The idle sandboxes to retire, longest unused first. Busy sandboxes are not retired, so there may be fewer than
    /// the excess.
    func excess(over limit: Int) -> [Sandbox] {
        let count = current.count - limit
        guard count > 0 else { return [] }
        return Array(current.values.filter(\.isIdleServer).sorted { $0.lastUse < $1.lastUse }.prefix(count))
    }

    mutating func died(_ sandbox: Sandbox, at now: Int64, words: String) {
        deaths[sandbox.owner, default: DeathTally()].died(at: now, words: words)
    }

    /// Why the owner's fork server must not be started now; nil when it may be started.
    func refusal(of app: AppSettings, for owner: SandboxOwner, at now: Int64) -> UnmetNeed? {
        guard let tally = deaths[owner], let wait = tally.wait(at: now) else { return nil }
        return UnmetNeed(
            """
            its fork server ended \(tally.count) times in a row (\(tally.lastWords ?? "for no known reason")); it is \
            started again in \(wait / 1_000_000_000 + 1) s. Run '\(app.executable)' by hand to see why it ends.
            """
        )
    }

    mutating func noteUnforkable(_ app: AppSettings) { unforkable[app.name] = app }

    /// True for an app that cannot be forked, until its settings change.
    func isUnforkable(_ app: AppSettings) -> Bool { unforkable[app.name] == app }
}
