internal import Glibc
internal import IntentLinux
public import IntentProtocol

/// A file that travels to or from a run as an open descriptor, never as a path.
///
/// The descriptor is closed when the last copy of the value goes.
public struct RunFile: Hashable, Sendable {
    /// The file's own name, without folders. From a run it is an app's word: never use it as a path unchecked.
    public let name: String
    /// A media type or uniform type identifier, when known.
    public let contentType: String?
    let shared: SharedFileDescriptor

    init(name: String, contentType: String?, shared: SharedFileDescriptor) {
        self.name = name
        self.contentType = contentType
        self.shared = shared
    }

    /// What the run may do with a file.
    public enum Access: Hashable, Sendable {
        case reading
        /// It may change the file's contents too.
        case readingAndWriting
    }

    /// Opens a file with the caller's rights; a named pipe when somebody writes to it.
    ///
    /// - Throws: ``IntentClientError`` when it cannot be opened, or is a folder, a socket or a device.
    public init(
        path: String,
        contentType: String? = nil,
        access: Access = .reading
    ) throws(IntentClientError) {
        let shared: SharedFileDescriptor
        let kind: File.Kind
        do throws(SystemError) {
            shared = SharedFileDescriptor(try File.open(path, access == .reading ? O_RDONLY : O_RDWR))
            kind = try File.status(of: shared.rawValue).kind
        } catch {
            throw IntentClientError(
                .unreadableFile,
                "cannot \(access == .reading ? "read" : "read and write") '\(path)': \(error.code)",
                hint: "check the path and its permissions."
            )
        }
        if let refusal = Self.refusal(of: kind, "'\(path)'") { throw refusal }
        let name = path.split(separator: "/").last.map(String.init) ?? "file"
        self.init(name: name, contentType: contentType, shared: shared)
    }

    /// A second descriptor of a file that is open already, such as standard input; the caller keeps its own.
    ///
    /// A regular file that the caller may write too is opened anew for reading only, at its beginning.
    ///
    /// - Throws: ``IntentClientError`` when the number is no open descriptor, or that of no file or pipe.
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
                "cannot hand over descriptor \(descriptor): \(error.code)",
                hint: "open it before the call."
            )
        }
        if let refusal = Self.refusal(of: kind, name) { throw refusal }
        self.init(name: name, contentType: contentType, shared: shared)
    }

    private static func duplicate(_ descriptor: Int32) throws(SystemError) -> SharedFileDescriptor {
        // The number belongs to the caller, so the wrapper that duplicates it must not close it.
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

    /// Why what was opened is no file to hand over; nil when it is one.
    private static func refusal(of kind: File.Kind, _ name: String) -> IntentClientError? {
        let what: String
        switch kind {
        case .regular, .pipe: return nil
        case .directory:
            return IntentClientError(
                .unreadableFile,
                "cannot hand over \(name): it is a folder",
                hint: "name a file, or pack the folder first (tar)."
            )
        case .socket: what = "a socket"
        case .device: what = "a device"
        case .other: what = "no file"
        }
        return IntentClientError(
            .unreadableFile,
            "cannot hand over \(name): it is \(what)",
            hint: "name a file, or pass its bytes through a pipe (cat)."
        )
    }

    /// The value that names this file by its index among a run's files.
    public func value(at index: Int) -> IntentValue {
        .file(FileReference(index: index, name: name, contentType: contentType))
    }

    /// The places of those that are open for writing; nil when none is.
    static func writablePlaces(of files: [SharedFileDescriptor]) -> [Int]? {
        let places = files.indices.filter { File.access(of: files[$0].rawValue) == .both }
        return places.isEmpty ? nil : places
    }

    /// Copies the contents to an empty file, holes as holes; the bytes do not pass through this process where the kernel
    /// can move them.
    ///
    /// - Returns: How many bytes it has.
    /// - Throws: ``IntentClientError`` with the reason.
    @discardableResult
    public func copyContents(to descriptor: Int32) throws(IntentClientError) -> Int64 {
        do throws(SystemError) {
            return try File.copyContents(of: shared.rawValue, to: descriptor)
        } catch {
            throw IntentClientError(
                .system,
                "cannot copy '\(name)': \(error.code)",
                hint: "look whether there is space for it."
            )
        }
    }

    /// Lends the descriptor for the length of the call; do not close it.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (_ descriptor: Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(shared.rawValue)
    }

    /// Equal are two values of one open descriptor under the same name.
    public static func == (left: RunFile, right: RunFile) -> Bool {
        left.shared === right.shared && left.name == right.name && left.contentType == right.contentType
    }

    /// Feeds what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(shared))
        hasher.combine(name)
    }
}
