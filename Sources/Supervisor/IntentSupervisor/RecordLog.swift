import IntentHistory
import IntentLauncherMessages
import IntentLinux

/// A log of the records that clients or workers are waiting for. It is in memory that the launcher keeps until the
/// records are on disk. The records therefore survive every crash of `intentd`, and actions do not have to wait for the
/// disk.
///
/// The log consists of a header and a ring of entries. The header has two counters: the number of bytes ever written,
/// and the number of these bytes that are on disk. An entry is written before the first counter is increased, so that a
/// half-written entry is ignored.
final class RecordLog {
    private static let format: UInt64 = 1
    private static let headerByteCount = 64
    private static let entryHeaderByteCount = 32
    /// The maximum size of a record in the log. Actions that depend on a larger record wait for the disk.
    private static let entryByteLimit = 16 << 10
    /// The number of bytes in the log above which the disk is considered too slow. Actions that depend on new records
    /// then wait for the disk.
    private let fillLimit: Int

    private enum HeaderOffset {
        static let format = 0
        static let end = 8
        static let settled = 16
    }

    private let memory: SharedMemory
    private let start: Int
    private let capacity: Int
    private var end: UInt64
    private var settled: UInt64
    /// The end offsets of entries that may not be on disk yet, oldest first, with the tickets of their records.
    private var waiting: [(ticket: UInt64, end: UInt64)] = []
    private var firstWaiting = 0
    /// True while the log accepts records. The log opens once the records of an earlier `intentd` are on disk.
    private(set) var isOpen = false

    /// - Parameter byteCount: The size of the log in bytes, including its header: a multiple of 8.
    init(in memory: SharedMemory, from start: Int, byteCount: Int) {
        self.memory = memory
        self.start = start
        capacity = byteCount - Self.headerByteCount
        fillLimit = capacity / 4 * 3
        end = memory.number(at: start + HeaderOffset.end)
        settled = memory.number(at: start + HeaderOffset.settled)
    }

    /// Reads the records that are not on disk yet, oldest first. `isComplete` is false if some records cannot be read,
    /// for example because another version wrote them.
    func unsettledEntries() -> (entries: [HistoryEntry], isComplete: Bool) {
        guard end != settled else { return ([], true) }
        guard memory.number(at: start + HeaderOffset.format) == Self.format, end > settled, settled % 8 == 0,
            end - settled <= UInt64(capacity)
        else { return ([], false) }
        var entries: [HistoryEntry] = []
        var isComplete = true
        var position = settled
        while position < end {
            let offset = Int(position % UInt64(capacity))
            let length = Int(clamping: number(at: offset))
            if length == 0 {
                position += UInt64(capacity - offset)
                continue
            }
            guard length <= Self.entryByteLimit, offset + Self.size(of: length) <= capacity else {
                return (entries, false)
            }
            position += UInt64(Self.size(of: length))
            let bytes = memory.read(
                at: start + Self.headerByteCount + offset + Self.entryHeaderByteCount,
                count: length
            )
            guard let record = try? WireCoding.decodeFile(RunRecord.self, from: bytes) else {
                isComplete = false
                continue
            }
            let times = (1...3).map { Int64(bitPattern: number(at: offset + 8 * $0)) }
            let time = RecordTime(wall: times[0], monotonic: times[1], boottime: times[2])
            entries.append(HistoryEntry(record, at: time))
        }
        return (entries, isComplete && position == end)
    }

    /// True if all records in the log are on disk.
    var isSettled: Bool { settled == end }

    /// Removes the records of an earlier `intentd`. They must already be on disk.
    func clear() {
        settled = end
        memory.setNumber(settled, at: start + HeaderOffset.settled)
        memory.setNumber(Self.format, at: start + HeaderOffset.format)
        waiting = []
        firstWaiting = 0
    }

    /// Starts accepting records.
    func open() {
        clear()
        isOpen = true
    }

    /// Stops accepting records, because the memory does not outlive this process without the launcher.
    func close() { isOpen = false }

    /// Adds a record that a client or a worker is waiting for. Returns false if the log does not accept the record.
    func keep(_ record: RunRecord, at time: RecordTime, ticket: UInt64) -> Bool {
        guard isOpen else { return false }
        let bytes = WireCoding.encode(record)
        let size = Self.size(of: bytes.count)
        var offset = Int(end % UInt64(capacity))
        let gap = offset + size <= capacity ? 0 : capacity - offset
        guard bytes.count <= Self.entryByteLimit, Int(end - settled) + gap + size <= fillLimit else { return false }
        if gap > 0 {
            setNumber(0, at: offset)
            offset = 0
        }
        setNumber(UInt64(bytes.count), at: offset)
        for (index, part) in [time.wall, time.monotonic, time.boottime].enumerated() {
            setNumber(UInt64(bitPattern: part), at: offset + 8 * (index + 1))
        }
        memory.write(bytes, at: start + Self.headerByteCount + offset + Self.entryHeaderByteCount)
        end += UInt64(gap + size)
        memory.setNumber(end, at: start + HeaderOffset.end)
        waiting.append((ticket, end))
        return true
    }

    /// Frees the space of all records up to this ticket, because they are on disk.
    func settled(upTo ticket: UInt64) {
        let before = firstWaiting
        while firstWaiting < waiting.count, waiting[firstWaiting].ticket <= ticket { firstWaiting += 1 }
        guard firstWaiting > before else { return }
        settled = waiting[firstWaiting - 1].end
        memory.setNumber(settled, at: start + HeaderOffset.settled)
        if firstWaiting == waiting.count || firstWaiting > 1024 {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
    }

    // MARK: Private

    private static func size(of byteCount: Int) -> Int { entryHeaderByteCount + (byteCount + 7) / 8 * 8 }

    private func number(at offset: Int) -> UInt64 { memory.number(at: start + Self.headerByteCount + offset) }

    private func setNumber(_ number: UInt64, at offset: Int) {
        memory.setNumber(number, at: start + Self.headerByteCount + offset)
    }
}
