import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

/// Tests the example app Archive.
@Suite(.ownThread) struct ArchiveTests {
    /// A file with partly compressible bytes, in its own folder.
    private func sample(byteCount: Int) throws -> (path: String, bytes: [UInt8]) {
        let path = NSTemporaryDirectory() + "sample-\(UUID().uuidString)"
        var state: UInt32 = 1
        let bytes = (0..<byteCount).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 28)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return (path, bytes)
    }

    private func open(_ path: String) throws -> SharedFileDescriptor { SharedFileDescriptor(try File.open(path)) }

    private func shell(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func `gunzip expands a compressed file to the original bytes`() throws {
        let (path, bytes) = try sample(byteCount: 3_000_000)
        defer { unlink(path) }
        let worker = try AppProcess.performing(
            "CompressIntent",
            of: "Archive",
            ["file": .file(at: 0, named: "sample.bin")],
            files: [try open(path)]
        )
        let run = try worker.result()
        #expect(run.result.files == [.path("sample.bin.gz")])
        #expect(run.phases == [.entered, .left])
        #expect(run.progress.last?.completedUnitCount == 3_000_000)
        #expect(run.progress.last?.fraction == 1)
        guard case .returned(_, let dialog) = run.result.ending else { throw AppProcess.Failure(description: "threw") }
        #expect(dialog?.hasPrefix("3.0 MB → 1.") == true)
        let compressed = "\(worker.directory)/sample.bin.gz"
        #expect(try shell("/bin/gzip", ["-t", compressed]) == 0)

        let expander = try AppProcess.performing(
            "ExpandIntent",
            of: "Archive",
            ["file": .file(at: 0, named: "sample.bin.gz")],
            files: [try open(compressed)]
        )
        #expect(try expander.result().result.files == [.path("sample.bin")])
        let expanded = try Data(contentsOf: URL(fileURLWithPath: "\(expander.directory)/sample.bin"))
        #expect(expanded == Data(bytes))
    }

    @Test func `several consecutive members expand to one file`() throws {
        let path = NSTemporaryDirectory() + "members-\(UUID().uuidString)"
        defer { unlink(path) }
        #expect(try shell("/bin/sh", ["-c", "(printf one | gzip; printf two | gzip) > \(path)"]) == 0)
        let worker = try AppProcess.performing(
            "ExpandIntent",
            of: "Archive",
            ["file": .file(at: 0, named: "members.gz")],
            files: [try open(path)]
        )
        _ = try worker.result()
        #expect(try File.text(at: "\(worker.directory)/members") == "onetwo")
    }

    @Test func `a file that is not an archive is refused with the offset`() throws {
        let file = try MemoryFile.sealed(name: "bad", Array("no archive".utf8)[...])
        let values = ["file": IntentValue.file(at: 0, named: "bad.gz")]
        let run = try AppProcess.run("ExpandIntent", of: "Archive", values, files: [file])
        #expect(run.message == "not a valid gzip file: incorrect header check, at byte 2")
    }

    @Test func `the checksum is the standard CRC-32`() throws {
        let file = try MemoryFile.sealed(name: "crc", Array("123456789".utf8)[...])
        let values = ["file": IntentValue.file(at: 0, named: "crc")]
        #expect(try AppProcess.run("ChecksumIntent", of: "Archive", values, files: [file]).text == "cbf43926")
    }

    @Test func `a cancelled compression leaves no file, and reports the cancellation`() throws {
        // The socket stays open, so that the run cannot end before it is cancelled.
        var ends = Optional(try UnixSocket.Pair(.stream).shared())
        let reader = try #require(ends?.first)
        let sent = try ends.flatMap {
            try UnixSocket.send([UInt8](repeating: 7, count: 60_000)[...], on: $0.second.rawValue)
        }
        #expect(sent == 60_000)
        let worker = try AppProcess.performing(
            "CompressIntent",
            of: "Archive",
            ["file": .file(at: 0, named: "endless")],
            files: [reader]
        )
        try worker.waitForProgress()
        try worker.send(.cancel(reason: .userCancelled, graceMilliseconds: 5000))
        for _ in 0..<200 where !worker.output.contains("removed") { _ = worker.isReadable(within: 50) }
        #expect(worker.output.contains("cancelled (userCancelled): removed the partial file endless.gz"))
        #expect(access("\(worker.directory)/endless.gz", F_OK) == -1)
        ends = nil
        #expect(try worker.result().result.ending == .threwCancellation)
    }
}
