import CIntentLaunch
import Glibc
package import IntentLinux

/// Why a process could not be started.
package enum LaunchError: Error, Equatable, Sendable {
    /// Something that the launch needs could not be opened or created.
    case unprepared(SystemError)
    /// A step of the child before it executes its program failed: the number is an `intentd_launch_step` or an
    /// `intentd_sandbox_step`.
    ///
    /// The subject is the path on which the step failed.
    case step(Int32, Errno, executable: String, subject: String)
}

extension LaunchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unprepared(let error):
            "cannot start a worker: \(error)"
        case .step(Int32(bitPattern: INTENTD_SANDBOX_SOURCE.rawValue), Errno(rawValue: ELOOP), _, let subject):
            """
            cannot start a worker: the granted path '\(subject)' contains a symbolic link, which an app or \
            another user may have created. Use the path that 'realpath \(subject)' prints.
            """
        case .step(let step, let error, let executable, let subject):
            "cannot start a worker: \(Self.loss(step, executable: executable, subject: subject)): \(error)"
        }
    }

    /// What failed, and the next step if one is known.
    private static func loss(_ step: Int32, executable: String, subject: String) -> String {
        switch UInt32(bitPattern: step) {
        case INTENTD_LAUNCH_CLONE.rawValue: "the process cannot be created"
        case INTENTD_LAUNCH_SESSION.rawValue: "it cannot create a session"
        case INTENTD_LAUNCH_DESCRIPTORS.rawValue: "its descriptors cannot be arranged"
        case INTENTD_LAUNCH_LIMITS.rawValue: "its resource limits cannot be set"
        case INTENTD_LAUNCH_USER.rawValue: "it cannot become an ordinary user"
        case INTENTD_LAUNCH_PRIVILEGES.rawValue: "it cannot set no_new_privs"
        case INTENTD_LAUNCH_DIRECTORY.rawValue: "it cannot enter its directory '\(subject)'"
        case INTENTD_SANDBOX_NAMESPACES.rawValue:
            """
            it cannot create namespaces (allow user namespaces: sysctl user.max_user_namespaces, and in a container its \
            seccomp profile)
            """
        case INTENTD_SANDBOX_USER_MAP.rawValue: "cannot map a user into its user namespace"
        case INTENTD_SANDBOX_INIT.rawValue, INTENTD_SANDBOX_SERVER.rawValue:
            "its processes cannot be created in their namespaces"
        case INTENTD_SANDBOX_PRIVATE.rawValue: "its mounts cannot be made private"
        case INTENTD_SANDBOX_SOURCE.rawValue:
            "'\(subject)' cannot be mounted in its sandbox (check that it exists and can be read)"
        case INTENTD_SANDBOX_ROOT.rawValue: "its root cannot be created"
        case INTENTD_SANDBOX_ENTRY.rawValue: "'\(subject)' cannot be created in its root"
        case INTENTD_SANDBOX_PROC.rawValue:
            """
            it cannot mount /proc (parts of the host's /proc are covered, as containers and \
            ProtectKernelTunables= do)
            """
        case INTENTD_SANDBOX_PIVOT.rawValue: "the host's files cannot be unmounted"
        case INTENTD_SANDBOX_LANDLOCK.rawValue: "Landlock refuses a rule for '\(subject)'"
        case INTENTD_SANDBOX_LOOPBACK.rawValue: "the loopback interface of its network cannot be brought up"
        case INTENTD_SANDBOX_FILTER.rawValue: "the kernel refuses its system call filter"
        default: "'\(executable)' cannot be executed"
        }
    }
}
