public import Foundation
import Glibc
import IntentLinux
import IntentWire

/// A file given to an intent, or returned by one.
///
/// A parameter's file comes as an open descriptor: there is no path to it, and its bytes are read when asked for.
///
/// Source: Apple's IntentFile page; ``withFileDescriptor(_:)`` is ours.
public struct IntentFile: Sendable {
    /// The name without folders. It is chosen by whoever gave the file: never use it as a path unchecked.
    public var filename: String
    /// The type of the contents, when known.
    public var type: UTType?
    /// True: the file at ``fileURL`` may be removed after the run, which Linux does with the run's directory anyway.
    public var removedOnCompletion: Bool
    let contents: Contents

    enum Contents: Sendable {
        case data(Data)
        case url(URL)
        case descriptor(IncomingFile)
    }

    /// A file of these bytes.
    public init(data: Data, filename: String, type: UTType? = nil) {
        self.init(.data(data), filename: filename, type: type)
    }

    /// A file on disk. It is read when the bytes are needed, and as a result when `perform()` has returned.
    public init(fileURL: URL, filename: String? = nil, type: UTType? = nil) {
        self.init(.url(fileURL), filename: filename ?? fileURL.lastPathComponent, type: type)
    }

    init(_ contents: Contents, filename: String, type: UTType?) {
        self.contents = contents
        self.filename = filename
        self.type = type ?? UTType(filenameExtension: (filename as NSString).pathExtension)
        removedOnCompletion = false
    }

    /// Where the file is; nil for bytes in memory.
    ///
    /// A parameter's file is at `/proc/self/fd/N`, which opens only if the sandbox grants the file itself: use
    /// ``withFileDescriptor(_:)`` or ``data``, which always work.
    public var fileURL: URL? {
        switch contents {
        case .data: nil
        case .url(let url): url
        case .descriptor(let file): URL(fileURLWithPath: "/proc/self/fd/\(file.rawValue)")
        }
    }

    /// All bytes, in memory. A file that cannot be read ends the process: see ``data(contentType:)`` for an error.
    public var data: Data {
        do {
            return try contents.bytes()
        } catch {
            preconditionFailure("cannot read the file '\(filename)': \(error)")
        }
    }

    /// All bytes, in memory; conversions between types do not exist on Linux.
    ///
    /// - Throws: An error when the file cannot be read.
    public func data(contentType: UTType) async throws -> Data {
        try contents.bytes()
    }

    /// The types that ``data(contentType:)`` can give.
    public var availableContentTypes: [UTType] { type.map { [$0] } ?? [] }

    /// Gives the file at a place of its own, which is removed afterwards.
    ///
    /// The second argument of the closure tells whether the file is the given one itself: here it never is.
    ///
    /// - Throws: What the closure throws, or an error when the file cannot be copied.
    ///
    /// Source: Apple's IntentFile.withFile page.
    nonisolated(nonsending) public func withFile<Result>(
        contentType: UTType,
        allowOpenInPlace: Bool = false,
        fileHandler: nonisolated(nonsending) @escaping (URL, Bool) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What cannot be removed goes with the run's folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = try OutgoingFiles.copy(try contents.open(), named: filename, into: folder.path)
        return try await fileHandler(folder.appending(path: name), false)
    }

    /// Gives the file as an open descriptor to read from, at its beginning, so that a file of any size needs no memory.
    ///
    /// The descriptor is valid only inside the closure, and must not be closed. Every holder of the open file shares its
    /// offset: two closures at once, the client, and another run that was given the same descriptor at the same time.
    /// pread(2) is right in every case.
    ///
    /// - Throws: What the closure throws, or an error when the file cannot be opened.
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
