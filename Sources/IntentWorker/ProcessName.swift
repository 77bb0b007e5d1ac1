import CIntentWorker

/// A process's name in ps(1).
package struct ProcessName: Sendable {
    /// At most 15 bytes and a NUL.
    package let bytes: [CChar]

    package static let forkServer = ProcessName("intentd-fork")
    /// A worker that waits for its run. ForkServer.c sets it in forked workers.
    package static let spare = ProcessName("intentd-spare")
    /// The threads of a worker, which show where a run is.
    package static let runThread = ProcessName("intentd-run")
    package static let listener = ProcessName("intentd-listen")

    private init(_ text: String) {
        bytes = Array(text.utf8CString)
    }

    /// The current name: by default the name of the executable, truncated to 15 bytes.
    package static var current: ProcessName {
        var bytes = [CChar](repeating: 0, count: 16)
        intentd_get_name(&bytes)
        return ProcessName(String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Names the calling thread; the name of a process is that of its main thread.
    package func nameThisThread() { intentd_set_name(bytes) }
}
