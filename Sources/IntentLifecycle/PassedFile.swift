/// The identity of a file that an agent passes to a run, as the kernel reports it when the file arrives.
package struct PassedFile: Hashable, Sendable {
    /// The path of the file; nil for a file without a path.
    package var path: String?
    package var device: UInt64
    package var inode: UInt64
    package var byteCount: UInt64
    package var modifiedNanoseconds: Int64
    /// True if the run receives the file open for writing.
    package var isWritable: Bool

    package init(
        path: String?,
        device: UInt64,
        inode: UInt64,
        byteCount: UInt64,
        modifiedNanoseconds: Int64,
        isWritable: Bool = false
    ) {
        self.path = path
        self.device = device
        self.inode = inode
        self.byteCount = byteCount
        self.modifiedNanoseconds = modifiedNanoseconds
        self.isWritable = isWritable
    }
}
