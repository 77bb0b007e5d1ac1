/// How a fleet of hosts may perform an intent (`Fleet=`, `Retry=` and `Hosts=`).
public struct FleetRule: Hashable, Sendable, Codable {
    /// Whether another host performs a run again after its host is lost.
    public var policy: Policy
    /// The maximum number of attempts for a retryable run.
    public var tries: Int
    /// The hosts that may perform the intent: names, and labels that begin with `@`. If empty, every host may perform
    /// it.
    public var hosts: [String]

    /// Creates a rule.
    public init(_ policy: Policy, tries: Int = FleetRule.defaultTries, hosts: [String] = []) {
        self.policy = policy
        self.tries = tries
        self.hosts = hosts
    }

    /// The maximum number of attempts for a retryable run of an intent without `Retry=`.
    public static let defaultTries = 3

    /// Whether another host performs a run again after its host is lost. Later releases can add policies.
    public struct Policy: RawRepresentable, Hashable, Sendable, Codable {
        /// The policy's name in messages and in `Fleet=`.
        public let rawValue: String

        /// Creates a policy from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A run is performed at most once. If its host is lost, the run ends with the outcome `hostLost`.
        public static let once = Policy(rawValue: "once")
        /// If the host of a run is lost, another host performs the run again, up to `Retry=` times.
        public static let retryable = Policy(rawValue: "retryable")
        /// A run is performed at most once, and its host stops it before other hosts regard the host as lost.
        public static let exclusive = Policy(rawValue: "exclusive")
    }

    /// Returns true if a host with this name and these labels may perform the intent.
    public func permits(host: String, labels: some Sequence<String>) -> Bool {
        hosts.isEmpty || hosts.contains(host) || labels.contains { hosts.contains("@" + $0) }
    }
}
