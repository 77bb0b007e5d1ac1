import Foundation

/// The files of the checkout.
enum Project {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Returns the names in a folder, without hidden files.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The folders of Sources that group targets.
    static func rooms() throws -> [String] {
        try names(in: "Sources").map { "Sources/\($0)" }.filter(isFolder)
    }

    /// The folder of each target of Sources by the target's name.
    static func targets() throws -> [String: String] {
        let folders = try rooms().flatMap { room in try names(in: room).map { (room, $0) } }
            .filter { isFolder("\($0)/\($1)") }
        return Dictionary(uniqueKeysWithValues: folders.map { ($1, "\($0)/\($1)") })
    }

    /// The names of the targets of Sources in Swift. The others are in C, or module maps.
    static func swiftTargets() throws -> [String] {
        try targets().filter { _, folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").contains { $0.hasSuffix(".swift") }
        }.keys.sorted()
    }

    /// The Swift files of a target of Sources.
    static func swiftFiles(ofTarget target: String) throws -> [SourceFile] {
        guard let folder = try targets()[target] else { return [] }
        return try swiftFiles(below: folder)
    }

    /// Returns the path and contents of every text file below a folder.
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
    /// - Returns: The exit status, and the text that the script printed to standard output and standard error.
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
