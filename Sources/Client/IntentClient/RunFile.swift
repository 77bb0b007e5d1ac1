internal import Glibc
package import IntentLinux

/// A file that is passed to a run or returned from a run as an open descriptor, never as a path.
///
/// The descriptor is closed when the last copy of this value is released.
public struct RunFile: Hashable, Sendable {
    /// The file's name without folders. The app chooses the name of a result file, so check it before using it as a
    /// path.
    public let name: String
    /// A media type or uniform type identifier; nil when unknown.
    public let contentType: String?
    package let shared: SharedFileDescriptor

    package init(name: String, contentType: String?, shared: SharedFileDescriptor) {
        self.name = name
        self.contentType = contentType
        self.shared = shared
    }

    /// The access that a run has to a file.
    public enum Access: Hashable, Sendable {
        /// The run may read the file.
        case reading
        /// The run may read the file and change its content.
        case readingAndWriting
    }

    /// Opens a file with the permissions of the calling process. Opening a named pipe blocks until a writer opens it.
    ///
    /// - Throws: ``IntentClientError`` with code `unreadableFile` when the file cannot be opened, or is a folder, a
    ///   socket or a device.
    public init(
        path: String,
        contentType: String? = nil,
        access: Access = .reading
    ) throws(IntentClientError) {
        try self.init(at: Array(path.utf8), contentType: contentType, access: access)
    }

    /// Opens a file at a path that need not be UTF-8.
    package init(
        at bytes: [UInt8],
        contentType: String? = nil,
        access: Access
    ) throws(IntentClientError) {
        let path = String(foreign: bytes)
        let shared: SharedFileDescriptor
        let kind: File.Kind
        do throws(SystemError) {
            shared = SharedFileDescriptor(try File.open(at: bytes, access == .reading ? O_RDONLY : O_RDWR))
            kind = try File.status(of: shared.rawValue).kind
        } catch {
            throw IntentClientError(
                .unreadableFile,
                "cannot \(access == .reading ? "read" : "read and write") '\(path)': \(error.code)",
                hint: "check the path and its permissions"
            )
        }
        if let refusal = Self.refusal(of: kind, "'\(path)'") { throw refusal }
        let name = path.split(scalar: "/").last.map(String.init) ?? "file"
        self.init(name: name, contentType: contentType, shared: shared)
    }

    /// Duplicates the descriptor of an open file or pipe, such as standard input. The original descriptor stays open.
    ///
    /// If the descriptor permits reading and writing, a regular file is opened again read-only, with a separate offset
    /// at the start of the file.
    ///
    /// - Throws: ``IntentClientError`` with code `unreadableFile` when `descriptor` is not an open descriptor of a file
    ///   or pipe.
    public init(duplicating descriptor: Int32, name: String, contentType: String? = nil) throws(IntentClientError) {
        let shared: SharedFileDescriptor
        let kind: File.Kind
        do throws(SystemError) {
            kind = try File.status(of: descriptor).kind
            shared =
                kind == .regular && File.access(of: descriptor) == .both
                ? SharedFileDescriptor(try File.open("/proc/self/fd/\(descriptor)"))
                : try Self.duplicate(descriptor)
        } catch {
            throw IntentClientError(
                .unreadableFile,
                "cannot pass descriptor \(descriptor): \(error.code)",
                hint: "pass an open descriptor"
            )
        }
        if let refusal = Self.refusal(of: kind, name) { throw refusal }
        self.init(name: name, contentType: contentType, shared: shared)
    }

    private static func duplicate(_ descriptor: Int32) throws(SystemError) -> SharedFileDescriptor {
        // The caller owns the descriptor, so `borrowed` must not close it.
        let borrowed = FileDescriptor(owning: descriptor)
        let copy: Result<SharedFileDescriptor, SystemError>
        do throws(SystemError) {
            copy = .success(SharedFileDescriptor(try borrowed.duplicate()))
        } catch {
            copy = .failure(error)
        }
        _ = borrowed.release()
        return try copy.get()
    }

    /// Returns the error for a file that cannot be passed to a run; nil for a regular file or a pipe.
    private static func refusal(of kind: File.Kind, _ name: String) -> IntentClientError? {
        let kindName: String
        switch kind {
        case .regular, .pipe: return nil
        case .directory:
            return IntentClientError(
                .unreadableFile,
                "cannot pass \(name): it is a folder",
                hint: "name a file, or pack the folder into an archive, for example with tar"
            )
        case .socket: kindName = "a socket"
        case .device: kindName = "a device"
        case .other: kindName = "neither a file nor a pipe"
        }
        return IntentClientError(
            .unreadableFile,
            "cannot pass \(name): it is \(kindName)",
            hint: "name a file, or pass the contents through a pipe, for example with cat"
        )
    }

    /// Returns a value that refers to this file by its index in a request.
    public func value(at index: Int) -> IntentValue {
        .file(FileReference(index: index, name: name, contentType: contentType))
    }

    /// Returns the indices of the files that are open for writing; nil if all files are read-only.
    static func writableIndices(of files: [SharedFileDescriptor]) -> [Int]? {
        let indices = files.indices.filter { File.access(of: files[$0].rawValue) == .both }
        return indices.isEmpty ? nil : indices
    }

    /// Copies the content to an empty file, and preserves holes. The kernel copies the bytes if both file systems allow
    /// it (copy_file_range(2)).
    ///
    /// - Returns: The number of bytes copied.
    /// - Throws: ``IntentClientError`` with code `system`.
    @discardableResult
    public func copyContents(to descriptor: Int32) throws(IntentClientError) -> Int64 {
        do throws(SystemError) {
            return try File.copyContents(of: shared.rawValue, to: descriptor)
        } catch {
            throw IntentClientError(
                .system,
                "cannot copy '\(name)': \(error.code)",
                hint: "check that the disk has space for the file"
            )
        }
    }

    /// Passes the descriptor to a closure, which must not close it. The descriptor is valid only during the call.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (_ descriptor: Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(shared.rawValue)
    }

    /// Returns true if both values share one open descriptor and have the same name and type.
    public static func == (left: RunFile, right: RunFile) -> Bool {
        left.shared === right.shared && left.name == right.name && left.contentType == right.contentType
    }

    /// Hashes the identity of the descriptor and the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(shared))
        hasher.combine(name)
    }
}
