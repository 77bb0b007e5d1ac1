import CIntentLaunch
import Glibc
package import IntentLinux

/// A child process for work that can take a long time or hang in the kernel, so that its parent does not block.
///
/// A thread would not be enough. A thread that hangs in the kernel prevents its process from exiting and from executing
/// a new program.
package enum HelperProcess {
    /// The only descriptor of the child besides the standard descriptors.
    package static let descriptor: Int32 = 3

    /// Forks a child that performs the work and then exits. Call this function only in a single-threaded process.
    ///
    /// - Returns: The process id of the child. The caller reaps it.
    package static func start(with descriptor: SharedFileDescriptor, _ work: () -> Void) throws(SystemError) -> Int32 {
        let child = try syscall("fork") { intentd_start_helper(descriptor.rawValue) }
        guard child == 0 else { return child }
        work()
        _exit(0)
    }
}
