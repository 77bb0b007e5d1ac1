package import IntentClient

/// Facts about this host and its user for `intentctl doctor`.
package struct HostFacts: Sendable {
    /// A family of distributions, by its package manager.
    package enum Family: Sendable {
        case debian
        case fedora
        case other
    }

    /// A daemon, as seen by a client of this user.
    package enum Daemon: Sendable {
        case answers(DaemonStatus)
        /// The socket does not exist.
        case absent(path: String)
        /// The socket exists, and no program listens on it.
        case dead(path: String)
        /// The user may not connect.
        case forbidden(path: String)
        /// The daemon failed for another reason. The hint is the next step.
        case fails(String, hint: String?)
    }

    /// The user's membership in the group that may use the service.
    package enum Membership: Sendable {
        /// The system has no such group.
        case noGroup
        case no
        /// The user has become a member since they last logged in.
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
    /// The system's service, or the daemon named on the command line.
    package var service: Daemon
    /// A private daemon of this user, started for the examination.
    package var own: Daemon
    package var membership = Membership.yes
    /// The units of the service are installed.
    package var hasUnits = true

    /// user.max_user_namespaces; nil when the kernel has no such setting.
    package var userNamespaceLimit: Int?
    /// kernel.unprivileged_userns_clone of Debian's kernels; nil elsewhere.
    package var permitsUserNamespaces: Bool?
    /// kernel.apparmor_restrict_unprivileged_userns of Ubuntu's kernels.
    package var restrictsUserNamespaces = false
    /// The package's AppArmor profile is loaded from /etc/apparmor.d.
    package var hasProfile = false
    /// The folder of `intentd`, to which a profile applies.
    package var programFolder = "/usr/lib/intentd"
    /// A system call filter (seccomp(2)) applies to this process.
    package var isFiltered = false
    /// Mounts that cover parts of /proc.
    package var coveredFiles: [String] = []
    /// The active security modules (/sys/kernel/security/lsm); nil when they cannot be read.
    package var securityModules: [String]?
    /// The controllers at the root of cgroup v2; nil without cgroup v2.
    package var controllers: [String]?
    /// The kernel's command line.
    package var commandLine = ""
    /// newuidmap(1) is installed.
    package var hasMapper = true
    /// /etc/subuid and /etc/subgid have ids for this user.
    package var hasSubordinateIDs = true
    /// The first id, at least 100000, above every range in /etc/subuid and /etc/subgid.
    package var firstFreeSubordinateID: UInt32 = 100_000
    /// The file systems of the daemon's folders.
    package var disks: [Disk] = []
    /// Whether the kernel regards the clock as synchronized (adjtimex(2)); nil if the kernel does not report it.
    package var isClockSynchronized: Bool?

    package init(service: Daemon, own: Daemon) {
        self.service = service
        self.own = own
    }
}
