import Glibc
package import IntentLauncherMessages
package import IntentLinux

extension LaunchFailure {
    /// Creates the failure of a call with an error number; nil for any other failure. The failure is temporary if the
    /// number is of a shortage, and the message then says what was missing and what to do.
    package init(_ message: String, _ code: Errno?) {
        let shortage = code.flatMap(Self.shortage)
        self.init(message: shortage.map { "\(message); \($0)" } ?? message, isTemporary: shortage != nil)
    }

    /// Describes what a call lacked, and what to do about it. Returns nil if the error number does not report a shortage,
    /// which ends without a change of settings (errno(3); for EAGAIN, fork(2) and pthread_create(3)).
    private static func shortage(_ code: Errno) -> String? {
        switch code.rawValue {
        case EAGAIN:
            """
            no process id was free: try again when other processes have ended, or raise the limit that was reached, which \
            is TasksMax= of the app, TasksMax= of intentd-workers.service, 'ulimit -u', kernel.pid_max or kernel.threads-max
            """
        case ENOMEM, ENOBUFS:
            """
            not enough memory was free: try again when other processes have ended, or raise MemoryMax= of \
            intentd-workers.service
            """
        case EMFILE:
            """
            too many files were open in intentd or its launcher: try again when other runs have ended, or raise \
            LimitNOFILE= of the unit
            """
        case ENFILE: "too many files were open on this host: try again later, or raise fs.file-max"
        case ENOSPC, EDQUOT: "a file system was full: free space, then try again"
        default: nil
        }
    }
}
