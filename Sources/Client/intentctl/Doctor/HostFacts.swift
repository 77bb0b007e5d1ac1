/// The facts about this host and its user that `intentctl doctor` examines.
package struct HostFacts: Sendable {
    /// A family of distributions with the same package manager.
    package enum Family: Sendable {
        case debian
        case fedora
        case other
    }

    /// The state of a daemon, as this user's clients observe it.
    package enum Daemon: Sendable {
        case answers(DaemonStatus)
        /// The socket does not exist.
        case absent(path: String)
        /// The socket exists, but no program listens on it.
        case dead(path: String)
        /// The user has no permission to connect.
        case forbidden(path: String)
        /// The daemon failed for another reason. The first string is the reason, and the hint is the next step.
        case fails(String, hint: String?)
    }

    /// The user's membership in the group that is permitted to use the service.
    package enum Membership: Sendable {
        /// The group does not exist.
        case noGroup
        case no
        /// The user became a member after the last login.
        case sinceLogin
        case yes
    }

    package struct Disk: Sendable {
        package var path: String
        package var freeByteCount: UInt64

        package init(path: String, freeByteCount: UInt64) {
            self.path = path
            self.freeByteCount = freeByteCount
        }
    }

    package var family = Family.other
    /// The name of the calling user's account, or their uid.
    package var userName = ""
    package var isRoot = false
    /// The system's service, or the daemon that the command line selects.
    package var service: Daemon
    /// This user's private daemon, which `intentctl doctor` started for the examination.
    package var own: Daemon
    /// The fleet's service on this host. A host without a fleet has no socket.
    package var fleet = Daemon.absent(path: "")
    /// The hosts of the fleet; nil if the fleet's service does not answer.
    var fleetHosts: [FleetHost]? { if case .answers(let status) = fleet { status.hosts } else { nil } }
    package var membership = Membership.yes
    /// True if the units of the service are installed.
    package var hasUnits = true

    /// The value of user.max_user_namespaces; nil if the kernel does not have this setting.
    package var userNamespaceLimit: Int?
    /// The value of kernel.unprivileged_userns_clone, which only Debian's kernels have; nil for other kernels.
    package var permitsUserNamespaces: Bool?
    /// The value of kernel.apparmor_restrict_unprivileged_userns, which Ubuntu's kernels have.
    package var restrictsUserNamespaces = false
    /// True if the package's AppArmor profile is installed in /etc/apparmor.d.
    package var hasProfile = false
    /// The folder of `intentd`, for use in an AppArmor profile.
    package var programFolder = "/usr/lib/intentd"
    /// True if a system call filter (seccomp(2)) applies to this process.
    package var isFiltered = false
    /// The mount points that cover parts of /proc.
    package var coveredFiles: [String] = []
    /// The active security modules (/sys/kernel/security/lsm); nil if they cannot be read.
    package var securityModules: [String]?
    /// The controllers at the root of cgroup v2; nil without cgroup v2.
    package var controllers: [String]?
    /// The kernel's command line.
    package var commandLine = ""
    /// True if newuidmap(1) is installed.
    package var hasMapper = true
    /// True if /etc/subuid and /etc/subgid contain ids for this user.
    package var hasSubordinateIDs = true
    /// The first id that is greater than all ranges in /etc/subuid and /etc/subgid, but at least 100000.
    package var firstFreeSubordinateID: UInt32 = 100_000
    /// The file systems that contain the daemon's folders.
    package var disks: [Disk] = []
    /// True if the clock is synchronized according to the kernel (adjtimex(2)); nil if the kernel does not report it.
    package var isClockSynchronized: Bool?

    package init(service: Daemon, own: Daemon) {
        self.service = service
        self.own = own
    }
}
