import CIntentWorker

/// What ps(1) shows as the name of this process.
struct ProcessName: Sendable {
    /// At most 15 and a NUL.
    let bytes: [CChar]

    static let forkServer = ProcessName("intentd-fork")
    /// Of a worker that waits for its run; ForkServer.c gives it to those that are forked.
    static let spare = ProcessName("intentd-spare")
    /// Of the threads of a worker, for whoever looks at where a run is.
    static let runThread = ProcessName("intentd-run")
    static let listener = ProcessName("intentd-listen")

    private init(_ text: String) {
        bytes = Array(text.utf8CString)
    }

    /// As it is now: by itself that of the executable, cut to 15 bytes.
    static var current: ProcessName {
        var bytes = [CChar](repeating: 0, count: 16)
        intentd_get_name(&bytes)
        return ProcessName(String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// For a process with one thread.
    func takeOnThisThread() { intentd_set_name(bytes) }
}
