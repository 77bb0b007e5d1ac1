public import Foundation
import Glibc
import IntentLinux
import IntentSharedTypes

/// A file that an intent receives or returns.
///
/// A parameter's file is an open descriptor, which is read on demand.
///
/// Source: Apple's IntentFile page. ``withFileDescriptor(_:)`` is specific to Linux.
public struct IntentFile: Sendable {
    /// The file's name without folders. The caller chooses the name, so check it before using it as a path.
    public var filename: String
    /// The type of the content; nil if it is unknown.
    public var type: UTType?
    /// True if the file at ``fileURL`` may be removed after the run. intentd always removes the run folder.
    public var removedOnCompletion: Bool
    let contents: Contents

    enum Contents: Sendable {
        case data(Data)
        case url(URL)
        case descriptor(IncomingFile)
    }

    /// Creates a file from bytes in memory.
    public init(data: Data, filename: String, type: UTType? = nil) {
        self.init(.data(data), filename: filename, type: type)
    }

    /// Creates a file from a file on disk, which is read on demand. If a result contains the file, it is read after
    /// `perform()` has returned.
    public init(fileURL: URL, filename: String? = nil, type: UTType? = nil) {
        self.init(.url(fileURL), filename: filename ?? fileURL.lastPathComponent, type: type)
    }

    init(_ contents: Contents, filename: String, type: UTType?) {
        self.contents = contents
        self.filename = filename
        self.type = type ?? UTType(filenameExtension: (filename as NSString).pathExtension)
        removedOnCompletion = false
    }

    /// The URL of the file; nil if its bytes are in memory.
    ///
    /// A parameter's file is an open descriptor, and the sandbox does not permit the app to open the file by path. The
    /// URL therefore refers to a copy in the run folder, which the first access creates. ``withFileDescriptor(_:)``
    /// needs no copy. If the caller permits changes (`intentctl run --writable`), the worker writes changes to the copy
    /// back to the original file after `perform()` has returned or thrown. Otherwise, the copy is read-only.
    public var fileURL: URL? {
        switch contents {
        case .data: nil
        case .url(let url): url
        // If the copy cannot be created, for example because the disk is full, the descriptor's path may still work
        // outside a sandbox.
        case .descriptor(let file):
            URL(fileURLWithPath: (try? file.path(named: filename)) ?? "/proc/self/fd/\(file.rawValue)")
        }
    }

    /// The content of the file, read into memory.
    ///
    /// - Precondition: The file can be read; otherwise, the process stops. ``data(contentType:)`` throws an error
    ///   instead.
    public var data: Data {
        do {
            return try contents.bytes()
        } catch {
            preconditionFailure("cannot read the file '\(filename)': \(error)")
        }
    }

    /// Returns the content of the file, read into memory. Linux does not convert it to the given type.
    ///
    /// - Throws: An error when the file cannot be read.
    public func data(contentType: UTType) async throws -> Data {
        try contents.bytes()
    }

    /// The types in which ``data(contentType:)`` can return the content.
    public var availableContentTypes: [UTType] { type.map { [$0] } ?? [] }

    /// Calls a closure with the URL of a copy of the file. The copy is removed afterwards.
    ///
    /// The second argument of the closure is true if the URL refers to the original file. On Linux, it is always false.
    ///
    /// - Throws: The error that the closure throws, or an error when the file cannot be copied.
    ///
    /// Source: Apple's IntentFile.withFile page.
    nonisolated(nonsending) public func withFile<Result>(
        contentType: UTType,
        allowOpenInPlace: Bool = false,
        fileHandler: nonisolated(nonsending) @escaping (URL, Bool) async throws -> Result
    ) async throws -> Result {
        let folder = RunSurroundings.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If the removal fails, the copy is removed together with the run folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = try OutgoingFiles.copy(try contents.open(), named: filename, into: folder.path)
        return try await fileHandler(folder.appending(path: name), false)
    }

    /// Calls a closure with an open descriptor for reading, at offset 0. The file may be larger than the available
    /// memory.
    ///
    /// The descriptor is valid only inside the closure, which must not close it. Its offset is shared with concurrent
    /// closures, with the client and with concurrent runs that use the same descriptor. Use pread(2), which does not
    /// depend on the offset.
    ///
    /// - Throws: The error that the closure throws, or an error when the file cannot be opened.
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
            return try MemoryFile.permitted(data) ?? File.unlinked(data)
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
