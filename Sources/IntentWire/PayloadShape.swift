/// How much structure a payload may have, counted over its bytes before anything is made of them.
///
/// Decoding costs time for each value and each level around it, so that a small payload could hold up `intentd` for
/// seconds: a size in bytes alone is no limit.
enum PayloadShape {
    /// Objects and arrays inside each other. The type of a parameter in a list of apps is up to 12 levels down.
    static let depthLimit = 16
    /// Values in one message of somebody whom nobody trusts: a client or an app.
    static let strangersValueLimit = 16_384

    /// - Throws: ``WireError/malformed(_:)`` when the payload is deeper, or has more values, than the limits.
    static func check(_ payload: [UInt8], valueLimit: Int) throws(WireError) {
        var depth = 0
        var valueCount = 1
        var isInString = false
        var isEscaped = false
        for byte in payload {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                valueCount += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
            case UInt8(ascii: ","):
                valueCount += 1
            default:
                break
            }
            if depth > depthLimit { throw .malformed("values are nested deeper than \(depthLimit) levels") }
            if valueCount > valueLimit { throw .malformed("there are more than \(valueLimit) values") }
        }
    }
}
