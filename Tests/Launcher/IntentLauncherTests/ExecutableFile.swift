import Foundation
import IntentLinux

/// Links programs for tests, and determines the libraries that the loader itself finds.
enum ExecutableFile {
    struct Failure: Error {
        var output: String
    }

    /// Compiles C with the Swift toolchain's clang.
    static func link(_ source: String, to path: String, _ options: [String]) throws {
        try source.write(toFile: "\(path).c", atomically: true, encoding: .utf8)
        let clang = try toolchainFolder() + "/clang"
        let (output, code) = try run(clang, ["\(path).c", "-o", path] + options)
        if code != 0 { throw Failure(output: output) }
    }

    /// Returns the names of the libraries that the loader finds, with their paths.
    ///
    /// - Parameter folders: The folders of LD_LIBRARY_PATH, to search without the loader's cache; nil for the loader's
    ///   usual
    /// search.
    static func loaderList(of path: String, interpreter: String, folders: [String]? = nil) throws -> [String: String] {
        let options = folders.map { ["--inhibit-cache", "--library-path", $0.joined(separator: ":")] } ?? []
        let (output, code) = try run(interpreter, options + ["--list", path])
        if code != 0 { throw Failure(output: output) }
        var paths: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split { $0.isWhitespace }
            if words.count >= 3, words[1] == "=>" { paths[String(words[0])] = String(words[2]) }
        }
        return paths
    }

    /// Runs a program. Returns its standard output and standard error, and its exit code.
    static func run(_ program: String, _ arguments: [String]) throws -> (String, Int32) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        let output = Foundation.Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: data, as: UTF8.self), process.terminationStatus)
    }

    private static func toolchainFolder() throws -> String {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            let swift = URL(filePath: "\(folder)/swift").resolvingSymlinksInPath()
            let folder = swift.deletingLastPathComponent().path
            if FileManager.default.isExecutableFile(atPath: "\(folder)/clang") { return folder }
        }
        throw Failure(output: "there is no 'swift' with a 'clang' beside it on the PATH")
    }
}
