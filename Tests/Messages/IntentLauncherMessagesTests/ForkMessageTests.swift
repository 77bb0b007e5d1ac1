import IntentLauncherMessages
import Testing

@Suite struct ForkMessageTests {
    private static let command = ForkCommand(
        slot: SlotID(number: 0x0102),
        fileAccess: 0xffff,
        scopes: 3,
        openFileCount: 1024,
        leaf: 7,
        allowsSubprocesses: false
    )

    private static func command(_ record: [UInt8]) -> ForkCommand? { record.withUnsafeBytes(ForkCommand.init(record:)) }

    @Test func `a fork command has these bytes`() {
        #expect(
            Self.command.record == [
                0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 3,
                0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 7,
            ]
        )
        #expect(Self.command(Self.command.record) == Self.command)
    }

    @Test func `a fork command of another version or length is refused`() {
        for index in 0..<ForkCommand.byteCount {
            #expect(Self.command(Array(Self.command.record.prefix(index))) == nil)
        }
        #expect(Self.command(Self.command.record + [0]) == nil)
        for index in 0..<8 {
            var record = Self.command.record
            record[index] ^= 0x80
            #expect(Self.command(record) == nil, "byte \(index)")
        }
    }

    @Test(arguments: [
        (ForkReport.ready(isSingleThreaded: true), [0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
        (.ready(isSingleThreaded: false), [0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (.forked(SlotID(number: 7)), [0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]),
        (.refused(SlotID(number: 7), error: 11), [0, 0, 0, 1, 0, 3, 0, 11, 0, 0, 0, 0, 0, 0, 0, 7]),
    ]) func `a fork server's report has these bytes`(_ report: ForkReport, _ record: [UInt8]) {
        #expect(report.withRecord { Array($0) } == record)
        #expect(ForkReport(record: record) == report)
    }

    @Test func `malformed bytes are not decoded as a report`() {
        #expect(ForkReport(record: []) == nil)
        #expect(ForkReport(record: [UInt8](repeating: 0, count: 16)) == nil)
        #expect(ForkReport(record: [0, 0, 0, 1, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(ForkReport(record: [0, 0, 0, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]) == nil)
    }
}
