package import IntentLauncherMessages

/// The operator's rules for one intent (`[Intent NAME]`). A rule is nil if the section does not set it; the app's rule
/// then applies.
package struct IntentRules: Equatable, Sendable {
    package var limits: RunLimits?
    package var access: AccessRule?
    package var confirm: ConfirmRule?
    /// The rules for concurrent runs. They apply together with the app's rules.
    package var concurrency: ConcurrencyRules?
    /// The parameters with values that must not be recorded, in addition to the app's secret parameters.
    package var secretNames: Set<String>?
    package var notify: NotifyRule?
    package var retry: RetryRule?
    package var agents: AgentRule?
    /// The rule for runs in a fleet; `.some(nil)` if a fleet may not perform the intent.
    package var fleet: FleetRule??
    /// The sandbox of an intent with hosts of its own.
    package var sandbox: OwnSandbox?

    /// The sandbox of the runs of one intent (`AllowHosts=`).
    package struct OwnSandbox: Equatable, Sendable {
        /// The name in the intent's section, by which the launcher finds the hosts.
        package var section: String
        package var grants: SandboxGrants

        package init(section: String, grants: SandboxGrants) {
            (self.section, self.grants) = (section, grants)
        }
    }

    package init() {}
}
