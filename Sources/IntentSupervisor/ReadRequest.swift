import IntentWire

/// A client's payload, decoded, with what is asked of its size.
struct ReadRequest: Sendable {
    /// A payload that takes longer than a few dozen microseconds to decode is decoded beside the loop.
    static let promptByteLimit = 2 << 10

    var request: Result<NumberedRequest, WireError>
    /// The number to answer to, where the request could not be decoded and its number could.
    var id: UInt64?
    /// The larger of what came and of what its values take when they are encoded again: 1e18 has more digits then.
    var byteCount: Int
    /// The values of a `perform`, encoded once for everything that needs their bytes.
    var values: RunValues?

    init(_ payload: [UInt8]) {
        byteCount = payload.count
        do throws(WireError) {
            let numbered = try WireCoding.decode(NumberedRequest.self, from: payload)
            request = .success(numbered)
            if case .perform(let perform) = numbered.request {
                let values = RunValues(encoding: perform.values)
                byteCount = max(byteCount, values.json.count)
                self.values = values
            } else if case .answer(let answer) = numbered.request {
                byteCount = max(byteCount, WireCoding.encode(["value": answer.value]).count)
            }
        } catch {
            request = .failure(error)
            id = NumberedRequest.id(in: payload)
        }
    }
}
