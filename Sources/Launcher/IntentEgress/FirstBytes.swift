import IntentLauncherMessages

/// Compares the name in the first bytes of a connection with the name that was granted.
///
/// Many sites share an address, so without the check a grant would be for all of them. The check sees the first TLS record
/// or the head of the first HTTP request, and nothing that is encrypted or follows.
enum FirstBytes {
    enum Verdict: Equatable { case needsMore, matches, differs }

    /// The maximum number of bytes to wait for: a TLS record, or the head of a request.
    static let limit = 16 << 10

    /// The protocols that a port must carry; nil for a port without a check.
    static func check(_ bytes: [UInt8], on port: UInt16, for name: String) -> Verdict {
        let verdict = port == 443 ? tls(bytes, for: name) : http(bytes, for: name)
        return verdict == .needsMore && bytes.count > limit ? .differs : verdict
    }

    static func isChecked(_ port: UInt16) -> Bool { port == 443 || port == 80 }

    // MARK: TLS

    /// Compares the server name of a ClientHello, which must be in one record (RFC 8446, RFC 6066).
    private static func tls(_ bytes: [UInt8], for name: String) -> Verdict {
        guard let kind = bytes.first else { return .needsMore }
        guard kind == 22 else { return .differs }
        guard bytes.count >= 5 else { return .needsMore }
        let size = Int(bytes[3]) << 8 | Int(bytes[4])
        guard size <= limit else { return .differs }
        guard bytes.count >= 5 + size else { return .needsMore }
        var hello = Reader(bytes[5..<(5 + size)])
        guard hello.byte() == 1, var body = hello.part(lengthBytes: 3), hello.isAtEnd, body.skip(34),
            body.part(lengthBytes: 1) != nil, body.part(lengthBytes: 2) != nil, body.part(lengthBytes: 1) != nil,
            var extensions = body.part(lengthBytes: 2), body.isAtEnd
        else { return .differs }
        var found: ArraySlice<UInt8>?
        while !extensions.isAtEnd {
            guard let type = extensions.number(2), var content = extensions.part(lengthBytes: 2) else {
                return .differs
            }
            guard type == 0 else { continue }
            // Exactly one list with exactly one host name.
            guard found == nil, var list = content.part(lengthBytes: 2), content.isAtEnd, list.byte() == 0,
                let host = list.part(lengthBytes: 2), list.isAtEnd
            else { return .differs }
            found = host.rest
        }
        return found.map { AsciiText.isSame($0, name) } == true ? .matches : .differs
    }

    private struct Reader {
        private(set) var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func number(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }

        mutating func skip(_ count: Int) -> Bool {
            guard rest.count >= count else { return false }
            rest = rest.dropFirst(count)
            return true
        }

        /// Removes a part that begins with its length.
        mutating func part(lengthBytes: Int) -> Reader? {
            guard let length = number(lengthBytes), rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return Reader(rest.prefix(length))
        }
    }

    // MARK: HTTP

    /// Compares the host of a request in origin form or in absolute form (RFC 9112). A head with a line that servers
    /// understand in different ways differs.
    private static func http(_ bytes: [UInt8], for name: String) -> Verdict {
        switch RequestHead.read(bytes) {
        case .needsMore: .needsMore
        case .malformed: .differs
        case .head(let head): names(head, name) ? .matches : .differs
        }
    }

    private static func names(_ head: RequestHead, _ name: String) -> Bool {
        if head.target.first != UInt8(ascii: "/"), !head.target.elementsEqual("*".utf8) {
            let scheme = "http://".utf8
            guard head.target.starts(with: scheme) else { return false }
            let authority = head.target.dropFirst(scheme.count).prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
            }
            guard AsciiText.isSame(withoutPort(authority), name) else { return false }
        }
        let hosts = head.values("host")
        return hosts.count == 1 && AsciiText.isSame(withoutPort(hosts[0]), name)
    }

    /// The host of `host:80` or of `host`. Another port remains, so that the host differs.
    static func withoutPort(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.reversed().starts(with: ":80".utf8.reversed()) ? text.dropLast(3) : text
    }
}
