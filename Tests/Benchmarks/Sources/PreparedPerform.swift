import IntentLauncherMessages
import Synchronization

/// An encoded request to perform an intent, in which only the two ids change from call to call.
struct PreparedPerform {
    private(set) var frame: [UInt8]
    private let idOffset: Int
    private let requestOffset: Int

    /// Counts all requests of this process, because a repeated request would join the same run.
    private static let count = Atomic<UInt64>(0)
    private static let firstID: UInt64 = 1_000_000_000

    init(
        app: String,
        intent: String,
        values: [String: IntentValue] = [:],
        fileCount: Int = 0,
        limitMilliseconds: Int64? = nil
    ) throws {
        let request = PerformRequest(
            request: RequestID(randomBits: 0, 0),
            app: app,
            intent: intent,
            values: values,
            fileCount: fileCount,
            limit: limitMilliseconds.map { .milliseconds($0) }
        )
        let payload = WireCoding.encode(NumberedRequest(id: Self.firstID, .perform(request)))
        frame = try Frame.encode(payload, limit: Frame.clientPayloadLimit)
        guard let idOffset = Self.offset(of: "\(Self.firstID)", in: frame),
            let requestOffset = Self.offset(of: request.request.text, in: frame)
        else { throw BenchmarkError("cannot find the ids in an encoded request") }
        self.idOffset = idOffset
        self.requestOffset = requestOffset
    }

    /// A request for the trivial intent of the benchmark app.
    static func trivial(app: String) throws -> PreparedPerform {
        try PreparedPerform(app: app, intent: "Answer", values: ["number": .int(1)])
    }

    /// Gives the request new ids, and returns the id that its answer will repeat.
    @discardableResult
    mutating func renew() -> UInt64 {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        write(number + Self.firstID, base: 10, from: idOffset, digits: 10)
        write(number, base: 16, from: requestOffset, digits: 32)
        return number + Self.firstID
    }

    private mutating func write(_ number: UInt64, base: UInt64, from offset: Int, digits: Int) {
        var rest = number
        for index in stride(from: offset + digits - 1, through: offset, by: -1) {
            let digit = UInt8(rest % base)
            frame[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest /= base
        }
    }

    private static func offset(of text: String, in frame: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return frame.indices.first { frame[$0...].starts(with: wanted) }
    }
}
