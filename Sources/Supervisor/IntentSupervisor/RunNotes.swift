import IntentLauncherMessages
import IntentLifecycle
import IntentLinux

/// The notes of all runs, in memory that the launcher keeps. The notes remain consistent whenever `intentd` crashes.
///
/// The memory consists of a header of one page and an entry of 512 bytes for each run. An entry has two halves, and the
/// half with the higher number is valid. A half is written before its number, so that a partly written half is never
/// valid.
final class RunNotes {
    private static let magic: UInt64 = 0x696e_7464_6e6f_7465
    /// The version of this layout and of ``RunNote``'s bytes.
    static let version: UInt64 = 1
    private static let headerByteCount = 4096
    private static let halfByteCount = 256
    private static let numberOffset = 248
    /// The maximum number of runs with notes. A run without a note cannot be adopted.
    private static let runCount = 4096
    private static let notesByteCount = headerByteCount + runCount * 2 * halfByteCount
    private static let logByteCount = 1 << 20
    private static let byteCount = notesByteCount + logByteCount

    private enum HeaderOffset {
        static let magic = 0
        static let version = 8
        /// The offset, in the header, of the slot of the run that is being adopted.
        static let adopting = 16
        /// The offset, in the header, of the slot of the run that was being adopted when `intentd` crashed through its
        /// own fault.
        static let faulted = 24
    }

    let memory: SharedMemory
    /// The record log, which follows the notes in the same memory.
    let log: RecordLog
    private var entries: [SlotID: Int] = [:]
    private var freeEntries: [Int] = []
    private var nextEntry = 0

    /// Creates memory for new notes.
    init() throws(SystemError) {
        memory = try SharedMemory(name: "intentd-notes", byteCount: Self.byteCount)
        log = RecordLog(in: memory, from: Self.notesByteCount, byteCount: Self.logByteCount)
        memory.setNumber(Self.version, at: HeaderOffset.version)
        memory.setNumber(Self.magic, at: HeaderOffset.magic)
        memory.copyNumberAtFault(from: HeaderOffset.adopting, to: HeaderOffset.faulted)
    }

    /// Opens the notes of an earlier `intentd`. Returns nil if its version used another layout.
    init?(keptIn descriptor: SharedFileDescriptor) {
        guard
            let memory = try? SharedMemory(descriptor, byteCount: Self.byteCount),
            memory.number(at: HeaderOffset.magic) == Self.magic,
            memory.number(at: HeaderOffset.version) == Self.version
        else { return nil }
        self.memory = memory
        log = RecordLog(in: memory, from: Self.notesByteCount, byteCount: Self.logByteCount)
        nextEntry = Self.runCount
        memory.copyNumberAtFault(from: HeaderOffset.adopting, to: HeaderOffset.faulted)
    }

    /// Reads the notes. If the previous `intentd` exited while it was adopting a run, a failed adoption is added to the
    /// run's note. The run is a more likely cause of the exit than a signal from another process.
    func load() -> [RunNote] {
        let failed = memory.number(at: HeaderOffset.adopting)
        let faulted = memory.number(at: HeaderOffset.faulted)
        memory.setNumber(0, at: HeaderOffset.adopting)
        memory.setNumber(0, at: HeaderOffset.faulted)
        var notes: [RunNote] = []
        entries = [:]
        freeEntries = []
        for entry in (0..<Self.runCount).reversed() {
            let numbers = numbers(of: entry)
            guard numbers != (0, 0) else {
                freeEntries.append(entry)
                continue
            }
            let half = numbers.0 > numbers.1 ? 0 : 1
            let bytes = memory.read(at: offset(of: entry, half: half), count: RunNote.byteLimit)
            guard var note = RunNote(bytes: bytes) else {
                clear(entry)
                freeEntries.append(entry)
                continue
            }
            if failed != 0, failed == note.slot.number {
                let weight = faulted == failed ? RunNote.faultWeight : 1
                note.failedAdoptions = UInt8(clamping: Int(note.failedAdoptions) + Int(weight))
            }
            entries[note.slot] = entry
            notes.append(note)
            write(note)
        }
        return notes
    }

    func write(_ note: RunNote) {
        guard let entry = entries[note.slot] ?? reserveEntry(for: note.slot) else { return }
        let numbers = numbers(of: entry)
        let half = numbers.0 > numbers.1 ? 1 : 0
        let start = offset(of: entry, half: half)
        memory.write(note.bytes, at: start)
        memory.setNumber(max(numbers.0, numbers.1) + 1, at: start + Self.numberOffset)
    }

    /// Removes a released slot's note. The run's record must be complete.
    func remove(_ slot: SlotID) {
        guard let entry = entries.removeValue(forKey: slot) else { return }
        clear(entry)
        freeEntries.append(entry)
    }

    /// Calls the body, which adopts the run in a slot. If `intentd` exits during the call, the run is considered the
    /// cause.
    func adopting(_ slot: SlotID, _ body: () -> Void) {
        memory.setNumber(slot.number, at: HeaderOffset.adopting)
        body()
        memory.setNumber(0, at: HeaderOffset.adopting)
    }

    // MARK: Private

    private func reserveEntry(for slot: SlotID) -> Int? {
        if freeEntries.isEmpty, nextEntry < Self.runCount {
            freeEntries.append(nextEntry)
            nextEntry += 1
        }
        let entry = freeEntries.popLast()
        entries[slot] = entry
        return entry
    }

    private func clear(_ entry: Int) {
        let numbers = numbers(of: entry)
        // Clear the number of the older half first. In the opposite order, the older half would briefly become valid.
        for half in numbers.0 > numbers.1 ? [1, 0] : [0, 1] {
            memory.setNumber(0, at: offset(of: entry, half: half) + Self.numberOffset)
        }
    }

    private func numbers(of entry: Int) -> (UInt64, UInt64) {
        (
            memory.number(at: offset(of: entry, half: 0) + Self.numberOffset),
            memory.number(at: offset(of: entry, half: 1) + Self.numberOffset)
        )
    }

    private func offset(of entry: Int, half: Int) -> Int {
        Self.headerByteCount + (2 * entry + half) * Self.halfByteCount
    }
}
