import IntentLauncherMessages

/// A decoded payload from a client, with its size.
struct ReadRequest: Sendable {
    /// The maximum size of a payload that the loop's thread decodes, in bytes. Another thread decodes a larger payload,
    /// because that takes longer than a few dozen microseconds.
    static let promptByteLimit = 2 << 10

    var request: Result<NumberedRequest, WireError>
    /// The request number of an invalid request, if the number could be decoded.
    var id: UInt64?
    /// The size of the payload or of its re-encoded values, whichever is larger. Re-encoding can add digits, for
    /// example to a number that was written as 1e18.
    var byteCount: Int
    /// The values of a `perform` request, encoded once for all later uses.
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
