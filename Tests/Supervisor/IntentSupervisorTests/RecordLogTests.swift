import Glibc
import IntentHistory
import IntentLauncherMessages
import IntentLinux
import TestSupport
import Testing

@testable import IntentSupervisor

/// Records in memory that outlives intentd, as the next intentd reads them.
@Suite struct RecordLogTests {
    private static let byteCount = 64 << 10

    private let memory: SharedMemory

    init() throws {
        memory = try SharedMemory(name: "test", byteCount: 4096 + Self.byteCount)
    }

    /// Opens the log as the next intentd does.
    private func log() -> RecordLog { RecordLog(in: memory, from: 4096, byteCount: Self.byteCount) }

    private func record(_ number: UInt64, text: String = "") -> RunRecord {
        var end = RecordedEnd(outcome: .failed(message: text), account: RunAccount(runtime: .milliseconds(7)))
        end.lastSerial = number
        return RunRecord(RunID(randomBits: number), .ended(end))
    }

    private func time(_ number: UInt64) -> RecordTime {
        RecordTime(wall: Int64(number), monotonic: -1, boottime: .max)
    }

    @Test func `the next intentd reads the records that are not on disk, in order and with their times`() {
        let log = log()
        log.open()
        for number in 1...9 as ClosedRange<UInt64> {
            #expect(log.keep(record(number), at: time(number), ticket: number))
        }
        log.settled(upTo: 4)
        let left = self.log().unsettledEntries()
        #expect(left.isComplete)
        #expect(left.entries == (5...9).map { HistoryEntry(record($0), at: time($0)) })
    }

    @Test func `a log that is opened again contains no earlier record`() {
        let log = log()
        log.open()
        #expect(log.keep(record(1), at: time(1), ticket: 1))
        let next = self.log()
        #expect(!next.keep(record(2), at: time(2), ticket: 1))
        next.open()
        #expect(self.log().unsettledEntries().entries.isEmpty)
        #expect(next.keep(record(3), at: time(3), ticket: 1))
        #expect(self.log().unsettledEntries().entries == [HistoryEntry(record(3), at: time(3))])
    }

    @Test func `a log is filled to at most three quarters of its capacity, and wraps around`() {
        let log = log()
        log.open()
        var random = SeededNumbers(seed: 11)
        var kept: [UInt64] = []
        var settled: UInt64 = 0
        var refusals = 0
        for number in 1...3000 as ClosedRange<UInt64> {
            let text = String(repeating: "x", count: Int(random.next() % 900))
            if log.keep(record(number, text: text), at: time(number), ticket: number) {
                kept.append(number)
            } else {
                refusals += 1
                settled = number - 5
                log.settled(upTo: settled)
                kept.removeAll { $0 <= settled }
            }
            if number % 97 == 0 {
                let left = self.log().unsettledEntries()
                #expect(left.isComplete)
                #expect(left.entries.map(\.time.wall) == kept.map(Int64.init))
            }
        }
        #expect(refusals > 10)
    }

    @Test func `a record with values of the maximum depth is read back`() {
        var value = IntentValue.string("deep")
        for _ in 0..<16 { value = .array([value]) }
        var end = RecordedEnd(outcome: .done(value: value, dialog: nil), account: RunAccount())
        end.account.details = RunDetails(code: "c")
        let deep = RunRecord(RunID(randomBits: 1), .ended(end))
        let log = log()
        log.open()
        #expect(log.keep(deep, at: time(1), ticket: 1))
        #expect(log.keep(record(2), at: time(2), ticket: 2))
        let left = self.log().unsettledEntries()
        #expect(left.isComplete)
        #expect(left.entries.map(\.record) == [deep, record(2)])
    }

    @Test func `an unreadable record does not prevent reading the others`() {
        let log = log()
        log.open()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(log.keep(record(number), at: time(number), ticket: number))
        }
        // The first byte of the second text.
        let size = (memory.number(at: 4096 + 8) - 0) / 3
        memory.write([UInt8(ascii: "?")], at: 4096 + 64 + Int(size) + 32)
        let left = self.log().unsettledEntries()
        #expect(!left.isComplete)
        #expect(left.entries.map(\.record) == [record(1), record(3)])
    }

    @Test func `a log that is cleared accepts no record until it is opened`() {
        let log = log()
        log.open()
        #expect(log.isSettled)
        #expect(log.keep(record(1), at: time(1), ticket: 1))
        #expect(!log.isSettled)
        let next = self.log()
        next.clear()
        #expect(next.isSettled)
        #expect(!next.keep(record(2), at: time(2), ticket: 1))
        #expect(self.log().unsettledEntries().entries.isEmpty)
    }

    @Test func `a record that is too long is not accepted by the log`() {
        let log = log()
        log.open()
        #expect(!log.keep(record(1, text: String(repeating: "x", count: 17 << 10)), at: time(1), ticket: 1))
        #expect(log.keep(record(2), at: time(2), ticket: 2))
        #expect(self.log().unsettledEntries().entries.count == 1)
    }

    @Test(arguments: 0..<400)
    func `damaged memory is never read beyond its end, and is reported as incomplete`(seed: UInt64) {
        let log = log()
        log.open()
        for number in 1...20 as ClosedRange<UInt64> {
            _ = log.keep(record(number, text: "some words"), at: time(number), ticket: number)
        }
        var random = SeededNumbers(seed: seed)
        for _ in 0..<3 {
            // Damage the header, and the lengths and texts of entries.
            let place = 4096 + Int(random.next() % 2048) / 8 * 8
            memory.setNumber(random.next() >> (random.next() % 64), at: place)
        }
        let left = self.log().unsettledEntries()
        #expect(left.entries.count <= 2 * Self.byteCount / 32)
    }
}
