import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox

/// The current fork server of each sandbox owner, and the failures that delay the start of the owner's next fork
/// server.
struct ForkServerTable {
    private var current: [SandboxOwner: Sandbox] = [:]
    private var backoffs: [SandboxOwner: RestartBackoff] = [:]
    /// The number of the latest use of any sandbox. The sandbox with the lowest number was used least recently.
    private var lastUse: UInt64 = 0
    /// The apps that start threads before a run, and are therefore executed for each run instead of being forked.
    private var unforkable: [AppName: AppSettings] = [:]

    var count: Int { current.count }

    subscript(owner: SandboxOwner) -> Sandbox? { current[owner] }

    mutating func add(_ sandbox: Sandbox) {
        noteUse(of: sandbox)
        current[sandbox.owner] = sandbox
    }

    /// Removes the sandbox if it is still its owner's current sandbox.
    mutating func remove(_ sandbox: Sandbox) {
        if current[sandbox.owner] === sandbox { current[sandbox.owner] = nil }
    }

    mutating func noteUse(of sandbox: Sandbox) {
        lastUse += 1
        sandbox.lastUse = lastUse
    }

    /// Returns the idle sandboxes to retire so that at most `limit` sandboxes remain: the least recently used ones of
    /// the payer with the most sandboxes. Busy sandboxes are never included, so more than `limit` may remain.
    ///
    /// - Parameter payer: Returns who pays for an owner's sandbox.
    func excess(over limit: Int, _ payer: (SandboxOwner) -> SandboxPayer) -> [Sandbox] {
        let count = current.count - limit
        guard count > 0 else { return [] }
        var shares: [SandboxPayer: (count: Int, idle: [Sandbox])] = [:]
        for sandbox in current.values.sorted(by: { $0.lastUse > $1.lastUse }) {
            var share = shares[payer(sandbox.owner)] ?? (0, [])
            share.count += 1
            if sandbox.isIdleServer { share.idle.append(sandbox) }
            shares[payer(sandbox.owner)] = share
        }
        var excess: [Sandbox] = []
        while excess.count < count {
            let largest = shares.filter { !$0.value.idle.isEmpty }.max { left, right in
                // Of two payers with equal shares, the one with the sandbox that was used less recently has the larger.
                (left.value.count, right.value.idle.last?.lastUse ?? 0)
                    < (right.value.count, left.value.idle.last?.lastUse ?? 0)
            }
            guard let key = largest?.key, let sandbox = shares[key]?.idle.popLast() else { break }
            shares[key]?.count -= 1
            excess.append(sandbox)
        }
        return excess
    }

    mutating func recordExit(of sandbox: Sandbox, at now: Int64, reason: String) {
        // Remove the entries that no longer delay a start. Otherwise the table would grow with every user of an app.
        if backoffs[sandbox.owner] == nil { backoffs = backoffs.filter { !$0.value.isExpired(at: now) } }
        backoffs[sandbox.owner, default: RestartBackoff()].recordExit(at: now, reason: reason)
    }

    /// Returns the reason why the owner's fork server must not be started now, or nil if it may be started.
    func refusal(of app: AppSettings, for owner: SandboxOwner, at now: Int64) -> UnmetRequirement? {
        guard let backoff = backoffs[owner], let delay = backoff.delay(at: now) else { return nil }
        return UnmetRequirement(
            """
            the app's fork server failed (\(backoff.lastReason ?? "unknown reason"); consecutive failures: \
            \(backoff.count)). It restarts in \(delay / 1_000_000_000 + 1) s at the earliest. Run \
            '\(app.executable)' in a shell to find the cause.
            """
        )
    }

    mutating func noteUnforkable(_ app: AppSettings) { unforkable[app.name] = app.withoutHosts }

    /// Returns true for an app that cannot be forked. The result is valid until the app's settings change.
    func isUnforkable(_ app: AppSettings) -> Bool {
        guard let noted = unforkable[app.name] else { return false }
        return noted == app.withoutHosts
    }
}

extension AppSettings {
    /// The settings without the hosts, which differ between the intents of an app.
    fileprivate var withoutHosts: AppSettings {
        var settings = self
        settings.unit.sandbox.allowHosts = []
        return settings
    }
}
