import IntentWire
import Synchronization

/// A wish to run an intent as a whole frame, in which only the two numbers change from one call to the next.
struct PreparedPerform {
    private(set) var frame: [UInt8]
    private let idPlace: Int
    private let requestPlace: Int

    /// Of all wishes of this process: a request that comes twice would be one run.
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
        guard let idPlace = Self.place(of: "\(Self.firstID)", in: frame),
            let requestPlace = Self.place(of: request.request.text, in: frame)
        else { throw BenchmarkError("a request has no place for its numbers") }
        self.idPlace = idPlace
        self.requestPlace = requestPlace
    }

    /// The trivial intent of the benchmark's app.
    static func trivial(app: String) throws -> PreparedPerform {
        try PreparedPerform(app: app, intent: "Answer", values: ["number": .int(1)])
    }

    /// Makes it a wish of its own, and says the number that its answer will repeat.
    @discardableResult
    mutating func renew() -> UInt64 {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        write(number + Self.firstID, base: 10, from: idPlace, digits: 10)
        write(number, base: 16, from: requestPlace, digits: 32)
        return number + Self.firstID
    }

    private mutating func write(_ number: UInt64, base: UInt64, from place: Int, digits: Int) {
        var rest = number
        for index in stride(from: place + digits - 1, through: place, by: -1) {
            let digit = UInt8(rest % base)
            frame[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            rest /= base
        }
    }

    private static func place(of text: String, in frame: [UInt8]) -> Int? {
        let wanted = Array(text.utf8)
        return frame.indices.first { frame[$0...].starts(with: wanted) }
    }
}
