import IntentLinux
import IntentWeb

/// The files of the page. The server reads them when it starts, so a request cannot access any other file.
struct PageFolder {
    private static let fileByteLimit = 1 << 20

    struct File {
        var type: String
        var bytes: [UInt8]
    }

    private let files: [String: File]

    /// - Throws: ``SystemError`` if the folder cannot be read or contains no page.
    init(at path: String) throws(SystemError) {
        var files: [String: File] = [:]
        for (prefix, folder) in [("", path), ("js/", path + "/js")] {
            for name in try IntentLinux.File.names(in: folder) {
                guard let type = PageFile.type(of: name) else { continue }
                let bytes = try IntentLinux.File.bytes(at: "\(folder)/\(name)", limit: Self.fileByteLimit)
                files[prefix + name] = File(type: type, bytes: bytes)
            }
        }
        guard files["index.html"] != nil else {
            throw SystemError("open", on: path + "/index.html", code: Errno(rawValue: 2))
        }
        self.files = files
    }

    subscript(_ name: String) -> File? { files[name] }
}
