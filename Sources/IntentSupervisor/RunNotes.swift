import IntentLifecycle
import IntentLinux
import IntentWire

/// The notes of all runs, in memory that the launcher keeps. They are whole whenever `intentd` dies.
///
/// One page, then 512 bytes for each run: two halves, of which the one with the higher number is valid. A half is written
/// before its number, so that a half-written one is never valid.
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

    private enum HeaderPlace {
        static let magic = 0
        static let version = 8
        /// The slot of the run that is being adopted at this moment.
        static let adopting = 16
        /// The slot of the run that was being adopted when a fault of its own ended `intentd`.
        static let faulted = 24
    }

    let memory: SharedMemory
    /// The log, after the notes in the same memory. The memory of an earlier version has no log until it grows.
    let log: RecordLog
    private var places: [SlotID: Int] = [:]
    private var freePlaces: [Int] = []
    private var nextPlace = 0

    /// Creates new notes, for the launcher to keep.
    init() throws(SystemError) {
        memory = try SharedMemory(name: "intentd-notes", byteCount: Self.byteCount)
        log = RecordLog(in: memory, from: Self.notesByteCount, byteCount: Self.logByteCount)
        memory.setNumber(Self.version, at: HeaderPlace.version)
        memory.setNumber(Self.magic, at: HeaderPlace.magic)
        memory.copyNumberAtFault(from: HeaderPlace.adopting, to: HeaderPlace.faulted)
    }

    /// The notes that an earlier `intentd` left; nil when its version used another layout.
    init?(keptIn descriptor: SharedFileDescriptor) {
        guard
            let memory = try? SharedMemory(descriptor, byteCount: Self.byteCount, leastByteCount: Self.notesByteCount),
            memory.number(at: HeaderPlace.magic) == Self.magic,
            memory.number(at: HeaderPlace.version) == Self.version
        else { return nil }
        self.memory = memory
        log = RecordLog(in: memory, from: Self.notesByteCount, byteCount: Self.logByteCount)
        nextPlace = Self.runCount
        memory.copyNumberAtFault(from: HeaderPlace.adopting, to: HeaderPlace.faulted)
    }

    /// Reads the notes. When the last `intentd` ended while it adopted a run, the note of that run says so: the run is a more
    /// likely cause than a kill from outside at that moment.
    func load() -> [RunNote] {
        let failed = memory.number(at: HeaderPlace.adopting)
        let faulted = memory.number(at: HeaderPlace.faulted)
        memory.setNumber(0, at: HeaderPlace.adopting)
        memory.setNumber(0, at: HeaderPlace.faulted)
        var notes: [RunNote] = []
        places = [:]
        freePlaces = []
        for place in (0..<Self.runCount).reversed() {
            let numbers = numbers(of: place)
            guard numbers != (0, 0) else {
                freePlaces.append(place)
                continue
            }
            let half = numbers.0 > numbers.1 ? 0 : 1
            let bytes = memory.read(at: offset(of: place, half: half), count: RunNote.byteLimit)
            guard var note = RunNote(bytes: bytes) else {
                clear(place)
                freePlaces.append(place)
                continue
            }
            if failed != 0, failed == note.slot.number {
                let weight = faulted == failed ? RunNote.faultWeight : 1
                note.failedAdoptions = UInt8(clamping: Int(note.failedAdoptions) + Int(weight))
            }
            places[note.slot] = place
            notes.append(note)
            write(note)
        }
        return notes
    }

    func write(_ note: RunNote) {
        guard let place = places[note.slot] ?? reservePlace(for: note.slot) else { return }
        let numbers = numbers(of: place)
        let half = numbers.0 > numbers.1 ? 1 : 0
        let start = offset(of: place, half: half)
        memory.write(note.bytes, at: start)
        memory.setNumber(max(numbers.0, numbers.1) + 1, at: start + Self.numberOffset)
    }

    /// Removes the note of a slot that is released, with its run on record.
    func remove(_ slot: SlotID) {
        guard let place = places.removeValue(forKey: slot) else { return }
        clear(place)
        freePlaces.append(place)
    }

    /// Runs the body. If `intentd` ends meanwhile, the adoption of the slot's run is the suspected cause.
    func adopting(_ slot: SlotID, _ body: () -> Void) {
        memory.setNumber(slot.number, at: HeaderPlace.adopting)
        body()
        memory.setNumber(0, at: HeaderPlace.adopting)
    }

    // MARK: Private

    private func reservePlace(for slot: SlotID) -> Int? {
        if freePlaces.isEmpty, nextPlace < Self.runCount {
            freePlaces.append(nextPlace)
            nextPlace += 1
        }
        let place = freePlaces.popLast()
        places[slot] = place
        return place
    }

    private func clear(_ place: Int) {
        let numbers = numbers(of: place)
        // Write the older half first, so that it is never the valid half.
        for half in numbers.0 > numbers.1 ? [1, 0] : [0, 1] {
            memory.setNumber(0, at: offset(of: place, half: half) + Self.numberOffset)
        }
    }

    private func numbers(of place: Int) -> (UInt64, UInt64) {
        (
            memory.number(at: offset(of: place, half: 0) + Self.numberOffset),
            memory.number(at: offset(of: place, half: 1) + Self.numberOffset)
        )
    }

    private func offset(of place: Int, half: Int) -> Int {
        Self.headerByteCount + (2 * place + half) * Self.halfByteCount
    }
}
