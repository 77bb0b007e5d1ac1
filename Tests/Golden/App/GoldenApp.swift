import Foundation
import Glibc

/// Replays the worker's side of recorded conversations. The folder `frames` beside it contains those of one version.
///
/// The messages that it receives must have all recorded fields with the same values, except the run's name. Further fields
/// are allowed.
@main
struct GoldenApp {
    typealias Message = [String: Any]

    private struct Line {
        var isOurs: Bool
        var message: Message
    }

    static func main() throws {
        let environment = ProcessInfo.processInfo.environment
        let names = try JSONSerialization.jsonObject(with: contents(of: "environment.json")) as? [String] ?? []
        for name in names where environment[name] == nil { fail("\(name) is missing in the environment") }
        switch environment["INTENTD_MODE"] {
        case "describe": for line in try conversation("describe") { send(line.message) }
        // Reports that it has threads, so that it is executed for each run (version 1, kind 1, detail 0).
        case "serve": write(Array("00000001000100000000000000000000".hexBytes))
        case "once": try perform()
        case let mode: fail("started as \(mode ?? "nothing")")
        }
    }

    private static func perform() throws {
        // All conversations have the same start. intentd's command selects a conversation by its intent.
        send(try conversation("Echo")[0].message)
        var received = receive()
        var lines = try conversation(received["intent"] as? String ?? "").dropFirst()
        // intentd chooses this number, and the worker repeats it.
        var number: Any?
        while let line = lines.popFirst() {
            if line.isOurs {
                var message = line.message
                if message["type"] as? String == "resumed" { message["number"] = number }
                send(message)
                continue
            }
            if received.isEmpty { received = receive() }
            if received["type"] as? String == "resume" { number = received["number"] }
            check(received, against: line.message)
            received = [:]
        }
    }

    private static func check(_ received: Message, against recorded: Message) {
        for (key, value) in recorded where !["run", "number", "graceMilliseconds"].contains(key) {
            guard let other = received[key] as? NSObject, let value = value as? NSObject, other == value else {
                fail("'\(key)' was \(value), and is \(received[key] ?? "missing") in \(received)")
            }
        }
        for key in recorded.keys where received[key] == nil { fail("'\(key)' is missing in \(received)") }
    }

    // MARK: The socket: each record is a 4-byte length and JSON

    private static func send(_ message: Message) {
        guard let payload = try? JSONSerialization.data(withJSONObject: message) else {
            fail("cannot encode \(message)")
        }
        let length = UInt32(payload.count).bigEndian
        write(withUnsafeBytes(of: length) { Array($0) } + payload)
    }

    private static func write(_ record: [UInt8]) {
        guard Glibc.write(3, record, record.count) == record.count else { fail("cannot send: errno \(errno)") }
    }

    private static func receive() -> Message {
        var record = [UInt8](repeating: 0, count: 1 << 18)
        let count = read(3, &record, record.count)
        guard count > 4, let message = try? JSONSerialization.jsonObject(with: Data(record[4..<count])) as? Message
        else {
            fail("received no frame: \(count) bytes")
        }
        return message
    }

    // MARK: Recorded conversations

    private static func conversation(_ name: String) throws -> [Line] {
        try String(decoding: contents(of: "\(name).jsonl"), as: UTF8.self).split(separator: "\n").map { text in
            guard let line = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Message,
                let from = line["from"] as? String, let message = line["message"] as? Message
            else { fail("\(name).jsonl has an invalid line: \(text)") }
            return Line(isOurs: from == "app", message: message)
        }
    }

    private static func contents(of name: String) throws -> Data {
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
        return try Data(contentsOf: program.deletingLastPathComponent().appending(path: "frames/\(name)"))
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("golden: \(message)\n".utf8))
        exit(3)
    }
}

extension String {
    fileprivate var hexBytes: [UInt8] {
        stride(from: 0, to: count, by: 2).compactMap { UInt8(dropFirst($0).prefix(2), radix: 16) }
    }
}
