import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ArchiveEndToEndTests {
    @Test func `a file is passed in as a descriptor, and its compressed copy is passed out as another`() throws {
        let daemon = try Daemon()
        let file = try daemon.folder.noise("data.bin", byteCount: 3_000_000)
        let run = try daemon.intentctl("run", "Archive/Compress", "--file", file.path)
        #expect(run.code == 0, "\(run.errors)")
        let packed = daemon.folder.appending(run.output.trimmingCharacters(in: .newlines))
        let unpacked = try Command(
            URL(fileURLWithPath: "/bin/sh"),
            ["-c", "gunzip -c '\(packed.path)' | cmp - '\(file.path)'"]
        )
        #expect(unpacked.exitCode() == 0, "\(unpacked.errors)")
    }

    @Test func `a result never overwrites a file`() throws {
        let daemon = try Daemon()
        let file = try daemon.folder.noise("data.bin", byteCount: 1000)
        let out = daemon.folder.appending("data.bin.gz")
        try Data("precious".utf8).write(to: out)
        let run = try daemon.intentctl("run", "Archive/Compress", "--file", file.path)
        #expect(run.code == 0)
        #expect(try String(contentsOf: out, encoding: .utf8) == "precious")
        #expect(run.output.contains("data.bin-2.gz"))
    }

    @Test func `standard input can be the file`() throws {
        let daemon = try Daemon()
        let file = try daemon.folder.noise("data.bin", byteCount: 100_000)
        let run = try daemon.intentctl("run", "Archive/Compress", "--file", "-", input: file)
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test func `the handler of a cancelled run removes the partial output and reports it`() throws {
        let daemon = try Daemon()
        let file = try daemon.folder.noise("big.bin", byteCount: 200_000_000)
        let running = try daemon.start(["run", "Archive/Compress", "--file", file.path])
        try running.waitFor("%")
        running.signal(SIGINT)
        #expect(running.exitCode() == 130)
        #expect(running.errors.contains("removed the partial file"), "\(running.errors)")
        #expect(!FileManager.default.fileExists(atPath: daemon.folder.appending("big.bin.gz").path))
        try eventually("the run folder is removed") { daemon.isCleared }
    }
}
