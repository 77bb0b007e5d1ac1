import IntentWire

/// A client's payload, decoded, with its size.
struct ReadRequest: Sendable {
    /// A payload that takes longer than a few dozen microseconds to decode is decoded beside the loop.
    static let promptByteLimit = 2 << 10

    var request: Result<NumberedRequest, WireError>
    /// The request's number, if it could be decoded although the request could not.
    var id: UInt64?
    /// The size of the payload, or of its values when they are encoded again if that is larger: 1e18 has more digits then.
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
