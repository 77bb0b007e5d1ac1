import CIntentLaunch
import Glibc
package import IntentLinux

/// A child for work that can take long or hang in the kernel for ever, and must not keep its parent waiting.
///
/// A thread that hangs would keep the parent from exiting, and from executing a new program. A child prevents neither.
package enum HelperProcess {
    /// The child's only descriptor.
    package static let descriptor: Int32 = 3

    /// Forks a child that does the work and exits. Only for a process with one thread.
    ///
    /// - Returns: The process id of the child. The caller reaps it.
    package static func start(with descriptor: SharedFileDescriptor, _ work: () -> Void) throws(SystemError) -> Int32 {
        let child = try syscall("fork") { intentd_start_helper(descriptor.rawValue) }
        guard child == 0 else { return child }
        work()
        _exit(0)
    }
}
