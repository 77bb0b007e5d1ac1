import Testing

@testable import IntentEgress

@Suite struct FirstBytesTests {
    private func extensions(_ names: [String]) -> [UInt8] {
        names.flatMap { name in
            let count = name.utf8.count
            return [0, 0, 0, UInt8(count + 5), 0, UInt8(count + 3), 0, 0, UInt8(count)] + Array(name.utf8)
        } + [0, 43, 0, 3, 2, 3, 4]
    }

    private func hello(_ names: String...) -> [UInt8] {
        let extensions = extensions(names)
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [
                0, 0, 2, 0x13, 1, 1, 0, UInt8(extensions.count >> 8), UInt8(extensions.count & 0xFF),
            ]
            + extensions
        let message = [1, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
        return [22, 3, 1, UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }

    private func http(_ head: String, for name: String = "api.example") -> FirstBytes.Verdict {
        FirstBytes.check(Array(head.utf8), on: 80, for: name)
    }

    @Test func `TLS must name the granted host`() {
        #expect(FirstBytes.check(hello("api.example"), on: 443, for: "api.example") == .matches)
        #expect(FirstBytes.check(hello("API.example"), on: 443, for: "api.example") == .matches)
        for names in [["other.example"], ["api.example."], ["xapi.example"], ["api.example\0"], [""]] {
            #expect(FirstBytes.check(hello(names[0]), on: 443, for: "api.example") == .differs)
        }
        #expect(FirstBytes.check(hello(), on: 443, for: "api.example") == .differs)
        #expect(FirstBytes.check(hello("api.example", "other.example"), on: 443, for: "api.example") == .differs)
        #expect(FirstBytes.check(Array("GET / HTTP/1.1\r\n".utf8), on: 443, for: "api.example") == .differs)
    }

    @Test func `a ClientHello may arrive byte by byte, and damaged ones never match another name`() {
        let whole = hello("api.example")
        for count in 0..<whole.count {
            #expect(FirstBytes.check(Array(whole.prefix(count)), on: 443, for: "api.example") == .needsMore)
        }
        for index in whole.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var bytes = whole
                bytes[index] = value
                #expect(FirstBytes.check(bytes, on: 443, for: "other.example") != .matches)
            }
        }
    }

    @Test func `HTTP must name the granted host`() {
        #expect(http("GET / HTTP/1.1\r\nHost: api.example\r\n\r\n") == .matches)
        #expect(http("GET / HTTP/1.1\r\nAccept: */*\r\nhost:API.example:80\r\n\r\nbody") == .matches)
        #expect(http("GET http://api.example/x HTTP/1.1\r\nHost: api.example\r\n\r\n") == .matches)
        #expect(http("GET / HTTP/1.1\r\nHost: api.exam") == .needsMore)
        #expect(http("GET / HTTP/1.1\r") == .needsMore)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: other.example\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\nHost: other.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: other.example\r\nHost: api.example\r\n\r\n",
        "GET http://other.example/ HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET http://other.example@api.example/ HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "CONNECT other.example:443 HTTP/1.1\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\nHost: api.example\n\n",
        "GET / HTTP/1.1\r\nX: y\nHost: other.example\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nX: y\rHost: other.example\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : other.example\r\nHost: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example\r\n .other.example\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: api.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: api.example:8080\r\n\r\n", "GET / HTTP/1.1\r\nHost: api.example\0\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\nHost: api.example\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0", "\u{16}\u{3}\u{1}",
    ])
    func `a head that servers may read as one for another host is refused`(head: String) {
        #expect(http(head) != .matches)
        #expect(head.utf8.count < 4 || http(head) == .differs)
    }

    @Test func `a head without end is refused`() {
        #expect(http("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 4000)) == .differs)
        #expect(http(String(repeating: "x", count: FirstBytes.limit + 1)) == .differs)
    }
}
