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
    /// Folders looked at in one go: the ends of processes must not wait for very many.
    static let slotsPerLook = 32
    /// The last one that was looked at.
    var lastSlot: UInt64 = 0
    /// Less than this is left to the next look.
    private static let worthwhileByteCount: UInt64 = 16 << 20

    /// Notes how much space is free, and says whether that is a reason to look.
    mutating func isDue(freeByteCount: UInt64) -> Bool {
        let hasShrunk = freeByteCount &+ Self.worthwhileByteCount < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        // After a cause, some looks follow each other until every folder has had its turn.
        passedCount = hasShrunk ? Self.passedLimit : (passedCount + 1) % (2 * Self.passedLimit)
        return hasShrunk || passedCount >= Self.passedLimit
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
        let open = slots.values.filter { $0.processEnd == nil && $0.exceeded == nil && $0.diskLimit != nil }
        let ordered = open.sorted { $0.id.number < $1.id.number }
        // On from where the last look ended.
        let rest =
            ordered.filter { $0.id.number > diskWatch.lastSlot } + ordered.filter { $0.id.number <= diskWatch.lastSlot }
        for slot in rest.prefix(DiskWatch.slotsPerLook) {
            diskWatch.lastSlot = slot.id.number
            guard let limit = slot.diskLimit else { continue }
            let processes = slot.leaf?.processes ?? [slot.process]
            guard let count = slot.directory.byteCount(with: processes, keptIn: keptFiles(of: slot)), count <= limit
            else {
                slot.exceeded = .disk
                slot.signal(.kill)
                continue
            }
        }
    }

    /// Nil where none are kept, or not any more.
    private func keptFiles(of slot: Slot) -> SharedFileDescriptor? {
        guard let run = slot.keptRun, let resultsFolder,
            let folder = try? File.openFolder(run.text, in: resultsFolder.rawValue)
        else { return nil }
        return SharedFileDescriptor(folder)
    }
}
