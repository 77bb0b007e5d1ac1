internal import IntentLinux

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

    /// Opens a file for reading.
    ///
    /// - Throws: ``IntentClientError`` when it cannot be opened, or is a folder.
    public init(path: String, contentType: String? = nil) throws(IntentClientError) {
        let shared: SharedFileDescriptor
        let kind: File.Kind
        do throws(SystemError) {
            shared = SharedFileDescriptor(try File.open(path))
            kind = try File.status(of: shared.rawValue).kind
        } catch {
            throw IntentClientError(
                .unreadableFile,
                "cannot read '\(path)': \(error.code)",
                hint: "check the path and its permissions."
            )
        }
        guard kind != .directory else {
            throw IntentClientError(
                .unreadableFile,
                "cannot hand over '\(path)': it is a folder",
                hint: "name a file, or pack the folder first (tar)."
            )
        }
        let name = path.split(separator: "/").last.map(String.init) ?? "file"
        self.init(name: name, contentType: contentType, shared: shared)
    }

    /// A second descriptor of a file that is open already, such as standard input; the caller keeps its own.
    ///
    /// - Throws: ``IntentClientError`` when the number is no open descriptor.
    public init(duplicating descriptor: Int32, name: String, contentType: String? = nil) throws(IntentClientError) {
        // The number belongs to the caller, so the wrapper that duplicates it must not close it.
        let borrowed = FileDescriptor(owning: descriptor)
        let copy: Result<SharedFileDescriptor, SystemError>
        do throws(SystemError) {
            copy = .success(SharedFileDescriptor(try borrowed.duplicate()))
        } catch {
            copy = .failure(error)
        }
        _ = borrowed.release()
        switch copy {
        case .success(let shared):
            self.init(name: name, contentType: contentType, shared: shared)
        case .failure(let error):
            throw IntentClientError(
                .unreadableFile,
                "cannot hand over descriptor \(descriptor): \(error.code)",
                hint: "open it before the call."
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
