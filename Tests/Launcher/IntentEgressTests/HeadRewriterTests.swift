import IntentLauncherMessages
import Testing

@testable import IntentEgress

@Suite struct HeadRewriterTests {
    private func rewriter(_ value: String = "github host=api.example") throws -> HeadRewriter {
        let words = value.split(separator: " ").map { String($0) }
        let grant = try #require(InsertedCredential.grant(words))
        return HeadRewriter(host: "api.example", credential: try #require(grant.credential))
    }

    private func rewrite(_ head: String, _ value: String = "github host=api.example") throws -> HeadRewriter.Verdict {
        try rewriter(value).rewrite(Array(head.utf8), with: Array("SECRET".utf8))
    }

    @Test func `the secret replaces the app's header, and the head is for one request`() throws {
        let head = """
            GET /user?token=x HTTP/1.1\r\nHost: api.example\r\nAUTHORIZATION: Bearer own\r\nAuthorization : x\r\n\r\n
            """
        guard case .refused = try rewrite(head) else { return #expect(Bool(false), "a space before a colon") }
        let sound = """
            GET /user?token=x HTTP/1.1\r\nAccept: */*\r\nHost: API.example:80\r\nAUTHORIZATION: Bearer own\r
            Connection: keep-alive, TE\r\nKeep-Alive: 5\r\nTE: trailers\r\nX: \u{FC}\r\n\r\nrest
            """
        guard case .accepted(let request) = try rewrite(sound) else { return #expect(Bool(false), "refused") }
        #expect(request.summary == "GET /user")
        #expect(
            String(decoding: request.head, as: UTF8.self) == """
                GET /user?token=x HTTP/1.1\r\nHost: api.example\r\nAccept: */*\r\nX: \u{FC}\r\nAuthorization: Bearer SECRET\r
                Connection: close\r\n\r\n
                """
        )
        #expect(request.byteCount == sound.utf8.count - 4)
        #expect(request.body.isEnded)
    }

    @Test func `another header and port are used, and names that servers read alike are removed`() throws {
        let head = "GET / HTTP/1.1\r\nhost: api.example\r\nx_api_key: own\r\nX-API-Key: own\r\nX-Api: kept\r\n\r\n"
        let verdict = try rewrite(head, "npm host=api.example:8443 header=X-Api-Key value=%s")
        guard case .accepted(let request) = verdict else { return #expect(Bool(false), "refused") }
        #expect(
            String(decoding: request.head, as: UTF8.self)
                == "GET / HTTP/1.1\r\nHost: api.example:8443\r\nX-Api: kept\r\nX-Api-Key: SECRET\r\nConnection: close\r\n\r\n"
        )
    }

    /// Requests that servers on the way could read differently (RFC 9112, sections 2.2, 3.2, 5 and 6), or that return the
    /// request.
    @Test(arguments: [
        // Where the request ends.
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 4, 4\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: +4\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 0x4\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding : chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding:\u{B}chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\n Transfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nX: y\r\n\tTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nX: y\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nX: y\rTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\n\"Transfer-Encoding\": chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nConnection: Content-Length\r\nContent-Length: 4\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nConnection: close, Authorization\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nConnection: close,\r\n\r\n",
        "GET / HTTP/1.1\nHost: api.example\n\n", "\r\nGET / HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: api.example\r\nX\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nX: \u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nX: \u{7F}\r\n\r\n",
        // Which host and which request.
        "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example@other.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example:443\r\n\r\n", "GET / HTTP/1.1\r\nHost: api.example.\r\n\r\n",
        "GET http://api.example/ HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET @other.example/ HTTP/1.1\r\nHost: api.example\r\n\r\n", "GET * HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: api.example\r\n\r\n", "GET / x HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET /\t HTTP/1.1\r\nHost: api.example\r\n\r\n", "GET /#x HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET /\u{FC} HTTP/1.1\r\nHost: api.example\r\n\r\n", "GET / HTTP/1.1 \r\nHost: api.example\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: api.example\r\n\r\n", "GET / HTTP/1.2\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.11\r\nHost: api.example\r\n\r\n", "GET / http/1.1\r\nHost: api.example\r\n\r\n",
        "get / HTTP/1.1\r\nHost: api.example\r\n\r\n",
        // What returns the request, or changes the connection.
        "TRACE / HTTP/1.1\r\nHost: api.example\r\n\r\n", "TRACK / HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nHTTP2-Settings: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: api.example\r\nExpect: 200-ok\r\n\r\n",
    ])
    func `what servers can read in two ways carries no secret`(head: String) throws {
        guard case .refused(let reason) = try rewrite(head) else { return #expect(Bool(false), "\(head)") }
        #expect(!reason.contains("SECRET"))
    }

    @Test func `a head without end is refused, and one that arrives byte by byte is accepted`() throws {
        let head = "GET / HTTP/1.1\r\nHost: api.example\r\n\r\n"
        for count in 0..<head.utf8.count {
            guard case .needsMore = try rewrite(String(head.prefix(count))) else {
                // "\r\n" is one Character, so a prefix never ends between the two.
                return #expect(head.prefix(count) == head)
            }
        }
        for endless in [
            String(repeating: "x", count: FirstBytes.limit + 1),
            "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 4000),
            "GET / HTTP/1.1\r\nX: " + String(repeating: "y", count: FirstBytes.limit),
        ] {
            guard case .refused = try rewrite(endless) else { return #expect(Bool(false), "accepted") }
        }
    }

    @Test(arguments: [0, 1])
    func `a head is accepted only if the new head has no more fields than may be read`(excess: Int) throws {
        let fields = String(repeating: "X: y\r\n", count: HeadRewriter.fieldLimit + excess)
        let verdict = try rewrite("GET / HTTP/1.1\r\nHost: api.example\r\n\(fields)\r\n")
        guard case .accepted(let request) = verdict else { return #expect(excess > 0, "\(verdict)") }
        #expect(excess == 0)
        guard case .head = RequestHead.read(request.head) else { return #expect(Bool(false), "not read") }
    }

    @Test func `changed bytes never put the secret anywhere but in its header`() throws {
        let rewriter = try rewriter()
        let whole = Array("PUT /a?b HTTP/1.1\r\nHost: api.example\r\nContent-Length: 3\r\nX: y\r\n\r\nabc".utf8)
        var seed: UInt64 = 48
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<3 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let index = Int(seed >> 33) % bytes.count
                if seed & 1 == 0 {
                    bytes[index] = UInt8(truncatingIfNeeded: seed >> 24)
                } else {
                    bytes.remove(at: index)
                }
            }
            guard case .accepted(let request) = rewriter.rewrite(bytes, with: Array("SECRET".utf8)) else { continue }
            let lines = request.head.split(separator: 10, omittingEmptySubsequences: false)
            #expect(lines.filter { $0.starts(with: "Authorization: Bearer SECRET\r".utf8) }.count == 1)
            #expect(lines.filter { $0.starts(with: "Host: api.example\r".utf8) }.count == 1)
            #expect(lines.dropLast(2).allSatisfy { $0.count > 1 } && lines.suffix(2).map(\.count) == [1, 0])
            #expect(lines.dropLast().allSatisfy { $0.last == 13 && $0.dropLast().allSatisfy { $0 != 13 && $0 != 0 } })
        }
    }

    private func body(_ fields: String) throws -> RequestBody {
        guard case .accepted(let request) = try rewrite("POST / HTTP/1.1\r\nHost: api.example\r\n\(fields)\r\n\r\n")
        else {
            throw CancellationError()
        }
        return request.body
    }

    @Test func `a second request is no part of the body, however the bytes arrive`() throws {
        let second = "GET /second HTTP/1.1\r\nHost: api.example\r\n\r\n"
        for (fields, text) in [
            ("Content-Length: 3", "abc"), ("Content-Length: 0", ""), ("X: y", ""),
            ("Transfer-Encoding: chunked", "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"),
            ("Transfer-Encoding: Chunked", "0\r\n\r\n"),
        ] {
            let all = Array((text + second).utf8)
            for size in 1...all.count {
                var body = try body(fields)
                var taken: [UInt8] = []
                for start in stride(from: 0, to: all.count, by: size) {
                    taken += body.take(all[start..<min(start + size, all.count)])
                }
                #expect(String(decoding: taken, as: UTF8.self) == text)
                #expect(body.isEnded && !body.isMalformed)
            }
        }
    }

    @Test(arguments: [
        "3;x=y\r\nabc\r\n0\r\n\r\n", "3 \r\nabc\r\n0\r\n\r\n", "\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "x\r\nabc\r\n",
        "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc0\r\n\r\n", "0\r\nAuthorization: x\r\n\r\n", "0\r\n\n", "-1\r\n\r\n",
        "0x3\r\nabc\r\n",
        "FFFFFFFFFFFFFFFF\r\nabc", "3\r\rabc",
    ])
    func `chunks that servers can read in two ways are refused`(text: String) throws {
        var body = try body("Transfer-Encoding: chunked")
        _ = body.take(Array(text.utf8)[...])
        #expect(body.isMalformed)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", true),
        ("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true), ("HTTP/1.1 204 No Content\r\n\r\n", true),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\n\r\nContent-Length: 3\r\n", false), ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", false),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", false), ("", false),
    ])
    func `a response without a length must end with the end of TLS`(_ response: String, _ showsItsEnd: Bool) {
        for size in [1, 3, 1000] {
            var framing = ResponseFraming(isHead: false)
            let bytes = Array(response.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                framing.take(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(framing.showsItsEnd == showsItsEnd)
        }
        var ofHead = ResponseFraming(isHead: true)
        ofHead.take(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        #expect(ofHead.showsItsEnd)
    }
}
