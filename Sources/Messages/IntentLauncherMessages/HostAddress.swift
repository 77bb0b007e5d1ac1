/// An IPv6 address, or an IPv4 address in its mapped form (`::ffff:a.b.c.d`).
package struct HostAddress: Hashable, Sendable {
    /// The first and the last 8 bytes as numbers.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    package init(v4 address: UInt32) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(address)) }

    /// - Parameter bytes: 16 bytes in network order.
    package init(_ bytes: some Collection<UInt8>) {
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
        )
    }

    /// The 16 bytes in network order.
    package var array: [UInt8] {
        [high, low].flatMap { half in stride(from: 56, through: 0, by: -8).map { UInt8(half >> $0 & 0xFF) } }
    }

    /// The IPv4 address; nil for an IPv6 address.
    package var v4: UInt32? {
        high == 0 && low >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: low) : nil
    }

    /// Parses four decimal numbers, or an IPv6 address without a zone (RFC 4291). Returns nil for any other spelling, such
    /// as numbers with leading zeros, which some programs read as octal.
    package init?(_ text: some StringProtocol) {
        if let v4 = Self.parseV4(Substring(text)) {
            self.init(v4: v4)
            return
        }
        guard text.contains(utf8: ":") else { return nil }
        var halves: [[UInt16]] = []
        var rest = Substring(text)
        // At most one "::" stands for a run of zeros.
        while let (before, after) = rest.cut(utf8: "::"), halves.isEmpty {
            guard let groups = Self.groups(before, mayEndInV4: false) else { return nil }
            halves.append(groups)
            rest = after
        }
        guard let last = Self.groups(rest, mayEndInV4: true) else { return nil }
        halves.append(last)
        let count = halves.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? count < 8 : count == 8 else { return nil }
        let groups = halves.count == 2 ? halves[0] + Array(repeating: 0, count: 8 - count) + halves[1] : halves[0]
        self.init(groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    private static func parseV4(_ text: Substring) -> UInt32? {
        let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard let number = UInt8(part), part.unicodeScalars.allSatisfy(\.isASCIIDigit),
                part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")
            else { return nil }
            value = value << 8 | UInt32(number)
        }
        return value
    }

    /// Parses groups of hexadecimal digits; the last group may be an IPv4 address.
    private static func groups(_ text: Substring, mayEndInV4: Bool) -> [UInt16]? {
        guard !text.utf8.isEmpty else { return [] }
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInV4, index == parts.count - 1, let v4 = parseV4(part) {
                groups += [UInt16(v4 >> 16), UInt16(truncatingIfNeeded: v4)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    /// The address as text: an IPv4 address in decimal, or eight groups of an IPv6 address.
    package var text: String {
        if let v4 { return [24, 16, 8, 0].map { "\(v4 >> $0 & 0xFF)" }.joined(separator: ".") }
        return [high, low].flatMap { half in
            [48, 32, 16, 0].map { String(half >> $0 & 0xFFFF, radix: 16) }
        }.joined(separator: ":")
    }

    /// True for every address that is not a unicast address of the internet: loopback, private, link-local, shared,
    /// multicast and reserved addresses, also within an IPv6 address that a translator or a tunnel would unpack.
    package var isPrivate: Bool {
        if let v4 { return Self.isPrivate(v4) }
        let last = UInt32(truncatingIfNeeded: low)
        // NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056), and Teredo, which hides its address (RFC 4380).
        if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return Self.isPrivate(last) }
        if high >> 16 == 0x0064_FF9B_0001 { return true }
        if high >> 48 == 0x2002 { return Self.isPrivate(UInt32(truncatingIfNeeded: high >> 16)) }
        if high >> 32 == 0x2001_0000 { return true }
        // Only 2000::/3 is assigned to unicast addresses of the internet, and 2001:db8::/32 to documentation.
        return high >> 61 != 1 || high >> 32 == 0x2001_0DB8
    }

    private static let privateRanges: [(base: UInt32, length: UInt32)] = [
        (0, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
        (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xC633_6400, 24),
        (0xCB00_7100, 24),
        (0xE000_0000, 3),
    ]

    private static func isPrivate(_ v4: UInt32) -> Bool {
        privateRanges.contains { (v4 ^ $0.base) >> (32 - $0.length) == 0 }
    }
}
