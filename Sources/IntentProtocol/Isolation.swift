/// The isolation of a worker. The launcher tests which protections the host provides.
public struct Isolation: Hashable, Sendable, Codable {
    /// The grade, which follows from ``parts`` and ``missing``.
    public var grade: IsolationGrade
    /// The protections in effect, each as a short text for users.
    public var parts: [String]
    /// The protections that this host does not provide, each with the reason.
    public var missing: [String]
    /// The kinds of the missing protections, in the order of ``missing``; nil from an older daemon.
    public var needs: [Need]?

    /// Creates a description.
    public init(grade: IsolationGrade, parts: [String], missing: [String] = [], needs: [Need]? = nil) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
        self.needs = needs
    }

    /// A kind of protection that a host can lack. Later releases can add others.
    public struct Need: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind in messages.
        public let rawValue: String

        /// Creates a kind from its text in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A sandbox. Without a sandbox, runs have none of the protections.
        public static let sandbox = Need(rawValue: "sandbox")
        /// Separate user ids for each app and user.
        public static let users = Need(rawValue: "users")
        /// Landlock (landlock(7)).
        public static let landlock = Need(rawValue: "landlock")
        /// A later version of Landlock.
        public static let newerLandlock = Need(rawValue: "newerLandlock")
        /// Checks on changes to the mode and timestamps of files.
        public static let fileMetadata = Need(rawValue: "fileMetadata")
        /// A cgroup for each run.
        public static let cgroup = Need(rawValue: "cgroup")
        /// The memory controller in the run's cgroup.
        public static let memoryController = Need(rawValue: "memoryController")
        /// The cpu controller in the run's cgroup.
        public static let cpuController = Need(rawValue: "cpuController")
    }
}
