/// The isolation of a worker. The launcher tests which protections the host supports.
public struct Isolation: Hashable, Sendable, Codable {
    /// The isolation grade that results from ``parts`` and ``missing``.
    public var grade: IsolationGrade
    /// The active protections, each described by a short phrase for users.
    public var parts: [String]
    /// The protections that this host does not support, each with the reason.
    public var missing: [String]
    /// The kinds of the missing protections, in the order of ``missing``; nil when the daemon is too old to report
    /// them.
    public var needs: [Need]?

    /// Creates a description.
    public init(grade: IsolationGrade, parts: [String], missing: [String] = [], needs: [Need]? = nil) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
        self.needs = needs
    }

    private static let sandboxPerRun = "a sandbox for each run of an app that starts programs"

    /// Returns the part that describes a host on which each run of an app that starts programs has a sandbox of its own.
    package static func sandboxPerRun(because reason: String) -> String {
        "\(sandboxPerRun), which takes about 25 ms longer (\(reason))"
    }

    /// Returns the part of ``sandboxPerRun(because:)`` among the parts; nil if the runs of an app share a sandbox.
    package static func sandboxPerRun(in parts: [String]) -> String? {
        parts.first { $0.hasPrefix(utf8: sandboxPerRun) }
    }

    /// A kind of protection that a host may not support. Later releases can add others.
    public struct Need: RawRepresentable, Hashable, Sendable, Codable {
        /// The protection's name in messages.
        public let rawValue: String

        /// Creates a kind of protection from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The sandbox. Without it, no protection is active.
        public static let sandbox = Need(rawValue: "sandbox")
        /// A separate user id for each combination of app and user.
        public static let users = Need(rawValue: "users")
        /// Landlock (landlock(7)).
        public static let landlock = Need(rawValue: "landlock")
        /// A newer Landlock version than the host's kernel supports.
        public static let newerLandlock = Need(rawValue: "newerLandlock")
        /// Restrictions on changes to the mode and timestamps of files.
        public static let fileMetadata = Need(rawValue: "fileMetadata")
        /// A cgroup for each run.
        public static let cgroup = Need(rawValue: "cgroup")
        /// The memory controller in the run's cgroup.
        public static let memoryController = Need(rawValue: "memoryController")
        /// The cpu controller in the run's cgroup.
        public static let cpuController = Need(rawValue: "cpuController")
    }
}
