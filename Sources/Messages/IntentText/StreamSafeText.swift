/// Text in which at most 30 combining marks follow each other: the Stream-Safe Text Format of UAX #15, section 13.
///
/// Swift hashes and compares strings by canonical equivalence. For that it sorts the combining marks that follow each
/// other, in a time that grows with the square of their number. In stream-safe text, that number is bounded, so the time
/// is proportional to the length. Every string that the programs of this package create from bytes of another party is
/// therefore checked, or made stream-safe, when it is created.
@usableFromInline package enum StreamSafeText {
    /// The maximum number of combining marks that follow each other. No text in a natural language has as many.
    package static let markLimit = 30

    /// The scalar that makes text stream-safe: U+034F COMBINING GRAPHEME JOINER, which is invisible and separates marks.
    private static let separator: Unicode.Scalar = "\u{034F}"

    /// Counts combining marks that follow each other. Pass it the parts of a text in order.
    package struct Scan {
        private var markCount = 0

        package init() {}

        /// Counts a scalar, and returns whether the text is still stream-safe.
        package mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
            markCount = StreamSafeText.isMark(scalar.value) ? markCount + 1 : 0
            return markCount <= StreamSafeText.markLimit
        }

        /// Counts UTF-8 that begins and ends with whole scalars, and returns whether the text is still stream-safe. Bytes
        /// that are not UTF-8 count as no mark.
        package mutating func accept(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            var index = 0
            while index < bytes.count {
                let plainCount = Self.plainByteCount(bytes, at: index)
                if plainCount > 0 {
                    markCount = 0
                    index += plainCount
                    continue
                }
                let (value, byteCount) = Self.scalar(bytes, at: index)
                index += byteCount
                markCount = StreamSafeText.isMark(value) ? markCount + 1 : 0
                if markCount > StreamSafeText.markLimit { return false }
            }
            return true
        }

        /// Returns the length of the most frequent scalars that are never marks: eight of ASCII, a Chinese or Korean one
        /// (U+4000 to U+9FFF, U+B000 to U+CFFF), or one or two emoji (U+1F000 to U+1FFFF); 0 for another scalar.
        @inline(__always)
        private static func plainByteCount(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
            guard bytes.count - index >= 8 else { return 0 }
            // The first byte of a scalar is the lowest byte of the word.
            let words = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            if words & 0x8080_8080_8080_8080 == 0 || words & 0xC0C0_FFFF_C0C0_FFFF == 0x8080_9FF0_8080_9FF0 { return 8 }
            let word = UInt32(truncatingIfNeeded: words)
            if word & 0xC0C0_FFFF == 0x8080_9FF0 { return 4 }
            switch word & 0xFF {
            case 0xE4...0xE9, 0xEB...0xEC: if word & 0xC0_C000 == 0x80_8000 { return 3 }
            default: break
            }
            return 0
        }

        /// Returns a scalar and its length (RFC 3629, section 3); 0 and one byte for a scalar that is not a mark, for its
        /// continuation bytes, and for bytes that are not UTF-8.
        @inline(__always)
        private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, byteCount: Int) {
            let lead = UInt32(bytes[index])
            // ASCII, and scalars below U+0300, which are never marks.
            if lead < 0xCC { return (0, 1) }
            // Most marks: U+0300 to U+033F.
            if lead == 0xCC, bytes.count - index >= 2, UTF8.isContinuation(bytes[index + 1]) { return (0x300, 2) }
            let byteCount = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard bytes.count - index >= byteCount else { return (0, 1) }
            var value = lead & (0x7F >> UInt32(byteCount))
            for offset in 1..<byteCount {
                let next = bytes[index + offset]
                guard UTF8.isContinuation(next) else { return (0, 1) }
                value = value << 6 | UInt32(next & 0x3F)
            }
            return (value, byteCount)
        }
    }

    /// Returns whether UTF-8 is stream-safe. Bytes that are not UTF-8 count as no mark.
    package static func isStreamSafe(_ bytes: some Collection<UInt8>) -> Bool {
        var scan = Scan()
        return bytes.withContiguousStorageIfAvailable { scan.accept($0) } ?? isStreamSafe(Array(bytes))
    }

    /// Returns whether a text is stream-safe.
    @usableFromInline package static func isStreamSafe(_ text: String) -> Bool { isStreamSafe(text.utf8) }

    /// Returns the problem with the first word that is not stream-safe, as the error about a command line; nil if all
    /// words are stream-safe.
    package static func problem(in words: [String]) -> String? {
        words.firstIndex { !isStreamSafe($0) }.map {
            "argument \($0 + 1) has more than \(markLimit) combining marks in a row (UAX #15, section 13)"
        }
    }

    /// Returns the text with U+034F after each 30 combining marks that follow each other, as the Stream-Safe Text Process
    /// of UAX #15 does.
    @usableFromInline package static func stabilize(_ text: String) -> String {
        if isStreamSafe(text) { return text }
        var result = String.UnicodeScalarView()
        var scan = Scan()
        for scalar in text.unicodeScalars {
            if !scan.accept(scalar) {
                result.append(separator)
                scan = Scan()
                _ = scan.accept(scalar)
            }
            result.append(scalar)
        }
        return String(result)
    }

    /// Returns UTF-8 with U+034F where ``stabilize(_:)-(String)`` inserts it.
    package static func stabilize(_ bytes: [UInt8]) -> [UInt8] {
        isStreamSafe(bytes) ? bytes : Array(stabilize(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// Returns whether a scalar is reordered in normalization: its canonical combining class is not zero.
    @inline(__always)
    private static func isMark(_ value: UInt32) -> Bool {
        switch value {
        // Most text consists of these ranges without marks: Latin, symbols, Chinese, Japanese, Korean, and emoji.
        case 0..<0x300, 0x2100..<0x2CEF, 0x3100..<0xA660, 0xAC00..<0xD800, 0x1F000...: false
        // Combining Diacritical Marks.
        case 0x300..<0x34F, 0x350..<0x370: true
        default: Unicode.Scalar(value)?.properties.canonicalCombiningClass ?? .notReordered != .notReordered
        }
    }
}

extension String {
    /// Creates text from bytes of another party. Replaces invalid UTF-8 with U+FFFD, and makes the text stream-safe.
    @inlinable package init(foreign bytes: some Collection<UInt8>) {
        // This is the one place that creates text from such bytes.
        let text = String(decoding: bytes, as: UTF8.self)
        self = text.utf8Span.isKnownASCII ? text : StreamSafeText.stabilize(text)
    }

    /// Creates text from a C string of another party. Replaces invalid UTF-8 with U+FFFD, and makes the text
    /// stream-safe.
    package init(foreign text: UnsafePointer<CChar>) {
        let text = String(cString: text)
        self = text.utf8Span.isKnownASCII ? text : StreamSafeText.stabilize(text)
    }

    /// Creates text from bytes of another party; nil unless they are UTF-8 and stream-safe.
    @inlinable package init?(validForeign bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self),
            text.utf8Span.isKnownASCII || StreamSafeText.isStreamSafe(text)
        else { return nil }
        self = text
    }
}
