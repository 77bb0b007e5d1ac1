public import FoundationEssentials
internal import Glibc
internal import IntentLinux

/// Reads and saves the content of files, and creates files from data.
extension RunFile {
    /// Opens the file at a URL with the permissions of the calling process.
    ///
    /// - Throws: ``IntentClientError`` with code `unreadableFile` when the URL is not a file URL, or when the file
    ///   cannot be opened, or is a folder, a socket or a device.
    public init(url: URL, contentType: String? = nil, access: Access = .reading) throws(IntentClientError) {
        guard url.isFileURL else {
            throw IntentClientError(
                .unreadableFile,
                "cannot pass '\(url.absoluteString)' as a file: it is not a file URL",
                hint: "download the content first, or pass it as a URL"
            )
        }
        try self.init(path: url.path(percentEncoded: false), contentType: contentType, access: access)
    }

    /// Creates a file that exists only in memory and that no process can change.
    ///
    /// - Throws: ``IntentClientError`` with code `system` when the memory is not available.
    public init(data: Data, name: String, contentType: String? = nil) throws(IntentClientError) {
        do throws(SystemError) {
            let file = try MemoryFile.sealed(name: "intent-argument", [UInt8](data)[...])
            self.init(name: name, contentType: contentType, shared: file)
        } catch {
            throw IntentClientError(
                .system,
                "cannot create '\(name)' in memory: \(error)",
                hint: "pass a file instead"
            )
        }
    }

    /// Reads the whole content.
    ///
    /// - Parameter limit: The maximum number of bytes. The app chooses the size of a result file.
    /// - Throws: ``IntentClientError`` with code `tooLarge` when the file is larger, or `system`.
    public func data(upTo limit: Int = 256 << 20) throws(IntentClientError) -> Data {
        var data = Data()
        var offset = 0
        while true {
            let part = try read(upTo: Self.partSize, at: offset)
            if part.isEmpty { return data }
            offset += part.count
            guard offset <= limit else {
                throw IntentClientError(
                    .tooLarge,
                    "'\(SafeText.line(name))' has more than \(limit) bytes",
                    hint: "read it in parts with 'bytes', or copy it with 'copyContents(to:)'"
                )
            }
            data.append(contentsOf: part)
        }
    }

    /// The content, in parts of at most 256 KiB. Each iteration starts at the beginning of the file.
    public var bytes: some AsyncSequence<Data, any Error> & Sendable { RunFileBytes(file: self) }

    /// Saves a copy in a folder, under the file's name, and on the disk (fsync(2)). An existing file is never overwritten.
    ///
    /// - Parameter name: The name of the copy; nil for the file's own name.
    /// - Returns: The URL of the copy.
    /// - Throws: ``IntentClientError`` with code `unsafeFileName` when the name is not a single path component or
    ///   contains control characters, or `system` when a file with that name exists or the copy cannot be written.
    @discardableResult
    public func save(in folder: URL, as name: String? = nil) throws(IntentClientError) -> URL {
        let name = name ?? self.name
        guard !name.isEmpty, name.utf8.count <= 255, name != ".", name != "..", !name.contains(utf8: "/"),
            !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw IntentClientError(
                .unsafeFileName,
                "'\(SafeText.line(name))' is not a valid file name",
                hint: "choose another name: save(in:as:)"
            )
        }
        let url = folder.appending(path: name)
        let path = url.path(percentEncoded: false)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw IntentClientError(
                .system,
                "cannot create '\(SafeText.line(path))': \(Errno(rawValue: errno))",
                hint: "choose another folder or name"
            )
        }
        let target = FileDescriptor(owning: descriptor)
        do throws(IntentClientError) {
            try copyContents(to: target.rawValue)
            try RunFile.synchronize(target.rawValue, at: path)
        } catch {
            // Remove an incomplete copy.
            unlink(path)
            throw error
        }
        return url
    }

    /// Copies the contents and the name of a new file to the disk, so that `intentd` can discard its own copy.
    package static func synchronize(_ descriptor: Int32, at path: String) throws(IntentClientError) {
        do throws(SystemError) {
            try File.sync(descriptor)
        } catch {
            // The file system cannot be synchronised (fsync(2)).
            if error.code.rawValue == EINVAL { return }
            throw IntentClientError(
                .system,
                "cannot write '\(SafeText.line(path))' to the disk: \(error.code)",
                hint: "check that the disk has space for the file"
            )
        }
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[...$0])) } ?? "."
        // Ignore a failure, because a folder can permit writing but not reading.
        if let folder = try? File.open(folder, O_RDONLY | O_DIRECTORY) { try? File.sync(folder.rawValue) }
    }

    /// Duplicates the descriptor. The caller owns the duplicate, and must close it.
    ///
    /// Both descriptors share one file offset.
    ///
    /// - Throws: ``IntentClientError`` with code `system` when the process has too many open files.
    public func duplicateDescriptor() throws(IntentClientError) -> Int32 {
        let copy = fcntl(shared.rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else {
            throw IntentClientError(
                .system,
                "cannot duplicate the descriptor of '\(SafeText.line(name))': \(Errno(rawValue: errno))",
                hint: "close other files, or raise 'ulimit -n'"
            )
        }
        return copy
    }

    static let partSize = 256 << 10

    func read(upTo count: Int, at offset: Int) throws(IntentClientError) -> [UInt8] {
        do throws(SystemError) {
            return try File.read(shared.rawValue, upTo: count, at: offset)
        } catch {
            throw IntentClientError(.system, "cannot read '\(SafeText.line(name))': \(error.code)")
        }
    }
}

/// A file's content, in parts.
private struct RunFileBytes: AsyncSequence, Sendable {
    let file: RunFile

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: RunFile
        var offset = 0

        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            let part = try file.read(upTo: RunFile.partSize, at: offset)
            offset += part.count
            return part.isEmpty ? nil : Data(part)
        }
    }
}

extension RunFile: Codable {
    /// Decodes a file from the value of a run. Fails with any other decoder.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "only a run's value can have files")
        )
    }

    /// Encodes a file into an intent's argument. Fails with any other encoder.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "only an argument of an intent can contain a file"
            )
        )
    }
}
