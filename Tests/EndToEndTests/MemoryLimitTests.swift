import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct MemoryLimitTests {
    /// Without a memory controller, the kernel refuses an allocation, and each kind of code then crashes in its own
    /// way. With one, the kernel kills the run.
    @Test(arguments: ["array", "unchecked", "unwrapped", "new", "data"])
    func `a run that ends because it has no memory left exceeded MemoryMax=`(_ kind: String) throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=200M"])
        let hasController = try daemon.json("status")["isolation"].map { "\($0)".contains("memory, ") } ?? false
        let run = try daemon.intentctl("run", "Probe/UseUp", "--what", kind, "--count", "1000000")
        #expect(run.code == 71 && run.errors.contains("MemoryMax="), "\(run)")
        guard !hasController else { return }
        let story = try daemon.json("why", daemon.newestRun())
        let crash = try #require(story["crash"] as? [String: Any], "\(story)")
        let memory = try #require(crash["memory"] as? [String: Any], "\(crash)")
        #expect(memory["limit"] as? Int == 200 << 20)
        #expect((memory["byteCount"] as? Int).map { $0 > 150 << 20 && $0 <= 200 << 20 } == true, "\(memory)")
        let text = try daemon.intentctl("why", daemon.newestRun()).output
        #expect(text.contains("of private memory (MemoryMax=) at the crash"), "\(text)")
    }

    @Test func `a crash with enough free memory is told as a crash`() throws {
        let daemon = try Daemon(sandbox: ["MemoryMax=200M"])
        let run = try daemon.intentctl("run", "Probe/CrashInFunction", "--kind", "access")
        #expect(run.code == 70 && !run.errors.contains("exceeded"), "\(run)")
    }
}
