import IntentProtocol
import Testing

@testable import IntentHistory

@Suite struct StateDetailTests {
    @Test(
        arguments: [nil, .userCancelled, .unknown("a \"new\" reason")] as [CancellationReason?],
        [nil, 0, 7, .max] as [UInt64?]
    )
    func `the JSON of a state's details equals the output of Codable`(
        reason: CancellationReason?,
        slot: UInt64?
    ) {
        let detail = StateDetail(reason: reason, slot: slot.map { SlotID(number: $0) })
        #expect(detail.json == String(decoding: WireCoding.encodeByCodable(detail), as: UTF8.self))
    }
}
