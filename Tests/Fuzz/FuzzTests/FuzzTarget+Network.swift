import IntentLauncherMessages

@testable import IntentEgress

// What an app in a sandbox sends to intentd-egress.
extension FuzzTarget {
    static let network = [
        FuzzTarget("dns", .bytes, DNSAnswer.queryLimit + 8) { query in
            var table = NameTable(grants)
            var refused: String?
            guard let answer = DNSAnswer.to(query[...], from: &table, refused: { name, _ in refused = name }) else {
                return
            }
            guard answer.count >= 12, answer.count <= query.count + DNSAnswer.extraRoom, answer[2] & 0x80 != 0,
                answer.prefix(2) == query.prefix(2)
            else { throw Finding("an answer does not belong to its query", "\(query)", "\(answer)") }
            let count = Int(answer[6]) << 8 | Int(answer[7])
            guard count == 0 || (count == 1 && refused == nil && answer[3] & 0xF == 0) else {
                throw Finding("an answer has a record that no grant permits", "\(query)", "\(answer)")
            }
            if let refused, grants.contains(where: { $0.covers(refused) }) {
                throw Finding("a granted name is refused", refused)
            }
            var again = NameTable(grants)
            let second = DNSAnswer.to(query[...], from: &again, refused: { _, _ in })
            try require(second, equals: answer, "the answer to a query")
        },
        FuzzTarget("first-bytes", .bytes, FirstBytes.limit + 64) { bytes in
            for port: UInt16 in [443, 80] {
                var known = FirstBytes.Verdict.needsMore
                // A verdict about the first bytes stays true when more follow.
                for count in Set([0, 1, bytes.count / 2, bytes.count]).sorted() {
                    let verdict = FirstBytes.check(Array(bytes.prefix(count)), on: port, for: host)
                    if known != .needsMore { try require(verdict, equals: known, "a verdict on port \(port)") }
                    known = verdict
                }
                let isOther = FirstBytes.check(bytes, on: port, for: "other.example") == .matches
                if known == .matches, isOther { throw Finding("a connection matches two names", "\(bytes)") }
            }
        },
        FuzzTarget("request-head", .bytes, FirstBytes.limit + 64) { try head($0) },
        FuzzTarget("request-body", .bytes, 1 << 14) { bytes in
            let start = "POST / HTTP/1.1\r\nHost: \(host)\r\nTransfer-Encoding: chunked\r\n\r\n"
            try head(Array(start.utf8) + bytes)
        },
    ]

    private static let host = "host.example"
    private static let grants = ["\(host):443", "*.wild.example:80", "db.internal:5432,private"].compactMap {
        HostGrant($0)
    }
    private static let rewriter = InsertedCredential.grant(["github", "host=\(host)"])?.credential.map {
        HeadRewriter(host: host, credential: $0)
    }

    /// The secret is once in a new head, in its header, and the new head is read as the app's one.
    private static func head(_ bytes: [UInt8]) throws {
        guard let rewriter else { throw Finding("the value of Credential= is valid") }
        let secret = Array("SECRET".utf8)
        guard case .accepted(let request) = rewriter.rewrite(bytes, with: secret) else { return }
        guard case .head(let old) = RequestHead.read(bytes), case .head(let new) = RequestHead.read(request.head) else {
            throw Finding("a new head cannot be read", "\(request.head)")
        }
        try require(new.byteCount, equals: request.head.count, "the size of a new head")
        try require(request.byteCount, equals: old.byteCount, "the size of a head")
        let (first, second) = ([new.method, new.target, new.version], [old.method, old.target, old.version])
        try require(first, equals: second, "the first line of a head")
        let own = [("authorization", "Bearer SECRET"), ("host", host), ("connection", "close")]
        for (name, value) in own {
            try require(new.values(name).map { Array($0) }, equals: [Array(value.utf8)], "the field \(name)")
        }
        for name in ["content-length", "transfer-encoding", "expect"] {
            try require(new.values(name), equals: old.values(name), "the field \(name)")
        }
        if request.summary.utf8.contains(UInt8(ascii: "?")) { throw Finding("a record has a query", request.summary) }
        // The secret of the new head would be replaced, so a second rewriting changes nothing.
        guard case .accepted(let again) = rewriter.rewrite(request.head, with: secret) else {
            throw Finding("a new head is refused", "\(request.head)")
        }
        try require(again.head, equals: request.head, "a head rewritten twice")
        try body(request.body, Array(bytes[request.byteCount...]))
    }

    /// The end of a body does not depend on how its bytes arrive, and no byte follows the end.
    private static func body(_ start: RequestBody, _ bytes: [UInt8]) throws {
        var (whole, parts) = (start, start)
        let taken = Array(whole.take(bytes[...]))
        try require(bytes.flatMap { Array(parts.take([$0])) }, equals: taken, "a body in parts")
        try require(parts.isEnded, equals: whole.isEnded, "the end of a body in parts")
        try require(parts.isMalformed, equals: whole.isMalformed, "a mistake in a body in parts")
        if whole.isEnded, !whole.take([65]).isEmpty { throw Finding("a byte follows the end of a body", "\(bytes)") }
    }
}
