import IntentLauncherMessages

/// The head of an HTTP/1 request (RFC 9112), read so strictly that no server can read it as another one.
struct RequestHead {
    enum Result {
        case needsMore
        /// The reason why the bytes are no head of a request.
        case malformed(String)
        case head(RequestHead)
    }

    /// The maximum number of header fields.
    static let fieldLimit = 128

    struct Field {
        var name: ArraySlice<UInt8>
        /// The value without the spaces around it.
        var value: ArraySlice<UInt8>

        func isNamed(_ text: String) -> Bool { AsciiText.isSame(name, text) }
    }

    var method: ArraySlice<UInt8>
    var target: ArraySlice<UInt8>
    var version: ArraySlice<UInt8>
    var fields: [Field]
    /// The number of bytes of the head, with the empty line at its end.
    var byteCount: Int

    /// The values of the fields with a name.
    func values(_ name: String) -> [ArraySlice<UInt8>] { fields.filter { $0.isNamed(name) }.map(\.value) }

    static func read(_ bytes: [UInt8]) -> Result {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        repeat {
            guard let end = rest.firstIndex(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else { return .needsMore }
            guard rest[end] == 13 else { return .malformed("a line does not end with CR LF") }
            guard end + 1 < bytes.count else { return .needsMore }
            guard bytes[end + 1] == 10 else { return .malformed("a line does not end with CR LF") }
            lines.append(rest[..<end])
            guard lines.count <= fieldLimit + 2 else { return .malformed("it has more than \(fieldLimit) fields") }
            rest = rest[(end + 2)...]
        } while lines.last?.isEmpty == false
        let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 > 0x20 && $0 != 0x7F } }),
            words[0].allSatisfy(AsciiText.isTokenByte), words[2].starts(with: "HTTP/1.".utf8)
        else { return .malformed("it does not begin with a method, a target and HTTP/1") }
        var fields: [Field] = []
        for line in lines.dropFirst().dropLast() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(AsciiText.isTokenByte)
            else { return .malformed("a field has no valid name") }
            var value = line[(colon + 1)...]
            while let first = value.first, first == 0x20 || first == 9 { value = value.dropFirst() }
            while let last = value.last, last == 0x20 || last == 9 { value = value.dropLast() }
            guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
                return .malformed("a field has a control character")
            }
            fields.append(Field(name: line[..<colon], value: value))
        }
        let size = rest.startIndex - bytes.startIndex
        return .head(
            RequestHead(method: words[0], target: words[1], version: words[2], fields: fields, byteCount: size)
        )
    }
}

/// Rules about bytes of text of another party.
enum AsciiText {
    /// Compares bytes with a text in lower case.
    static func isSame(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        bytes.lazy.map { $0.isASCIILetter ? $0 | 0x20 : $0 }.elementsEqual(text.utf8)
    }

    /// True for a byte of a token of HTTP (RFC 9110, 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
