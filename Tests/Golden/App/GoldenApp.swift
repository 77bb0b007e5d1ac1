import Foundation
import Glibc

/// Plays the part of a worker in conversations that were kept: `frames` beside it has those of one version.
///
/// What it hears must have everything that was kept, with the same values but for the run's name; it may have more.
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
        for name in names where environment[name] == nil { fail("\(name) is not in the environment any more") }
        switch environment["INTENTD_MODE"] {
        case "describe": for line in try conversation("describe") { send(line.message) }
        // It has threads, it says, and is executed for each run (version 1, kind 1, detail 0).
        case "serve": write(Array("00000001000100000000000000000000".hexBytes))
        case "once": try perform()
        case let mode: fail("started as \(mode ?? "nothing")")
        }
    }

    private static func perform() throws {
        // All begin alike; which one it is, intentd says.
        send(try conversation("Echo")[0].message)
        var heard = receive()
        var lines = try conversation(heard["intent"] as? String ?? "").dropFirst()
        // A number that intentd chooses, and wants to hear again.
        var number: Any?
        while let line = lines.popFirst() {
            if line.isOurs {
                var message = line.message
                if message["type"] as? String == "standing" { message["number"] = number }
                send(message)
                continue
            }
            if heard.isEmpty { heard = receive() }
            if heard["type"] as? String == "resume" { number = heard["number"] }
            check(heard, against: line.message)
            heard = [:]
        }
    }

    private static func check(_ heard: Message, against kept: Message) {
        for (key, value) in kept where !["run", "number", "graceMilliseconds"].contains(key) {
            guard let other = heard[key] as? NSObject, let value = value as? NSObject, other == value else {
                fail("'\(key)' was \(value), and is \(heard[key] ?? "missing") in \(heard)")
            }
        }
        for key in kept.keys where heard[key] == nil { fail("'\(key)' is missing in \(heard)") }
    }

    // MARK: The socket: a 4-byte length, then JSON, one record each

    private static func send(_ message: Message) {
        guard let payload = try? JSONSerialization.data(withJSONObject: message) else { fail("no JSON: \(message)") }
        let length = UInt32(payload.count).bigEndian
        write(withUnsafeBytes(of: length) { Array($0) } + payload)
    }

    private static func write(_ record: [UInt8]) {
        guard Glibc.write(3, record, record.count) == record.count else { fail("cannot say anything: \(errno)") }
    }

    private static func receive() -> Message {
        var record = [UInt8](repeating: 0, count: 1 << 18)
        let count = read(3, &record, record.count)
        guard count > 4, let message = try? JSONSerialization.jsonObject(with: Data(record[4..<count])) as? Message
        else {
            fail("heard no frame: \(count) bytes")
        }
        return message
    }

    // MARK: What is kept

    private static func conversation(_ name: String) throws -> [Line] {
        try String(decoding: contents(of: "\(name).jsonl"), as: UTF8.self).split(separator: "\n").map { text in
            guard let line = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Message,
                let from = line["from"] as? String, let message = line["message"] as? Message
            else { fail("\(name).jsonl has a line that is none") }
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
