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

    /// Counts combining marks that follow each other. Pass it the scalars of a text in order.
    package struct Scan {
        private var markCount = 0

        package init() {}

        /// Counts a scalar, and returns whether the text is still stream-safe.
        package mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
            markCount = StreamSafeText.isMark(scalar) ? markCount + 1 : 0
            return markCount <= StreamSafeText.markLimit
        }
    }

    /// Returns whether UTF-8 is stream-safe. Invalid UTF-8 counts as if it were repaired.
    package static func isStreamSafe(_ bytes: some Collection<UInt8>) -> Bool {
        if bytes.allSatisfy(UTF8.isASCII) { return true }
        var scan = Scan()
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): if !scan.accept(scalar) { return false }
            case .error: _ = scan.accept("\u{FFFD}")
            case .emptyInput: return true
            }
        }
    }

    /// Returns whether a text is stream-safe.
    @usableFromInline package static func isStreamSafe(_ text: String) -> Bool {
        var scan = Scan()
        return text.unicodeScalars.allSatisfy { scan.accept($0) }
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
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Blocks without such scalars, which most text consists of: Latin, and Chinese, Japanese and Korean.
        case 0..<0x300, 0x3100..<0xA660, 0xAC00..<0xD800: false
        default: scalar.properties.canonicalCombiningClass != .notReordered
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
