import IntentConfiguration
import IntentLinux

extension DiskView {
    /// The disk as it is: the launcher reads the operator's files itself, and takes nobody's word for them.
    static var kernel: DiskView {
        DiskView(
            facts: { path in
                // What cannot be looked at is not there.
                (try? File.status(at: path)).map { FileFacts($0) }
            },
            text: { path in try? File.text(at: path) },
            names: { folder in (try? File.names(in: folder)) ?? [] }
        )
    }
}

extension FileFacts {
    fileprivate init(_ status: File.Status) {
        self.init(
            isRegular: status.kind == .regular,
            isFolder: status.kind == .directory,
            owner: status.owner,
            permissions: status.permissions,
            device: status.device,
            inode: status.inode,
            byteCount: status.byteCount,
            modifiedNanoseconds: status.modifiedNanoseconds
        )
    }
}
