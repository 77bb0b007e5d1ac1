import CIntentLaunch
import Glibc
package import IntentLinux

/// The reason why a process could not be started.
package enum LaunchError: Error, Equatable, Sendable {
    /// A file that the launch needs could not be opened.
    case unprepared(SystemError)
    /// A step failed in the child before it executed the program. The number is an `intentd_launch_step` or an
    /// `intentd_sandbox_step`, and the subject is the path on which the step failed.
    case step(Int32, Errno, executable: String, subject: String)
}

extension LaunchError {
    /// The error number of the failed call; nil on a host that allows no further namespaces, because its error number is the one
    /// of a full disk (clone(2), user_namespaces(7)).
    package var code: Errno? {
        switch self {
        case .unprepared(let error): error.code
        case .step(let step, Errno(rawValue: ENOSPC), _, _) where Self.namespaceSteps.contains(UInt32(bitPattern: step)):
            nil
        case .step(_, let code, _, _): code
        }
    }

    /// The steps that create namespaces, or a process in them.
    private static let namespaceSteps = [
        INTENTD_SANDBOX_NAMESPACES.rawValue, INTENTD_SANDBOX_INIT.rawValue, INTENTD_SANDBOX_SERVER.rawValue,
    ]
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
            "cannot start a worker: \(Self.failure(of: step, executable: executable, subject: subject)): \(error)"
        }
    }

    /// Returns a description of the failed step, with advice if there is any.
    private static func failure(of step: Int32, executable: String, subject: String) -> String {
        switch UInt32(bitPattern: step) {
        case INTENTD_LAUNCH_CLONE.rawValue: "cannot create a process"
        case INTENTD_LAUNCH_SESSION.rawValue: "cannot create a session"
        case INTENTD_LAUNCH_DESCRIPTORS.rawValue: "cannot set up its descriptors"
        case INTENTD_LAUNCH_LIMITS.rawValue: "cannot set its resource limits"
        case INTENTD_LAUNCH_USER.rawValue: "cannot change to its user id"
        case INTENTD_LAUNCH_PRIVILEGES.rawValue: "cannot drop its privileges"
        case INTENTD_LAUNCH_DIRECTORY.rawValue: "cannot change to its directory '\(subject)'"
        case INTENTD_SANDBOX_NAMESPACES.rawValue:
            """
            cannot create namespaces (allow user namespaces with sysctl user.max_user_namespaces, and in a container \
            with its seccomp profile)
            """
        case INTENTD_SANDBOX_USER_MAP.rawValue: "cannot write the id maps of its user namespace"
        case INTENTD_SANDBOX_INIT.rawValue, INTENTD_SANDBOX_SERVER.rawValue:
            "cannot create a process in its namespaces"
        case INTENTD_SANDBOX_PRIVATE.rawValue: "cannot make its mounts private"
        case INTENTD_SANDBOX_SOURCE.rawValue:
            "cannot mount '\(subject)' in its sandbox (check that it exists and can be read)"
        case INTENTD_SANDBOX_ROOT.rawValue: "cannot create its root"
        case INTENTD_SANDBOX_ENTRY.rawValue: "cannot create '\(subject)' in its root"
        case INTENTD_SANDBOX_PROC.rawValue:
            """
            cannot mount /proc (parts of the host's /proc are covered by other mounts, which containers and \
            ProtectKernelTunables= create)
            """
        case INTENTD_SANDBOX_PIVOT.rawValue: "cannot unmount the host's files"
        case INTENTD_SANDBOX_LANDLOCK.rawValue: "cannot restrict it with Landlock ('\(subject)')"
        case INTENTD_SANDBOX_LOOPBACK.rawValue: "cannot bring up its loopback interface"
        case INTENTD_SANDBOX_FILTER.rawValue: "cannot load its system call filter"
        case INTENTD_SANDBOX_CGROUPS.rawValue: "cannot mount its cgroups"
        default: "cannot execute '\(executable)'"
        }
    }
}
