import Glibc
import IntentLinux
import IntentSandbox
import IntentWire

/// When to look at what each run has written: walking through all folders costs, asking the file system does not.
struct DiskWatch {
    private var lastFreeByteCount: UInt64 = 0
    private var passedCount = 0
    /// A slow writer is found by looking without a cause now and then.
    private static let passedLimit = 8
    /// Less than this is left to the next look.
    private static let worthwhileByteCount: UInt64 = 16 << 20

    /// Notes how much space is free, and says whether that is a reason to look.
    mutating func isDue(freeByteCount: UInt64) -> Bool {
        let hasShrunk = freeByteCount &+ Self.worthwhileByteCount < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        passedCount = hasShrunk ? 0 : passedCount + 1
        guard hasShrunk || passedCount >= Self.passedLimit else { return false }
        passedCount = 0
        return true
    }
}

extension Launcher {
    /// Ends runs that take more than their `DiskMax=`.
    func measureDisk() {
        var space = statvfs()
        // Of a folder that is gone nothing can be told, and nothing is written in it.
        guard statvfs(runsFolder, &space) == 0,
            diskWatch.isDue(freeByteCount: UInt64(space.f_bavail) &* UInt64(space.f_frsize))
        else { return }
        for slot in slots.values where slot.processEnd == nil && slot.exceeded == nil {
            guard let limit = slot.diskLimit else { continue }
            let processes = slot.leaf?.processes ?? [slot.process]
            guard let count = slot.directory.byteCount(with: processes), count <= limit else {
                slot.exceeded = .disk
                slot.signal(.kill)
                continue
            }
        }
    }
}
