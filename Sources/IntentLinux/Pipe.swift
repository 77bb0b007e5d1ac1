import CIntentLinux

/// A one-way channel (pipe(2)), both ends close-on-exec.
package struct Pipe: Sendable {
    package let reading: SharedFileDescriptor
    package let writing: SharedFileDescriptor

    package init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        try syscall("pipe2") { intentd_pipe(&ends) }
        reading = SharedFileDescriptor(owning: ends[0])
        writing = SharedFileDescriptor(owning: ends[1])
    }

    /// Keeps processes of this user from opening the other end of an anonymous pipe through /proc; open descriptors stay open.
    ///
    /// - Returns: False when that failed.
    package static func forbidWriting(to descriptor: Int32) -> Bool { intentd_forbid_writing(descriptor) == 0 }
}
