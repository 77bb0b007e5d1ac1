import IntentConfiguration
import IntentLinux

extension DiskView {
    /// The disk as it is.
    static var kernel: DiskView {
        DiskView(
            facts: { path in
                // What cannot be looked at is not there.
                guard let status = try? File.status(at: path) else { return nil }
                return FileFacts(
                    isRegular: status.kind == .regular,
                    isFolder: status.kind == .directory,
                    owner: status.owner,
                    permissions: status.permissions,
                    device: status.device,
                    inode: status.inode,
                    byteCount: status.byteCount,
                    modifiedNanoseconds: status.modifiedNanoseconds
                )
            },
            text: { path in try? File.text(at: path) },
            names: { folder in (try? File.names(in: folder)) ?? [] }
        )
    }
}
