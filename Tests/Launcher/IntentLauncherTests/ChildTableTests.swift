import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import Testing

@testable import IntentLauncher

@Suite struct ChildTableTests {
    private let table = ChildTable()

    @Test func `each kind of child is known until it is removed`() {
        table.addWorker(11, of: SlotID(number: 1))
        table.addHelper(12)
        table.addRemover(13)
        #expect(table.processes == [11, 12, 13])
        #expect(table.removeWorker(11) == SlotID(number: 1))
        #expect(table.removeWorker(12) == nil)
        #expect(table.removeHelper(12))
        #expect(!table.removeHelper(13))
        table.removeRemover(13)
        #expect([11, 12, 13].allSatisfy { !table.contains($0) })
    }

    @Test func `no remover is running after removers are ended`() throws {
        let parts = try LauncherParts()
        let run = try RunFolder(at: "\(parts.folders.runs)/1", for: nil)
        // Create more files than the launcher removes itself.
        for number in 0..<2000 {
            try Data().write(to: URL(filePath: "\(run.path)/\(number)"))
        }
        let remover = try #require(run.remove())
        table.addRemover(remover)
        table.endRemovers()
        #expect(kill(remover, 0) == -1 && errno == ESRCH)
        #expect(table.removers == [])
        RunFolder.removeAll(in: parts.folders.runs)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts.folders.runs) == [])
    }

    @Test func `a sandbox's folder that a remover is emptying is removed after the remover has exited`() throws {
        let parts = try LauncherParts()
        let folder = "\(parts.folders.runs)/1"
        try syscall("mkdir") { mkdir(folder, 0o700) }
        let sandbox = try parts.endedSandbox(in: folder)
        let run = try RunFolder(at: "\(folder)/run", for: nil)
        table.addRemover(11)
        table.remove(sandbox)
        #expect(table.staleFolders == [folder])
        table.removeRemover(12)
        #expect(table.staleFolders == [folder])
        run.remove()
        table.removeRemover(11)
        #expect(table.staleFolders == [])
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
