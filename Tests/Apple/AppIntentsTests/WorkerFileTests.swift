import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests a run's input and output files.
@Suite(.ownThread) struct WorkerFileTests {
    private func memory(_ text: String) throws -> SharedFileDescriptor {
        try MemoryFile.sealed(name: "test", Array(text.utf8)[...])
    }

    @Test func `a file can be read several times through its descriptor`() throws {
        let run = try AppProcess.run(
            "Measure",
            ["file": .file(at: 0, named: "notes.txt")],
            files: [try memory("hello")]
        )
        #expect(run.text == "notes.txt public.plain-text 5 5 5")
    }

    @Test func `a pipe can be passed as a file`() throws {
        var ends: [Int32] = [-1, -1]
        try syscall("pipe") { pipe(&ends) }
        try File.write(ends[1], Array("hello".utf8)[...])
        close(ends[1])
        let run = try AppProcess.run(
            "EchoFile",
            ["file": .file(at: 0, named: "piped")],
            files: [SharedFileDescriptor(owning: ends[0])]
        )
        #expect(run.result.files == [.path("piped")])
    }

    @Test func `a command without the announced files is refused`() throws {
        let worker = try AppProcess("Probe", mode: "once")
        _ = try worker.next()
        let run = RunID(randomBits: 1)
        try worker.send(.perform(PerformCommand(run: run, intent: "Echo", values: [:], fileCount: 1)))
        #expect(worker.exitCode() == 76)
    }

    @Test func `bytes are sent as a sealed memory file`() throws {
        let run = try AppProcess.run("MakeFile", ["place": .string("memory")])
        #expect(run.value == .file(FileReference(index: 0, name: "made.txt", contentType: "text/plain")))
        #expect(run.result.files == [.memory])
        let file = try #require(run.files.first)
        #expect(MemoryFile.isSealed(file.rawValue))
        #expect(try File.readAll(file.rawValue, limit: 100) == Array("made".utf8))
    }

    @Test(arguments: [("here", "made.txt"), ("below", "below/made.txt")])
    func `a file in the run folder is identified by its path`(place: String, path: String) throws {
        let run = try AppProcess.run("MakeFile", ["place": .string(place)])
        #expect(run.result.files == [.path(path)])
        #expect(run.value?.files.map(\.name) == ["made.txt"])
    }

    @Test func `a file from elsewhere is copied into the run folder`() throws {
        let outside = NSTemporaryDirectory() + "outside-\(UUID().uuidString).txt"
        defer { unlink(outside) }
        let worker = try AppProcess.performing("MakeFile", ["place": .string(outside), "text": .string("far")])
        guard case .path(let path)? = try worker.result().result.files.first else {
            throw AppProcess.Failure(description: "no path")
        }
        #expect(!path.contains("/"))
        #expect(try File.text(at: "\(worker.directory)/\(path)") == "far")
    }

    @Test func `a result file that does not exist is an error`() throws {
        let message = try AppProcess.run("MakeFile", ["place": .string("missing")]).message
        #expect(message?.contains("missing.txt") == true)
    }
}
