import CIntentLaunch
package import IntentLinux

/// Why a process could not be started.
package enum LaunchError: Error, Equatable, Sendable {
    /// Something that the launch needs could not be opened or made.
    case unprepared(SystemError)
    /// A step of the child's way to its executable failed: `intentd_launch_step` by number.
    case step(Int32, Errno, executable: String, directory: String)
}

extension LaunchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unprepared(let error):
            return "cannot start a worker: \(error)"
        case .step(let step, let error, let executable, let directory):
            let what =
                switch UInt32(bitPattern: step) {
                case INTENTD_LAUNCH_CLONE.rawValue: "the process cannot be made"
                case INTENTD_LAUNCH_SESSION.rawValue: "it gets no session of its own"
                case INTENTD_LAUNCH_DESCRIPTORS.rawValue: "its descriptors cannot be put in place"
                case INTENTD_LAUNCH_LIMITS.rawValue: "its resource limits cannot be set"
                case INTENTD_LAUNCH_USER.rawValue: "it cannot become an ordinary user"
                case INTENTD_LAUNCH_PRIVILEGES.rawValue: "it cannot give up new privileges"
                case INTENTD_LAUNCH_DIRECTORY.rawValue: "it cannot enter its directory '\(directory)'"
                default: "'\(executable)' cannot be executed"
                }
            return "cannot start a worker: \(what): \(error)"
        }
    }
}
