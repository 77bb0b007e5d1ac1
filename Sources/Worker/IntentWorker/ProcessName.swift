import CIntentWorker
import IntentLinux

/// The name of a process, as shown by ps(1).
package struct ProcessName: Sendable {
    /// The name, at most 15 bytes and a NUL.
    package let bytes: [CChar]

    /// The name of a fork server.
    package static let forkServer = ProcessName("intentd-fork")
    /// The name of a worker that is waiting for its run. ForkServerLoop.c sets it in forked workers.
    package static let spare = ProcessName("intentd-spare")
    /// The name of the thread that performs the run.
    package static let runThread = ProcessName("intentd-run")
    /// The name of the thread that receives commands and sends progress.
    package static let listener = ProcessName("intentd-listen")

    private init(_ text: String) {
        bytes = Array(text.utf8CString)
    }

    /// The name of the calling thread. By default, it is the executable's name, truncated to 15 bytes.
    package static var current: ProcessName {
        var bytes = [CChar](repeating: 0, count: 16)
        intentd_get_name(&bytes)
        return ProcessName(String(foreign: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }))
    }

    /// Sets the name of the calling thread. The name of a process is the name of its main thread.
    package func nameThisThread() { intentd_set_name(bytes) }

    /// Sets the name of the main thread, from another thread.
    package func nameThisProcess() {
        let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        // Ignore a failure, because the name is only for display.
        try? File.put(String(foreign: name), at: "/proc/self/comm")
    }
}
