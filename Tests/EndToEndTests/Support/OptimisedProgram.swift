import Foundation
import Testing

/// A program that a test compiles for release, and links with this build's library.
enum OptimisedProgram {
    /// Compiles a single-file program with optimisation.
    ///
    /// - Parameter flags: Flags of the compiler in addition to those that every such program needs.
    static func make(_ name: String, _ source: String, flags: [String], in folder: TemporaryFolder) throws -> URL {
        let file = folder.appending("\(name).swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let build = Programs.url("Ported").deletingLastPathComponent()
        let modules = ["CIntentWorker", "CIntentLinux"]
        // What the build linked into another app. Its folders may also hold objects of files that were removed.
        let list = build.appending(path: "Ported.product/Objects.LinkFileList")
        let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: ["'"]) }
            .filter { !$0.contains("/Ported.build/") }
        let program = folder.appending(name)
        let maps = modules.flatMap {
            ["-Xcc", "-fmodule-map-file=\(build.path)/\($0).build/module.modulemap"]
        }
        let compiler = try Command(
            URL(fileURLWithPath: "/usr/bin/nice"),
            [
                "-n", "19", "swiftc", "-O", "-wmo", "-parse-as-library", "-module-name", name, "-I",
                "\(build.path)/Modules",
            ] + maps + flags + [file.path, "-o", program.path] + objects,
            directory: folder.url
        )
        try #require(compiler.exitCode() == 0, "\(compiler.errors)")
        return program
    }
}
