import IntentLauncherMessages

/// A size in systemd's syntax (systemd.syntax(7)), such as `256M`, `1.5G`, `infinity` or a number of bytes. Units are
/// powers of 1024.
package enum ByteSize: Equatable, Sendable {
    case bytes(Int64)
    /// The value `infinity`: no limit.
    case infinity

    /// The size in bytes; nil for no limit.
    package var byteCount: Int64? {
        switch self {
        case .bytes(let count): count
        case .infinity: nil
        }
    }

    /// Parses a size. Returns nil if the string is invalid, or if the size is negative or exceeds 63 bits.
    package static func parse(_ text: String) -> ByteSize? {
        let text = text.withoutBlanks
        if text == "infinity" { return .infinity }
        let number = Substring(text.unicodeScalars.prefix { $0.isASCIIDigit || $0 == "." })
        guard let factor = bytesPerUnit(text.dropFirst(scalars: number.scalarCount).withoutBlanks) else { return nil }
        let parts = number.split(scalar: ".", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.utf8.isEmpty }) else { return nil }
        switch parts.count {
        case 1:
            guard let count = Int64(number) else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: factor)
            return overflow ? nil : .bytes(product)
        case 2:
            // Reject a fraction without a unit, which would be a fraction of a byte.
            guard factor > 1, let count = Double(number) else { return nil }
            return Int64(exactly: (count * Double(factor)).rounded(.down)).map(ByteSize.bytes)
        default:
            return nil
        }
    }

    private static func bytesPerUnit(_ unit: String) -> Int64? {
        switch unit {
        case "", "B": 1
        case "K": 1 << 10
        case "M": 1 << 20
        case "G": 1 << 30
        case "T": 1 << 40
        default: nil
        }
    }
}
