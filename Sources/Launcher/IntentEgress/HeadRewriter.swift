import IntentLauncherMessages

/// Adds a secret to the head of a request, which it reads strictly: what one server could read as one request and another
/// server as two is refused.
struct HeadRewriter {
    /// The name of the host, in lower case.
    let host: String
    let credential: InsertedCredential

    enum Verdict {
        case needsMore
        /// The reason, which follows the words `the request`.
        case refused(String)
        case accepted(Request)
    }

    struct Request {
        /// The method and the path without its query, for the record.
        var summary: String
        /// The new head.
        var head: [UInt8]
        /// The number of bytes of the app's head.
        var byteCount: Int
        var body: RequestBody
    }

    /// The maximum length of a path in a record.
    private static let summaryLimit = 200
    /// Methods that make a server return the request with the secret, or that change what the connection is.
    private static let refusedMethods: Set = ["CONNECT", "TRACE", "TRACK", "DEBUG", "PRI"]
    /// Fields of one connection. The new head has its own.
    private static let droppedFields = ["connection", "keep-alive", "proxy-connection", "proxy-authorization", "te"]
    private static let connectionOptions = ["close", "keep-alive", "te"]

    /// The maximum number of an app's fields. The new head has three others: Host, the one with the secret, and Connection.
    static let fieldLimit = RequestHead.fieldLimit - 3

    private static let tooLarge = "has a head of more than \(FirstBytes.limit) bytes"

    /// - Parameter bytes: The first bytes of the connection.
    func rewrite(_ bytes: [UInt8], with secret: [UInt8]) -> Verdict {
        switch RequestHead.read(bytes) {
        case .needsMore: bytes.count > FirstBytes.limit ? .refused(Self.tooLarge) : .needsMore
        case .malformed(let reason): .refused("cannot be read: \(reason)")
        case .head(let head) where head.byteCount > FirstBytes.limit: .refused(Self.tooLarge)
        case .head(let head): rewrite(head, with: secret)
        }
    }

    private func rewrite(_ head: RequestHead, with secret: [UInt8]) -> Verdict {
        let method = String(foreign: head.method)
        guard !Self.refusedMethods.contains(method), head.method.allSatisfy({ !$0.isASCIILetter || $0 & 0x20 == 0 })
        else { return .refused("has the method \(method), which is not permitted with a credential") }
        let isNew = head.version.elementsEqual("HTTP/1.1".utf8)
        guard isNew || head.version.elementsEqual("HTTP/1.0".utf8) else { return .refused("is not of HTTP/1.1") }
        guard head.target.first == UInt8(ascii: "/"), head.target.allSatisfy({ $0 < 0x7F && $0 != UInt8(ascii: "#") })
        else {
            return .refused("does not name its target by a path that begins with '/'")
        }
        let hosts = head.values("host")
        guard hosts.count == 1, let named = hosts.first, AsciiText.isSame(FirstBytes.withoutPort(named), host) else {
            return .refused("does not name the host \(host)")
        }
        guard head.values("upgrade").isEmpty, head.values("http2-settings").isEmpty else {
            return .refused("changes the protocol, which is not permitted with a credential")
        }
        for value in head.values("connection") {
            let options = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard options.allSatisfy(Self.isHarmless) else {
                return .refused("has the field 'Connection' with an option other than close, keep-alive and te")
            }
        }
        guard head.values("expect").allSatisfy({ AsciiText.isSame($0, "100-continue") }) else {
            return .refused("has the field 'Expect' with another value than 100-continue")
        }
        guard head.fields.count(where: { !isDropped($0) }) <= Self.fieldLimit else {
            return .refused("has more than \(Self.fieldLimit) fields")
        }
        guard let body = RequestBody(head, isNew: isNew) else {
            return .refused("does not say clearly where its body ends")
        }
        let path = head.target.prefix { $0 != UInt8(ascii: "?") }
        let shown = String(foreign: path.prefix(Self.summaryLimit)) + (path.count > Self.summaryLimit ? "…" : "")
        return .accepted(
            Request(
                summary: "\(method) \(shown)",
                head: newHead(head, with: secret),
                byteCount: head.byteCount,
                body: body
            )
        )
    }

    private func newHead(_ head: RequestHead, with secret: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        func line(_ parts: [UInt8]...) { bytes += parts.joined() + [13, 10] }
        let space: [UInt8] = [0x20]
        line(Array(head.method), space, Array(head.target), space, Array(head.version))
        let port = credential.port == 443 ? "" : ":\(credential.port)"
        line(Array("Host: \(host)\(port)".utf8))
        for field in head.fields where !isDropped(field) {
            line(Array(field.name), Array(": ".utf8), Array(field.value))
        }
        line(Array("\(credential.header): ".utf8), credential.value(with: secret))
        line(Array("Connection: close".utf8))
        line()
        return bytes
    }

    /// True for an option of the field Connection that does not make a server ignore another field.
    private static func isHarmless(_ option: ArraySlice<UInt8>) -> Bool {
        let word = option.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        return connectionOptions.contains { AsciiText.isSame(Array(word)[...], $0) }
    }

    /// True for a field that the new head replaces, also if a server reads `_` as `-` (RFC 3875, 4.1.18).
    private func isDropped(_ field: RequestHead.Field) -> Bool {
        if field.isNamed("host") || Self.droppedFields.contains(where: field.isNamed) { return true }
        let name = field.name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        let own = credential.header.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        return AsciiText.isSame(name[...], String(foreign: own))
    }
}
