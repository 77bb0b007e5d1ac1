/// How a fleet of hosts may perform an intent (`Fleet=`, `Tries=` and `Hosts=`).
public struct FleetRule: Hashable, Sendable, Codable {
    /// How often the fleet may perform a run.
    public var policy: Policy
    /// How often a retryable run is attempted in total.
    public var tries: Int
    /// The hosts that perform the intent: names, and labels that begin with `@`. Empty for every host.
    public var hosts: [String]

    /// Creates a rule.
    public init(_ policy: Policy, tries: Int = FleetRule.defaultTries, hosts: [String] = []) {
        self.policy = policy
        self.tries = tries
        self.hosts = hosts
    }

    /// The attempts of a retryable run unless the operator sets `Tries=`.
    public static let defaultTries = 3

    /// How often the fleet may perform a run. Later releases can add others.
    public struct Policy: RawRepresentable, Hashable, Sendable, Codable {
        /// The policy's name in messages and in `Fleet=`.
        public let rawValue: String

        /// Creates a policy from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// At most once. A run of a lost host ends with the outcome `hostLost`.
        public static let once = Policy(rawValue: "once")
        /// Again on another host when a host is lost.
        public static let retryable = Policy(rawValue: "retryable")
        /// At most once, and the host stops the run before other hosts regard the host as lost.
        public static let exclusive = Policy(rawValue: "exclusive")
    }

    /// Returns true if a host with this name and these labels performs the intent.
    public func permits(host: String, labels: some Sequence<String>) -> Bool {
        hosts.isEmpty || hosts.contains(host) || labels.contains { hosts.contains("@" + $0) }
    }
}
