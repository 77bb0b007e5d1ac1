import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSupervisor
import TestSupport
import Testing

/// Files of results, on a real disk.
@Suite(.ownThread, .timeLimit(.minutes(2))) struct KeptResultsTests {
    private let run = RunID(randomBits: 1)
    private let slot = SlotID(number: 1)
    private let app: AppName

    init() throws {
        app = try #require(AppName("Probe"))
    }

    private func results(in folder: borrowing TemporaryDirectory, isSynced: Bool = false) throws -> KeptResults {
        let descriptor = SharedFileDescriptor(try File.open(folder.path, O_RDONLY | O_DIRECTORY))
        return try KeptResults(ResultsFolder(descriptor: descriptor, isSynced: isSynced))
    }

    private func memory(_ byteCount: Int) throws -> SharedFileDescriptor {
        try MemoryFile.sealed(name: "a test", [UInt8](repeating: 7, count: byteCount)[...])
    }

    private func storing(
        _ files: [SharedFileDescriptor],
        run: RunID? = nil,
        slot: SlotID? = nil,
        app: AppName? = nil,
        byteCountMax: Int64? = nil
    ) -> KeptResults.Storing {
        KeptResults.Storing(
            slot: slot ?? self.slot,
            run: run ?? self.run,
            app: app ?? self.app,
            memory: files.enumerated().map { (index: $0.offset, file: $0.element) },
            byteCountMax: byteCountMax
        )
    }

    /// Waits for this many results, and returns their slots and problems in order.
    private func outcomes(_ count: Int, of results: KeptResults) -> [(slot: SlotID, problem: String?)] {
        var outcomes: [(slot: SlotID, problem: String?)] = []
        while outcomes.count < count {
            results.updateCounter.wait(milliseconds: nil)
            for update in results.drainUpdates() {
                switch update {
                case .advanced: break
                case .kept(let slot): outcomes.append((slot, nil))
                case .refused(let slot, let problem): outcomes.append((slot, problem))
                }
            }
        }
        return outcomes
    }

    @Test(arguments: [false, true])
    func `memory files are stored by index, and a file that is passed several times is stored once`(isSynced: Bool)
        throws
    {
        let folder = TemporaryDirectory()
        let results = try results(in: folder, isSynced: isSynced)
        let (large, small) = (try memory(1 << 20), try memory(10))
        let files = (0..<15).map { _ in large } + [small]
        // Fifteen copies would exceed the limit by far.
        results.store(storing(files, byteCountMax: 2 << 20))
        #expect(outcomes(1, of: results).map(\.problem) == [nil])
        let statuses = try (0..<16).map { try File.status(at: "\(folder.path)/\(run)/\($0)") }
        #expect(Set(statuses.map(\.inode)).count == 2)
        #expect(statuses.map(\.byteCount) == [Int64](repeating: 1 << 20, count: 15) + [10])
        #expect(results.open(0..<16, of: run)?.count == 16)
    }

    @Test func `a second descriptor of the same file in memory is the same file`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        let file = try memory(1 << 20)
        results.store(storing([file, try file.duplicate()], byteCountMax: 3 << 19))
        #expect(outcomes(1, of: results).map(\.problem) == [nil])
    }

    @Test func `a result above the limit is refused with both sizes, including the files in the run's folder`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(run)", withIntermediateDirectories: true)
        // The launcher has stored this file.
        try Data(repeating: 7, count: 1 << 20).write(to: URL(fileURLWithPath: "\(folder.path)/\(run)/1"))
        results.store(storing([try memory(1 << 20)], byteCountMax: 3 << 19))
        let problem = try #require(outcomes(1, of: results).first?.problem)
        #expect(problem.contains("2097152") && problem.contains("1572864"), "\(problem)")
        #expect(problem.contains("DiskMax="))
        results.store(storing([try memory(1 << 19)], byteCountMax: 3 << 19))
        #expect(outcomes(1, of: results).map(\.problem) == [nil])
    }

    @Test func `a file that the run may still write to is copied once for all of its indices`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        let place = "\(folder.path)/\(run)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        // The launcher has stored this file, and the run has it open.
        let writer = try File.open("\(place)/0", O_CREAT | O_RDWR)
        try File.write(writer.rawValue, Array("first".utf8)[...])
        try #require(link("\(place)/0", "\(place)/1") == 0)
        try Data("still".utf8).write(to: URL(fileURLWithPath: "\(place)/2"))
        let still = try File.status(at: "\(place)/2").inode
        var storing = storing([])
        storing.writable = [0, 1]
        results.store(storing)
        #expect(outcomes(1, of: results).map(\.problem) == [nil])
        try syscall("pwrite") { pwrite(writer.rawValue, "other", 5, 0) }
        let files = try #require(results.open(0..<3, of: run))
        let texts = try files.map { String(decoding: try File.read($0.rawValue, upTo: 9, at: 0), as: UTF8.self) }
        #expect(texts == ["first", "first", "still"])
        let inodes = try files.map { try File.status(of: $0.rawValue).inode }
        #expect(inodes[0] == inodes[1])
        #expect(inodes[2] == still)
        #expect(try File.names(in: place) == ["0", "1", "2"])
    }

    @Test func `the files of one app do not wait for those of another app`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        let other = try #require(AppName("Other"))
        let large = try (0..<8).map { _ in try memory(32 << 20) }
        results.store(storing(large))
        results.store(storing([try memory(10)], run: RunID(randomBits: 2), slot: SlotID(number: 2), app: other))
        // The result of the same app waits behind it.
        results.store(storing([try memory(10)], run: RunID(randomBits: 3), slot: SlotID(number: 3)))
        #expect(outcomes(3, of: results).map(\.slot.number) == [2, 1, 3])
    }

    @Test func `storing a result that is no longer needed stops and leaves no files`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        results.store(storing(try (0..<8).map { _ in try memory(32 << 20) }))
        // A part of the result has been stored.
        results.updateCounter.wait(milliseconds: nil)
        results.remove(run)
        let next = RunID(randomBits: 2)
        results.store(storing([try memory(10)], run: next, slot: SlotID(number: 2)))
        // The discarded run reports only progress from now on.
        #expect(outcomes(1, of: results).map(\.slot.number) == [2])
        #expect(try File.names(in: folder.path) == [next.text])
        results.remove(next)
        while try !File.names(in: folder.path).isEmpty { usleep(1000) }
    }

    @Test func `a missing folder is reported as the reason`() throws {
        let folder = TemporaryDirectory()
        let results = try results(in: folder)
        try FileManager.default.removeItem(atPath: folder.path)
        results.store(storing([try memory(10)]))
        let problem = try #require(outcomes(1, of: results).first?.problem)
        #expect(problem.contains("cannot be stored"), "\(problem)")
    }
}
