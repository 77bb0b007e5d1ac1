/// Strings.
extension JSONScanner {
    mutating func text() throws(WireError) {
        index += 1
        let start = index
        var kind = JSONDocument.Kind.ascii
        var marks = StreamSafeText.Scan()
        while true {
            let begin = index
            if plainBytes() {
                if index > begin { marks = StreamSafeText.Scan() }
            } else {
                if kind == .ascii { kind = .text }
                try check(marks.accept(UnsafeBufferPointer(rebasing: bytes[begin..<index])), start)
            }
            switch next {
            case UInt8(ascii: "\""):
                add(kind, from: start, to: index)
                index += 1
                return
            case UInt8(ascii: "\\"):
                kind = .escapedText
                try check(marks.accept(try escape()), start)
            case _ where index == bytes.count:
                throw unexpected
            default:
                throw .malformed("a string has a control character at byte \(index): write it as \\u and four digits")
            }
        }
    }

    /// Advances past the bytes that stand for themselves in a string, and returns whether all are ASCII.
    private mutating func plainBytes() -> Bool {
        var bits: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            bits |= byte
            index += 1
        }
        return bits < 0x80
    }

    private func check(_ isStreamSafe: Bool, _ start: Int) throws(WireError) {
        guard isStreamSafe || limits == nil else {
            throw .malformed(
                """
                the string at byte \(start) has more than \(StreamSafeText.markLimit) combining marks in a row (UAX #15, \
                section 13)
                """
            )
        }
    }

    private mutating func escape() throws(WireError) -> Unicode.Scalar {
        index += 1
        let kind = next
        if let scalar = Self.scalar(escapedAs: kind) {
            index += 1
            return scalar
        }
        try expect(UInt8(ascii: "u"))
        let first = try fourDigits()
        guard (0xD800..<0xDC00).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw unexpected }
            return scalar
        }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let second = try fourDigits()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw unexpected }
        return scalar
    }

    /// Returns the scalar for which a letter stands after a backslash; nil for `u` and for any other letter.
    private static func scalar(escapedAs letter: UInt8) -> Unicode.Scalar? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
        case UInt8(ascii: "b"): "\u{08}"
        case UInt8(ascii: "f"): "\u{0C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    private mutating func fourDigits() throws(WireError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            let zero: UInt8
            switch next {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): zero = UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): zero = UInt8(ascii: "a") - 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): zero = UInt8(ascii: "A") - 10
            default: throw unexpected
            }
            number = number << 4 | UInt32(next - zero)
            index += 1
        }
        return number
    }

    /// Returns the content of a string that has been scanned.
    static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var scanner = JSONScanner(bytes: text, limits: nil)
        var content: [UInt8] = []
        while scanner.index < text.count {
            let begin = scanner.index
            _ = scanner.plainBytes()
            content.append(contentsOf: text[begin..<scanner.index])
            guard scanner.index < text.count else { break }
            guard let scalar = try? scanner.escape() else { preconditionFailure("the string has been scanned") }
            content.append(contentsOf: scalar.utf8)
        }
        return content
    }
}
