import CIntentWorker
import Foundation
import Glibc
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages

/// The files of a result, in the order in which its value refers to them.
struct OutgoingFiles: Sendable {
    private(set) var files: [ResultFile] = []
    /// The descriptors of the files that are in memory.
    private(set) var descriptors: [SharedFileDescriptor] = []
    /// The absolute path of the run folder, without symbolic links; nil where a value must not contain files, as in the
    /// catalogue.
    let directory: String?
    /// The value's deferred properties, which are fetched after the value has been encoded.
    var deferred = DeferredValues()

    /// Adds a file that the caller receives. Bytes in memory are sent as a descriptor, a file in the run folder stays
    /// there, and any other file is copied to the run folder.
    mutating func add(_ file: IntentFile) throws -> FileReference {
        guard let directory else {
            throw InvalidValue("must not contain a file: only an intent's result may contain files")
        }
        switch file.contents {
        case .data(let data):
            guard descriptors.count < Frame.descriptorLimit, let memory = try MemoryFile.permitted(data) else {
                files.append(.path(try Self.copy(try file.contents.open(), named: file.filename, into: directory)))
                break
            }
            descriptors.append(memory)
            files.append(.memory)
        case .url(let url):
            let descriptor = try file.contents.open()
            guard try File.status(of: descriptor.rawValue).kind == .regular else {
                throw InvalidValue("refers to '\(url.path)', which is not a regular file")
            }
            let path = File.realPath(url.path) ?? url.path
            if path.hasPrefix(utf8: directory + "/") {
                files.append(.path(String(path.dropFirst(scalars: directory.scalarCount + 1))))
            } else {
                files.append(.path(try Self.copy(descriptor, named: file.filename, into: directory)))
            }
        case .descriptor:
            files.append(.path(try Self.copy(try file.contents.open(), named: file.filename, into: directory)))
        }
        return FileReference(
            index: files.count - 1,
            name: file.filename.asFileName,
            contentType: file.type.map { $0.preferredMIMEType ?? $0.identifier }
        )
    }

    /// Copies a file to a new file, and returns the name of the new file. If the requested name is already in use, a
    /// number is added to it.
    static func copy(
        _ source: SharedFileDescriptor,
        named requestedName: String,
        into directory: String
    ) throws(SystemError) -> String {
        let name = requestedName.asFileName
        let stem = (name as NSString).deletingPathExtension
        let suffix = (name as NSString).pathExtension
        for attempt in 1...1000 {
            let candidate = attempt == 1 ? name : suffix.isEmpty ? "\(stem)-\(attempt)" : "\(stem)-\(attempt).\(suffix)"
            do {
                let copy = try File.open("\(directory)/\(candidate)", O_WRONLY | O_CREAT | O_EXCL, permissions: 0o644)
                try syscall("copy_file_range", on: candidate) { intentd_copy(source.rawValue, copy.rawValue) }
                return candidate
            } catch {
                if error.code.rawValue != EEXIST { throw error }
            }
        }
        throw SystemError("open", on: name, code: Errno(rawValue: EEXIST))
    }
}

extension String {
    /// The last path component of the string, as a valid file name.
    var asFileName: String {
        let name = split(scalar: "/").last.map(String.init) ?? ""
        return name.isEmpty || name == "." || name == ".." ? "file" : String(name.prefix(utf8: 200))
    }
}
