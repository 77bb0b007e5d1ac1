import CIntentLaunch
import Glibc
package import IntentLinux

/// A child process for work that can take long or hang in the kernel, so that its parent does not wait for it.
///
/// A thread that hangs would prevent the parent from exiting and from executing a new program. A child process does
/// not.
package enum HelperProcess {
    /// The child's only descriptor.
    package static let descriptor: Int32 = 3

    /// Forks a child that does the work and exits. Call it only in a process with a single thread.
    ///
    /// - Returns: The process id of the child. The caller reaps it.
    package static func start(with descriptor: SharedFileDescriptor, _ work: () -> Void) throws(SystemError) -> Int32 {
        let child = try syscall("fork") { intentd_start_helper(descriptor.rawValue) }
        guard child == 0 else { return child }
        work()
        _exit(0)
    }
}
