import IntentWire

/// A decoded payload of a client, with its size.
struct ReadRequest: Sendable {
    /// A longer payload takes more than a few dozen microseconds to decode, so another thread decodes it.
    static let promptByteLimit = 2 << 10

    var request: Result<NumberedRequest, WireError>
    /// The request's number, if it could be decoded. The rest of the request may still be invalid.
    var id: UInt64?
    /// The size of the payload or, if larger, of its values when they are encoded again: 1e18 then has more digits.
    var byteCount: Int
    /// The values of a `perform`, encoded once for every use of their bytes.
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
