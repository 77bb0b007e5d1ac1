import FoundationEssentials
package import IntentProtocol

/// The end of an X.509 certificate's validity (RFC 5280).
package enum Certificate {
    /// Returns the instant at which the first certificate in a PEM file (RFC 7468) expires; nil if the file is
    /// malformed.
    package static func expiry(ofPEM text: String) -> Timestamp? {
        let lines = text.split(whereScalar: \.isLineBreak)
        guard let start = lines.firstIndex(of: "-----BEGIN CERTIFICATE-----"),
            let bytes = Data(base64Encoded: lines[(start + 1)...].prefix { !$0.hasPrefix(utf8: "-") }.joined())
        else { return nil }
        // Certificate ::= SEQUENCE { tbsCertificate SEQUENCE { [0] version OPTIONAL, serialNumber, signature, issuer,
        // validity SEQUENCE { notBefore, notAfter }, … } … }
        var file = Array(bytes)[...]
        guard var certificate = element(0x30, &file), var body = element(0x30, &certificate) else { return nil }
        if body.first == 0xa0 { _ = element(0xa0, &body) }
        guard element(0x02, &body) != nil, element(0x30, &body) != nil, element(0x30, &body) != nil,
            var validity = element(0x30, &body), element(nil, &validity) != nil, let tag = validity.first,
            let end = element(nil, &validity)
        else { return nil }
        return time(end, hasCentury: tag == 0x18)
    }

    /// Removes the first element, which must have the tag, and returns its contents.
    private static func element(_ tag: UInt8?, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let first = bytes.popFirst(), tag == nil || first == tag, let length = bytes.popFirst() else {
            return nil
        }
        var count = Int(length)
        if length & 0x80 != 0 {
            let size = Int(length & 0x7f)
            guard (1...3).contains(size), bytes.count >= size else { return nil }
            count = bytes.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            bytes.removeFirst(size)
        }
        guard bytes.count >= count else { return nil }
        defer { bytes.removeFirst(count) }
        return bytes.prefix(count)
    }

    /// Parses `YYMMDDHHMMSSZ` or `YYYYMMDDHHMMSSZ`.
    private static func time(_ text: ArraySlice<UInt8>, hasCentury: Bool) -> Timestamp? {
        let digits = text.dropLast().map { Int64($0) - 48 }
        guard text.last == UInt8(ascii: "Z"), digits.count == (hasCentury ? 14 : 12),
            digits.allSatisfy({ (0...9).contains($0) })
        else { return nil }
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        let rest = Array(pairs.suffix(5))
        // RFC 5280, section 4.1.2.5.1: a year of two digits is between 1950 and 2049.
        let year = hasCentury ? pairs[0] * 100 + pairs[1] : pairs[0] + (pairs[0] < 50 ? 2000 : 1900)
        guard (1...12).contains(rest[0]), (1...31).contains(rest[1]) else { return nil }
        // The number of days since 1970, with years that begin in March.
        let (y, m) = rest[0] > 2 ? (year, rest[0] - 3) : (year - 1, rest[0] + 9)
        let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + rest[1] - 719_469
        let seconds = ((days * 24 + rest[2]) * 60 + rest[3]) * 60 + rest[4]
        return Timestamp(millisecondsSince1970: seconds * 1000)
    }
}
