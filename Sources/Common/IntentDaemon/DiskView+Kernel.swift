package import IntentConfiguration
import IntentLinux

extension DiskView {
    /// A view that reads the real file system. Tests use views with files in memory.
    package static var kernel: DiskView {
        DiskView(
            facts: { path in
                do throws(SystemError) {
                    return FileFacts(try File.status(at: path))
                } catch {
                    return error.code.isAbsence ? nil : .unreachable
                }
            },
            bytes: { path in try? File.bytes(at: path) },
            names: { folder in
                do throws(SystemError) {
                    return try File.names(in: folder)
                } catch {
                    return error.code.isAbsence ? [] : nil
                }
            },
            link: { path in File.target(ofLink: path) }
        )
    }
}

extension FileFacts {
    fileprivate init(_ status: File.Status) {
        self.init(
            isRegular: status.kind == .regular,
            isFolder: status.kind == .directory,
            owner: status.owner,
            permissions: status.permissions
        )
        device = status.device
        inode = status.inode
        byteCount = status.byteCount
        modifiedNanoseconds = status.modifiedNanoseconds
    }
}
