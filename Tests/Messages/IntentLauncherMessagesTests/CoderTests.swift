import Foundation
import TestSupport
import Testing

@testable import IntentLauncherMessages
@testable import IntentProtocol
@testable import IntentSharedTypes
@testable import IntentWorkerMessages

/// Tests that the code which `Tests/coders` generates writes the same bytes and reads the same values as `Codable`, and that
/// `MessageEncoder` and `MessageDecoder` do what Foundation's coders do.
@Suite(.ownThread) struct CoderTests {
    /// The rounds for each seed. A round has a message of each kind.
    private static let rounds = Endurance.isWhole ? 50 : 13

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `generated code writes what Codable writes`(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        for _ in 0..<Self.rounds {
            expectSame(random.workerCommand(), WireCoding.encode)
            expectSame(random.workerReport(), WireCoding.encode)
            expectSame(random.launchCommand(), WireCoding.encode)
            expectSame(random.launchReport(), WireCoding.encode)
            expectSame(random.clientMessage(), WireCoding.encode)
            expectSame(random.request(), WireCoding.encode)
            expectSame(random.values(), WireCoding.encode)
            let record = random.record()
            expectSame(record, WireCoding.encode)
            // Encoding makes text stream-safe, so compare the encoded form.
            let encoded = WireCoding.encode(record)
            #expect(try WireCoding.encode(WireCoding.decode(RunRecord.self, from: encoded)) == encoded)
        }
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `generated code reads what Codable reads, and refuses what Codable refuses`(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        for _ in 0..<Self.rounds / 4 {
            for payload in random.damaged(WireCoding.encode(random.workerCommand())) {
                expectSame(payload) { try WireCoding.decode(WorkerCommand.self, from: $0) }
            }
            for payload in random.damaged(WireCoding.encode(random.workerReport())) {
                expectSame(payload) { try WireCoding.decode(WorkerReport.self, from: $0) }
            }
            for payload in random.damaged(WireCoding.encode(random.launchCommand())) {
                expectSame(payload) { try WireCoding.decode(LaunchCommand.self, from: $0) }
            }
            for payload in random.damaged(WireCoding.encode(random.launchReport())) {
                expectSame(payload) { try WireCoding.decode(LaunchReport.self, from: $0) }
            }
            for payload in random.damaged(WireCoding.encode(random.request())) {
                expectSame(payload) { try WireCoding.decode(NumberedRequest.self, from: $0) }
            }
        }
    }

    /// Values and structures of the protocol have the same form in JSON with any coder. Enumerations of messages do not.
    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `values and structures are coded as Foundation codes them`(seed: UInt64) throws {
        var random = RandomMessages(seed: seed)
        for _ in 0..<Self.rounds {
            try expectFoundation(random.values(), &random)
            switch random.record().fact {
            case .accepted(let accepted): try expectFoundation(accepted, &random)
            case .ended(let end): try expectFoundation(end, &random)
            case .answered(let answer): try expectFoundation(answer, &random)
            default: continue
            }
        }
    }

    /// Without this test, every message could be coded with Codable unnoticed.
    @Test func `code is generated for every message of a plain run`() throws {
        let run = Sample.run
        let result = WorkerResult(ending: .returned(value: .int(7), dialog: "Seven."))
        let reports = [
            WorkerReport.started, .hello(Sample.hello), .progress(Sample.progress), .finished(result),
        ]
        for report in reports { try expectGenerated(report) }
        let values: [String: IntentValue] = ["number": .int(6), "list": .array([.string("a"), .null, .bool(true)])]
        let perform = PerformCommand(
            run: run,
            intent: "Answer",
            values: RunValues(values),
            fileCount: 0,
            locale: "de_AT"
        )
        try expectGenerated(WorkerCommand.perform(perform))
        try expectGenerated(WorkerCommand.acknowledge)
        try expectGenerated(
            LaunchCommand.launch(LaunchRequest(slot: Sample.slot, app: Sample.app, mode: .once, run: run))
        )
        try expectGenerated(LaunchCommand.release(slot: Sample.slot))
        try expectGenerated(LaunchReport.launched(slot: Sample.slot, process: 4711, Sample.isolation))
        try expectGenerated(
            LaunchReport.ended(slot: Sample.slot, SlotEnd(processEnd: .exited(code: 0), usage: Sample.usage))
        )
        let request = PerformRequest(
            request: Sample.request,
            app: "Archive",
            intent: "Answer",
            values: values,
            locale: "de_AT.UTF-8",
            entryPoint: .commandLine
        )
        try expectGenerated(NumberedRequest(id: 3, .perform(request)))
    }

    private func expectGenerated<Message: GeneratedMessage & Equatable>(_ message: Message) throws {
        var writer = JSONWriter()
        #expect(message.write(to: &writer), "\(message)")
        let document = try JSONScanner.document(writer.bytes, .payload(.message, values: .max))
        #expect(try Message(reading: ObjectReader(document, 0)) == message)
    }

    private func expectSame<Message: Encodable>(_ message: Message, _ encode: (Message) -> [UInt8]) {
        let generated = String(decoding: encode(message), as: UTF8.self)
        #expect(generated == String(decoding: WireCoding.encodeByCodable(message), as: UTF8.self))
    }

    /// Checks that Codable and generated code decode a payload to equal messages, or both refuse it with the same error.
    private func expectSame<Message: GeneratedMessage & Equatable>(
        _ payload: [UInt8],
        _ decode: ([UInt8]) throws -> Message
    ) {
        func result(_ read: () throws -> Message) -> (message: Message?, error: String?) {
            do { return (try read(), nil) } catch { return (nil, "\(error)") }
        }
        let generated = result { try decode(payload) }
        let byCodable = result {
            try WireCoding.decode(Message.self, from: payload, as: .message, valueLimit: Message.valueLimit)
        }
        #expect(generated == byCodable, "\(String(decoding: payload, as: UTF8.self))")
    }

    /// Checks that Foundation encodes a value to the same bytes, and reads damaged copies in the same way. Foundation rounds a
    /// number with a fraction to a whole number if it is near to one, which the reader refuses.
    private func expectFoundation<Value: Codable & Equatable>(_ value: Value, _ random: inout RandomMessages) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        let encoded = WireCoding.encodeByCodable(value)
        #expect(encoded == StreamSafeText.stabilize(Array(try encoder.encode(value))))
        for payload in random.damaged(encoded) where !payload.contains(UInt8(ascii: ".")) {
            guard (try? PayloadShape.check(payload, as: .value, valueLimit: .max)) != nil else { continue }
            let read = try? WireCoding.decode(Value.self, from: payload, as: .value)
            let expected = try? JSONDecoder().decode(Value.self, from: Data(payload))
            #expect(read == expected, "\(String(decoding: payload, as: UTF8.self))")
        }
    }
}
