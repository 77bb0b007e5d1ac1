import IntentLauncherMessages
import IntentLifecycle
import IntentProtocol
import IntentSharedTypes
import IntentWorkerMessages

@testable import IntentFleet

// Messages and values in JSON.
extension FuzzTarget {
    static let messages = [
        FuzzTarget("client-request", .json, 1 << 20) { bytes in
            try generated(NumberedRequest.self, bytes)
            _ = NumberedRequest.id(in: bytes)
        },
        FuzzTarget("client-message", .json, 1 << 20) { try generated(ClientMessage.self, $0) },
        FuzzTarget("worker-report", .json, 1 << 20) { bytes in
            try generated(WorkerReport.self, bytes)
            if let catalog = try? WorkerReport.catalog(in: bytes) { try repeated(catalog) }
        },
        FuzzTarget("worker-command", .json, 1 << 20) { try generated(WorkerCommand.self, $0) },
        FuzzTarget("launcher", .json, 1 << 20) { bytes in
            try generated(LaunchCommand.self, bytes)
            try generated(LaunchReport.self, bytes)
        },
        FuzzTarget("fork-server", .bytes, 64) { bytes in
            guard let report = ForkReport(record: bytes) else { return }
            let again = report.withRecord { ForkReport(record: Array($0)) }
            try require(again, equals: report, "a record of the fork server")
        },
    ]

    static let records = [
        FuzzTarget("run-record", .json, 1 << 16) { bytes in
            try generated(RunRecord.self, bytes)
            try file(RunRemainder.self, bytes)
            try file(RecordedRun.self, bytes)
            try file(RunDetails.self, bytes)
        },
        FuzzTarget("history-import", .json, 1 << 20) { try file(RunStory.self, $0) },
        FuzzTarget("fleet-row", .json, 1 << 16) { bytes in
            try file(FleetRunEnd.self, bytes)
            try file(FleetInput.self, bytes)
            try file(FleetArguments.self, bytes)
        },
        FuzzTarget("run-note", .bytes, RunNote.byteLimit) { bytes in
            guard let note = RunNote(bytes: bytes) else { return }
            let written = note.bytes
            guard written.count <= RunNote.byteLimit else { throw Finding("a note exceeds its limit", "\(note)") }
            try require(RunNote(bytes: written)?.bytes, equals: written, "a note")
        },
        FuzzTarget("values", .json, 1 << 16) { bytes in
            guard let values = try? WireCoding.decode([String: IntentValue].self, from: bytes) else { return }
            try require(WireCoding.encodeByCodable(values), equals: WireCoding.encode(values), "two writers of values")
            for value in values.values {
                for type in valueTypes {
                    guard let accepted = try? type.accept(value) else { continue }
                    let again: IntentValue
                    do {
                        again = try type.accept(accepted)
                    } catch {
                        throw Finding("a type refuses what it accepted", "\(type)", "\(value)", "\(error)")
                    }
                    try require(again, equals: accepted, "a type accepts twice")
                }
            }
        },
        FuzzTarget("snippet", .json, 1 << 16) { bytes in
            guard let snippet = try? WireCoding.decode(Snippet.self, from: bytes) else { return }
            try repeated(snippet)
            _ = SnippetCheck.problem(with: snippet)
        },
        FuzzTarget("question", .json, 1 << 16) { bytes in
            try file(Question.self, bytes)
            try file(OpenQuestion.self, bytes)
            try file(AskingRun.self, bytes)
            try file(PropertySearch.self, bytes)
            try file(ErrorReport.self, bytes)
        },
    ]

    static let valueTypes: [ValueType] = [
        .string, .int, .double, .bool, .date, .url, .decimal, .duration, .measurement(units: ["m", "km"]),
        .currencyAmount(codes: ["EUR"]), .dateComponents, .file, .array(.int), .array(.date),
        .enumeration([EnumerationCase(value: "a", title: "A")]),
    ]

    /// Holds generated code against `Codable`, in both directions (``GeneratedMessage``).
    private static func generated<Message: GeneratedMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws {
        let byCodable = try? decodeByCodable(type, bytes)
        guard let message = try? WireCoding.decode(type, from: bytes) else {
            if let byCodable { throw Finding("only Codable reads \(type)", "\(byCodable)") }
            return
        }
        guard let byCodable else { throw Finding("only generated code reads \(type)", "\(message)") }
        let written = WireCoding.encode(message)
        try require(WireCoding.encodeByCodable(byCodable), equals: written, "two coders of \(type)")
        try settled(type, written) { WireCoding.encode($0) }
    }

    private static func decodeByCodable<Message: GeneratedMessage>(
        _ type: Message.Type,
        _ bytes: [UInt8]
    ) throws -> Message {
        func anyMessage<Other: Decodable>(_: Other.Type) throws -> Other {
            try WireCoding.decode(Other.self, from: bytes, as: .message, valueLimit: type.valueLimit)
        }
        return try anyMessage(type)
    }

    private static func file<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) throws {
        if let value = try? WireCoding.decodeFile(type, from: bytes) { try repeated(value) }
    }

    private static func repeated<Value: Codable>(_ value: Value) throws {
        try settled(Value.self, WireCoding.encodeByCodable(value)) { WireCoding.encodeByCodable($0) }
    }

    /// Requires that reading what was written and writing it again changes nothing, except that a whole number with an exponent
    /// is an integer for its reader, and is then written with all digits.
    private static func settled<Value: Decodable>(
        _ type: Value.Type,
        _ written: [UInt8],
        _ encode: (Value) -> [UInt8]
    ) throws {
        func readAndWritten(_ bytes: [UInt8]) throws -> [UInt8] {
            guard let value = try? WireCoding.decodeFile(type, from: bytes) else {
                throw Finding("\(type) refuses its own bytes", bytes.text ?? "")
            }
            return encode(value)
        }
        var last = written
        if written.text?.contains(utf8: "e+") == true { last = try readAndWritten(written) }
        try require(try readAndWritten(last), equals: last, "\(type) written twice")
    }
}
