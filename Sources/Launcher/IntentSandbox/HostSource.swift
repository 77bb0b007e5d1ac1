import CIntentLaunch
package import IntentLinux

/// A file or folder of the host from which a sandbox was made.
package struct HostSource: Hashable, Sendable {
    package var path: String
    /// True if processes of the sandbox keep a copy of its contents: an executable and its libraries, which are mapped,
    /// and files that were read when the sandbox was made.
    package var isCopied: Bool

    package init(_ path: String, isCopied: Bool = false) {
        self.path = path
        self.isCopied = isCopied
    }
}

/// The identity of a source at one time. If two states are equal, a sandbox needs no replacement.
package struct HostSourceState: Equatable, Sendable {
    private struct Identity: Equatable, Sendable {
        var device: UInt64
        var inode: UInt64
        var mount: UInt64
        /// The size in bytes and the time of the last change in nanoseconds, for a source that is copied. A user cannot
        /// set the time (inode(7)).
        var copied: [Int64] = []
        /// The ids of the mounts below a folder.
        var mountsBelow: [UInt64] = []
    }

    /// Nil for a source that does not exist.
    private var identity: Identity?

    /// Follows symbolic links.
    package init(of source: HostSource, _ mounts: MountTable) {
        var found = intentd_source()
        guard intentd_source_at(source.path, &found) == 0 else { return }
        var identity = Identity(device: found.device, inode: found.inode, mount: found.mount)
        if source.isCopied { identity.copied = [Int64(bitPattern: found.byte_count), found.changed] }
        if found.is_folder != 0 { identity.mountsBelow = mounts.ids(below: source.path) }
        self.identity = identity
    }

    package static func states(of sources: [HostSource], _ mounts: MountTable) -> [HostSourceState] {
        sources.map { HostSourceState(of: $0, mounts) }
    }
}

/// The folders in which a name decides to which file a path refers.
package struct PathSteps: Sendable {
    /// A component of a path, or of the target of a symbolic link in it.
    package struct Step: Hashable, Sendable {
        package var folder: String
        package var name: String
    }

    package private(set) var steps: [Step] = []

    /// The kernel's limit on the links in a path (path_resolution(7)).
    private static let linkLimit = 40

    /// - Parameter link: Returns the target of a symbolic link, or nil for another file.
    package init(of path: String, link: (String) -> String? = File.target(ofLink:)) {
        var rest = path.split(scalar: "/").map { String($0) }
        var folder = ""
        var linkCount = 0
        while !rest.isEmpty {
            let name = rest.removeFirst()
            if name == "." { continue }
            if name == ".." {
                folder =
                    folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(folder.utf8[..<$0])) } ?? ""
                continue
            }
            steps.append(Step(folder: folder.isEmpty ? "/" : folder, name: name))
            let next = "\(folder)/\(name)"
            if linkCount < Self.linkLimit, let target = link(next) {
                linkCount += 1
                if target.utf8.first == UInt8(ascii: "/") { folder = "" }
                rest = target.split(scalar: "/").map { String($0) } + rest
            } else {
                folder = next
            }
        }
    }
}

extension File {
    /// Returns true if the kernel reports no inotify events for changes that others make to a file: it is on a file
    /// system of another host, of a user's program, or of the kernel.
    package static func isOnSilentFileSystem(_ path: String) -> Bool {
        silentFileSystems.contains(intentd_file_system_type(path))
    }

    /// The types of statfs(2), and of linux/magic.h: NFS, FUSE, CIFS, SMB, SMB2, 9P, Ceph, AFS, Coda, GFS2, OCFS2,
    /// Lustre, VirtualBox; proc and sysfs.
    private static let silentFileSystems: Set<Int64> = [
        0x6969, 0x6573_5546, 0xFF53_4D42, 0x517B, 0xFE53_4D42, 0x0102_1997, 0x00C3_6400, 0x5346_414F, 0x7375_7245,
        0x0116_1970, 0x7461_636F, 0x0BD0_0BD0, 0x786F_4256, 0x9FA0, 0x6265_6572,
    ]
}
