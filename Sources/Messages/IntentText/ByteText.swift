/// A word of a command line as text that keeps its bytes, because a path need not be UTF-8.
///
/// A byte that is not part of UTF-8 is the scalar U+10FF00 plus the byte, in a private use area. The UTF-8 of such a
/// scalar counts as four bytes of this kind, so each text stands for exactly one sequence of bytes.
package enum ByteText {
    private static let first: UInt32 = 0x10_FF80
    private static let last: UInt32 = 0x10_FFFF

    package static func text(of bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var index = 0
        while true {
            let count: Int
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                guard isByte(scalar) else {
                    text.append(scalar)
                    index += encoded.count
                    continue
                }
                count = encoded.count
            case .error(let length): count = length
            case .emptyInput: return String(text)
            }
            text.append(contentsOf: bytes[index..<index + count].map(scalar))
            index += count
        }
    }

    package static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { isByte($0) ? [UInt8(truncatingIfNeeded: $0.value)] : Array(String($0).utf8) }
    }

    /// Returns false if the text stands for bytes that are not UTF-8.
    package static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isByte) }

    /// Returns the text for a message, with `\xE9` for a byte that is not part of UTF-8.
    package static func shown(_ text: String) -> String {
        isUTF8(text)
            ? text
            : text.unicodeScalars.map { isByte($0) ? "\\x\(String($0.value & 0xFF, radix: 16).uppercased())" : "\($0)" }
                .joined()
    }

    /// Returns the problem with the first word that is not UTF-8; nil if all words are UTF-8.
    package static func problem(in words: [String]) -> String? {
        words.firstIndex { !isUTF8($0) }.map { "argument \($0 + 1) is not UTF-8: '\(shown(words[$0]))'" }
    }

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool { (first...last).contains(scalar.value) }

    private static func scalar(for byte: UInt8) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(first - 0x80 + UInt32(byte)) else { preconditionFailure("not a scalar") }
        return scalar
    }
}
