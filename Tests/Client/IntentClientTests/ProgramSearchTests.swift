import Foundation
import IntentClient
import TestSupport
import Testing

/// Tests how a client finds the programs of a private daemon.
@Suite struct ProgramSearchTests {
    private let folder = TemporaryFolders()

    @Test func `a program that is not beside its caller is found on the PATH`() throws {
        let found = try folder.program("path/intent-search")
        #expect(try folder.search(on: "relative:/nowhere:\(folder.path)/path") == found)
    }

    @Test func `the program of the caller's own build or package precedes the PATH`() throws {
        _ = try folder.program("path/intent-search")
        let installed = try folder.program("own/lib/intentd/intent-search")
        #expect(try folder.search(on: "\(folder.path)/path") == installed)
        let built = try folder.program("own/bin/intent-search")
        #expect(try folder.search(on: "\(folder.path)/path") == built)
    }

    @Test func `without the program, the error names the folders and the PATH`() throws {
        let error = #expect(throws: IntentClientError.self) { try folder.search(on: "/nowhere") }
        #expect(error?.code == .noProgram)
        #expect(error?.message.contains("\(folder.path)/own/bin") == true)
        #expect(error?.message.hasSuffix("and the PATH") == true)
    }
}

/// The folders of one test: the caller's, and one on the PATH.
private final class TemporaryFolders: Sendable {
    private let directory = TemporaryDirectory()

    var path: String { directory.path }

    /// Makes an executable file.
    func program(_ name: String) throws -> String {
        let url = URL(filePath: directory(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Script.write("true", at: url.path)
        return url.path
    }

    func search(on path: String) throws -> String {
        try PrivateDaemon.findProgram("intent-search", beside: directory("own/bin"), orOn: path)
    }
}
