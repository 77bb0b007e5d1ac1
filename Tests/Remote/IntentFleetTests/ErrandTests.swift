import IntentFleet
import IntentProtocol
import Testing

/// The bytes of an answer from another host, which may be hostile.
@Suite struct ErrandTests {
    private let message = ClientMessage.answer(id: 2, .ticket(text: "t"))
    private let digest = [UInt8](repeating: 9, count: 32)

    private func whole(_ content: [UInt8]) -> [UInt8] {
        ErrandBytes.head(WireCoding.encode(message)) + content + digest
    }

    @Test(arguments: [1, 2, 3, 7, 31, 33, 1000])
    func `an answer is the same in parts of any size`(size: Int) throws {
        let content = (0..<200).map { UInt8($0) }
        let all = whole(content)
        var bytes = ErrandBytes()
        var received: [UInt8] = [], digested: [UInt8] = []
        for start in stride(from: 0, to: all.count, by: size) {
            let piece = try bytes.append(Array(all[start..<min(start + size, all.count)]))
            received += piece.content
            digested += piece.digested
        }
        #expect(received == content)
        #expect(bytes.message == message)
        #expect(bytes.digest == digest)
        #expect(digested + digest == all)
    }

    @Test func `an answer that is cut off has no digest`() throws {
        let all = whole([])
        for count in 0..<all.count {
            var bytes = ErrandBytes()
            _ = try bytes.append(Array(all.prefix(count)))
            #expect(bytes.digest == nil || count == all.count, "\(count)")
        }
    }

    @Test func `an excessive length and an unreadable message are refused`() {
        var long = ErrandBytes()
        #expect(throws: ErrandBytes.Problem.messageTooLong) {
            try long.append([255, 0, 0, 0] + [UInt8](repeating: 0, count: 40))
        }
        var unreadable = ErrandBytes()
        #expect(throws: ErrandBytes.Problem.unreadable) {
            try unreadable.append([0, 0, 0, 2, 65, 65] + [UInt8](repeating: 0, count: 40))
        }
    }

    @Test func `a part survives the database's text, and other rows are none`() {
        let parcel = Parcel(number: 3, bytes: Array(0...255), isLast: true)
        #expect(Parcel(["3", parcel.bytes.hexadecimal, "t"]) == parcel)
        for row in [[nil, nil, nil], ["3", "0", "t"], ["3", "0g", "t"], ["3", "00"], ["x", "00", "t"]] {
            #expect(Parcel(row) == nil, "\(row)")
        }
        #expect(Parcel(["3", String(repeating: "0", count: 2 * Parcel.byteLimit + 2), "t"]) == nil)
    }

    @Test func `at most sixteen parts wait, and a host that claims more collects nothing`() {
        var window = ParcelWindow()
        for number in 0..<16 {
            #expect(window.next == number)
            window.sent()
        }
        #expect(window.next == nil)
        window.collected(2)
        #expect(window.next == 16)
        window.collected(1)
        window.collected(1000)
        for _ in 0..<16 { window.sent() }
        #expect(window.next == nil)
    }
}
