/// A file that an agent passes to a run, as `intentd` found it when the request arrived.
package struct PassedFile: Hashable, Sendable, Codable {
    /// The path that the kernel reports for the file. An agent can forge it with a mount namespace.
    package enum Name: Hashable, Sendable, Codable {
        /// The file has no path.
        case none
        /// `intentd` reaches the same file by the path.
        case verified(String)
        /// `intentd` does not reach the file by the path.
        case unverified(String)
    }

    package enum Contents: Hashable, Sendable, Codable {
        /// The run receives a copy that no process can change, with this SHA-256 in hexadecimal digits.
        case copy(digest: String)
        /// The run receives the file itself, open for writing, so its contents can change at any time.
        case writable(device: UInt64, inode: UInt64)
    }

    package var name: Name
    package var byteCount: UInt64
    package var contents: Contents

    package init(name: Name, byteCount: UInt64, contents: Contents) {
        self.name = name
        self.byteCount = byteCount
        self.contents = contents
    }

    /// The size of the copy; 0 for a file that was not copied.
    package var copiedByteCount: Int {
        switch contents {
        case .copy: Int(clamping: byteCount)
        case .writable: 0
        }
    }
}
