public import Foundation
import Glibc
import IntentLinux
import IntentWire

/// A file that an intent receives or returns.
///
/// A parameter's file is an open descriptor, and its bytes are read on demand.
///
/// Source: Apple's IntentFile page. ``withFileDescriptor(_:)`` is specific to Linux.
public struct IntentFile: Sendable {
    /// The file's name, without folders. The caller chooses it: never use it as a path without a check.
    public var filename: String
    /// The type of the contents, when known.
    public var type: UTType?
    /// Whether the file at ``fileURL`` may be removed after the run. Linux removes the run directory in any case.
    public var removedOnCompletion: Bool
    let contents: Contents

    enum Contents: Sendable {
        case data(Data)
        case url(URL)
        case descriptor(IncomingFile)
    }

    /// A file with the given bytes.
    public init(data: Data, filename: String, type: UTType? = nil) {
        self.init(.data(data), filename: filename, type: type)
    }

    /// A file on disk. It is read on demand. In a result, it is read after `perform()` has returned.
    public init(fileURL: URL, filename: String? = nil, type: UTType? = nil) {
        self.init(.url(fileURL), filename: filename ?? fileURL.lastPathComponent, type: type)
    }

    init(_ contents: Contents, filename: String, type: UTType?) {
        self.contents = contents
        self.filename = filename
        self.type = type ?? UTType(filenameExtension: (filename as NSString).pathExtension)
        removedOnCompletion = false
    }

    /// The file's URL; nil for bytes in memory.
    ///
    /// A parameter's file is an open descriptor, and the sandbox does not permit opening it by a path. The URL is that of a
    /// copy in the run directory, made at the first call; ``withFileDescriptor(_:)`` needs none. When `perform()` has
    /// returned or thrown, changes to the copy are written to the file if the caller permits them
    /// (`intentctl run --writable`); otherwise the copy is read-only.
    public var fileURL: URL? {
        switch contents {
        case .data: nil
        case .url(let url): url
        // Without space for a copy, the descriptor's own path may still work outside a sandbox.
        case .descriptor(let file):
            URL(fileURLWithPath: (try? file.path(named: filename)) ?? "/proc/self/fd/\(file.rawValue)")
        }
    }

    /// All bytes, in memory.
    ///
    /// - Precondition: The file can be read. ``data(contentType:)`` throws instead.
    public var data: Data {
        do {
            return try contents.bytes()
        } catch {
            preconditionFailure("cannot read the file '\(filename)': \(error)")
        }
    }

    /// All bytes, in memory. Linux does not convert between types.
    ///
    /// - Throws: An error when the file cannot be read.
    public func data(contentType: UTType) async throws -> Data {
        try contents.bytes()
    }

    /// The types that ``data(contentType:)`` provides.
    public var availableContentTypes: [UTType] { type.map { [$0] } ?? [] }

    /// Calls a closure with a copy of the file, which is removed afterwards.
    ///
    /// The closure's second argument says whether the file is the original: on Linux it never is.
    ///
    /// - Throws: The closure's error, or an error when the file cannot be copied.
    ///
    /// Source: Apple's IntentFile.withFile page.
    nonisolated(nonsending) public func withFile<Result>(
        contentType: UTType,
        allowOpenInPlace: Bool = false,
        fileHandler: nonisolated(nonsending) @escaping (URL, Bool) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A file that cannot be removed is deleted with the run directory.
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = try OutgoingFiles.copy(try contents.open(), named: filename, into: folder.path)
        return try await fileHandler(folder.appending(path: name), false)
    }

    /// Calls a closure with an open descriptor for reading, at offset 0, so that a file of any size needs no memory.
    ///
    /// The descriptor is valid only inside the closure, which must not close it. All holders of the open file share its
    /// offset: two concurrent closures, the client, and a concurrent run with the same descriptor. pread(2) is right in
    /// every case.
    ///
    /// - Throws: The closure's error, or an error when the file cannot be opened.
    public func withFileDescriptor<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        let descriptor = try contents.open()
        return try withExtendedLifetime(descriptor) { try body(descriptor.rawValue) }
    }
}

extension IntentFile.Contents {
    func bytes() throws -> Data {
        switch self {
        case .data(let data): data
        case .url(let url): try Data(contentsOf: url, options: .mappedIfSafe)
        case .descriptor(let file): try file.bytes()
        }
    }

    func open() throws -> SharedFileDescriptor {
        switch self {
        case .data(let data):
            return try MemoryFile.permitted(data) ?? File.nameless(data)
        case .url(let url):
            return SharedFileDescriptor(try File.open(url.path))
        case .descriptor(let file):
            try file.rewind()
            return file.descriptor
        }
    }
}

extension IntentFile: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<IntentFile> {
        _IntentValueCoding(.file) { value, files in
            .file(try files.add(value))
        } decode: { value, files in
            if case .file(let reference) = value { try files.file(reference) } else { nil }
        }
    }
}
