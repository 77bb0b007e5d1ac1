import Foundation

/// The checkout's files.
enum Project {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The names in a folder, without hidden ones.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Every file below a folder by its path, as far as it is text.
    static func texts(below folder: String) throws -> [(path: String, text: String)] {
        if !isFolder(folder) {
            guard FileManager.default.fileExists(atPath: "\(root)/\(folder)") else { return [] }
            return [(folder, try String(contentsOfFile: "\(root)/\(folder)", encoding: .utf8))]
        }
        var texts: [(String, String)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted() {
            let full = "\(folder)/\(path)"
            if isFolder(full)
                || path.split(separator: "/").contains(where: { $0.hasPrefix(".") || $0 == "__pycache__" })
            {
                continue
            }
            // A file that is not UTF-8 is binary, and has no text to check.
            if let text = try? String(contentsOfFile: "\(root)/\(full)", encoding: .utf8) { texts.append((full, text)) }
        }
        return texts
    }

    static func swiftFiles(below folder: String) throws -> [SourceFile] {
        try texts(below: folder).filter { $0.path.hasSuffix(".swift") }.map(SourceFile.init)
    }

    /// Runs a script of the checkout.
    ///
    /// - Returns: Its exit status, and what it printed to standard output and standard error.
    static func run(
        _ script: String,
        _ arguments: String...,
        environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "\(root)/\(script)")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
