import TestSupport
import Testing

@testable import IntentProtocol
@testable import IntentVocabulary
@testable import IntentWire
@testable import IntentWorkerMessages

/// Tests that the canonical codecs write the same bytes and read the same values as `Codable`.
@Suite(.ownThread) struct CanonicalTests {
    /// The rounds for each seed. A round has a message of each kind.
    private static let rounds = Endurance.isWhole ? 20 : 5

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `the canonical writer writes what Codable writes`(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        for _ in 0..<Self.rounds {
            expectSame(random.workerCommand(), WireCoding.encode)
            expectSame(random.workerReport(), WireCoding.encode)
            expectSame(random.launchCommand(), WireCoding.encode)
            expectSame(random.launchReport(), WireCoding.encode)
            expectSame(random.clientMessage(), WireCoding.encode)
            expectSame(random.values(), WireCoding.encode)
            let record = random.record()
            expectSame(record, WireCoding.encode)
            // Encoding makes text stream-safe, so compare the encoded form.
            let encoded = WireCoding.encode(record)
            #expect(try WireCoding.encode(WireCoding.decode(RunRecord.self, from: encoded)) == encoded)
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `the canonical reader reads what Codable reads, from damaged messages too`(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        for _ in 0..<Self.rounds {
            for payload in random.damaged(WireCoding.encode(random.workerCommand())) {
                try expectSame(WorkerCommand.self, payload) { try WorkerCommand(canonical: &$0) }
            }
            for payload in random.damaged(WireCoding.encode(random.workerReport())) {
                try expectSame(WorkerReport.self, payload) { try WorkerReport(canonical: &$0) }
            }
            for payload in random.damaged(WireCoding.encode(random.launchCommand())) {
                try expectSame(LaunchCommand.self, payload) { try LaunchCommand(canonical: &$0) }
            }
            for payload in random.damaged(WireCoding.encode(random.launchReport())) {
                try expectSame(LaunchReport.self, payload) { try LaunchReport(canonical: &$0) }
            }
            for payload in random.damaged(WireCoding.encode(random.request())) {
                try expectSame(NumberedRequest.self, payload) { try NumberedRequest(canonical: &$0) }
            }
        }
    }

    /// Without this test, every message could fall back to Codable unnoticed.
    @Test func `the canonical reader reads every message of a plain run`() throws {
        let run = Sample.run
        try expectQuick(WireCoding.encode(WorkerReport.started)) { try WorkerReport(canonical: &$0) }
        try expectQuick(WireCoding.encode(WorkerReport.hello(Sample.hello))) { try WorkerReport(canonical: &$0) }
        try expectQuick(WireCoding.encode(WorkerReport.progress(Sample.progress))) { try WorkerReport(canonical: &$0) }
        let result = WorkerResult(ending: .returned(value: .int(7), dialog: "Seven."))
        try expectQuick(WireCoding.encode(WorkerReport.finished(result))) { try WorkerReport(canonical: &$0) }
        let values: [String: IntentValue] = ["number": .int(6), "list": .array([.string("a"), .null, .bool(true)])]
        let perform = PerformCommand(
            run: run,
            intent: "Answer",
            values: RunValues(values),
            fileCount: 0,
            locale: "de_AT"
        )
        try expectQuick(WireCoding.encode(WorkerCommand.perform(perform))) { try WorkerCommand(canonical: &$0) }
        try expectQuick(WireCoding.encode(WorkerCommand.acknowledge)) { try WorkerCommand(canonical: &$0) }
        let launch = LaunchRequest(slot: Sample.slot, app: Sample.app, mode: .once, run: run)
        try expectQuick(WireCoding.encode(LaunchCommand.launch(launch))) { try LaunchCommand(canonical: &$0) }
        try expectQuick(WireCoding.encode(LaunchCommand.release(slot: Sample.slot))) {
            try LaunchCommand(canonical: &$0)
        }
        let launched = LaunchReport.launched(slot: Sample.slot, process: 4711, Sample.isolation)
        try expectQuick(WireCoding.encode(launched)) { try LaunchReport(canonical: &$0) }
        let ended = LaunchReport.ended(slot: Sample.slot, SlotEnd(processEnd: .exited(code: 0), usage: Sample.usage))
        try expectQuick(WireCoding.encode(ended)) { try LaunchReport(canonical: &$0) }
        let request = PerformRequest(
            request: Sample.request,
            app: "Archive",
            intent: "Answer",
            values: values,
            locale: "de_AT.UTF-8",
            entryPoint: .commandLine
        )
        try expectQuick(WireCoding.encode(NumberedRequest(id: 3, .perform(request)))) {
            try NumberedRequest(canonical: &$0)
        }
    }

    private func expectQuick<Message>(
        _ payload: [UInt8],
        _ read: (inout CanonicalReader) throws -> Message
    ) throws {
        var reader = CanonicalReader(payload)
        #expect(throws: Never.self, "\(String(decoding: payload, as: UTF8.self))") { try read(&reader) }
        #expect(reader.isAtEnd)
    }

    private func expectSame<Message: Encodable>(_ message: Message, _ encode: (Message) -> [UInt8]) {
        let byHand = String(decoding: encode(message), as: UTF8.self)
        #expect(byHand == String(decoding: WireCoding.encodeByCodable(message), as: UTF8.self))
    }

    /// Checks that Codable decodes every message that the canonical reader accepts to an equal value.
    private func expectSame<Message: Decodable & Equatable>(
        _ type: Message.Type,
        _ payload: [UInt8],
        _ read: (inout CanonicalReader) throws -> Message
    ) throws {
        var reader = CanonicalReader(payload)
        guard let message = try? read(&reader), reader.isAtEnd else { return }
        let text = String(decoding: payload, as: UTF8.self)
        let known = try? WireCoding.decode(
            type,
            from: payload,
            as: .message,
            valueLimit: PayloadShape.untrustedValueLimit
        )
        #expect(known == message, "\(text)")
    }
}
