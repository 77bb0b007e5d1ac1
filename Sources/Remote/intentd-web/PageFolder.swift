import IntentLinux

/// The files of the page. The server reads them when it starts, so a request cannot access any other file.
struct PageFolder {
    private static let fileByteLimit = 1 << 20

    typealias PageContents = (type: String, bytes: [UInt8])

    private let files: [String: PageContents]

    /// - Throws: ``SystemError`` if the folder cannot be read or contains no page.
    ///
    /// - Parameter path: The folder; nil for no page.
    init(at path: String?) throws(SystemError) {
        guard let path else {
            files = [:]
            return
        }
        var files: [String: PageContents] = [:]
        for (prefix, folder) in [("", path), ("js/", path + "/js")] {
            for name in try File.names(in: folder) {
                guard let type = PageFile.type(of: name) else { continue }
                let bytes = try File.bytes(at: "\(folder)/\(name)", limit: Self.fileByteLimit)
                files[prefix + name] = (type, bytes)
            }
        }
        guard files["index.html"] != nil else {
            throw SystemError("open", on: path + "/index.html", code: Errno(rawValue: 2))
        }
        self.files = files
    }

    subscript(_ name: String) -> PageContents? { files[name] }
}
