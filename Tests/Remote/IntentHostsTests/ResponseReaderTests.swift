import Testing

@testable import IntentHosts

/// Tests the HTTP responses and events of another host, which may be hostile.
struct ResponseReaderTests {
    /// Reads a response in parts of a size.
    private func read(_ text: String, by count: Int = 1, answersHead: Bool = false) throws -> [ResponseReader.Part] {
        var reader = ResponseReader()
        reader.answersHead = answersHead
        var parts: [ResponseReader.Part] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            while let part = try reader.next() { parts.append(part) }
        }
        return parts
    }

    private func body(_ parts: [ResponseReader.Part]) -> String {
        var whole: [UInt8] = []
        for case .body(let bytes) in parts { whole += bytes }
        return String(decoding: whole, as: UTF8.self)
    }

    @Test(arguments: [1, 3, 1000]) func `a body has its length or its chunks`(count: Int) throws {
        let parts = try read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 204 x\r\n\r\n", by: count)
        #expect(body(parts) == "hello")
        #expect(parts.count { $0 == .end } == 2)
        guard case .head(let head)? = parts.first else {
            Issue.record("no head")
            return
        }
        #expect(head == ResponseHead(status: 200, fields: ["content-length": "5"]))
        let chunks = "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunked = try read(chunks + "3;a=b\r\nabc\r\nA\r\n0123456789\r\n0\r\nx: y\r\n\r\n", by: count)
        #expect(body(chunked) == "abc0123456789")
        #expect(chunked.last == .end)
    }

    @Test(arguments: ["Content-Length: 6\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n6\r\nhello"])
    func `a body that ends before its size has no end`(response: String) throws {
        let parts = try read("HTTP/1.1 200 OK\r\n" + response)
        #expect(body(parts) == "hello")
        #expect(!parts.contains(.end))
    }

    @Test func `the answer to HEAD has no body`() throws {
        let parts = try read("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", answersHead: true)
        #expect(parts.last == .end && parts.count == 2)
    }

    @Test(arguments: [
        "SSH-2.0-x\r\n\r\n", "HTTP/1.1 99 x\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        "HTTP/1.1 200 OK\r\nx: " + String(repeating: "y", count: ResponseReader.headByteLimit) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "x: y\r\n", count: ResponseReader.headByteLimit / 6) + "\r\n",
    ])
    func `a response that violates HTTP or a limit is refused`(response: String) {
        #expect(throws: ResponseViolation.self) { try self.read(response, by: 1000) }
        #expect(throws: ResponseViolation.self) { try self.read(response) }
    }

    @Test(arguments: [1, 1000]) func `an event is complete at its empty line`(count: Int) throws {
        var reader = EventReader()
        var events: [EventReader.Event] = []
        var rest = Array("event: answer\ndata: {}\n\n:\n\nid: 7\nevent: state\ndata: {\"a\": 1}\n\ndata: x".utf8)[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            while let event = try reader.next() { events.append(event) }
        }
        #expect(
            events == [
                EventReader.Event(id: nil, name: "answer", data: Array("{}".utf8)),
                EventReader.Event(id: 7, name: "state", data: Array(#"{"a": 1}"#.utf8)),
            ]
        )
    }

    @Test func `an event that violates a limit is refused`() {
        for text in ["id: x\n", "data: a\ndata: b\n", "data: " + String(repeating: "a", count: 1 << 21)] {
            var reader = EventReader()
            reader.append(Array(text.utf8))
            #expect(throws: ResponseViolation.self) { try reader.next() }
        }
    }

    @Test func `a link is replaced after growing pauses, for a minute`() {
        var reconnection = Reconnection()
        var now: Duration = .seconds(100)
        var tries = 0
        while case .connect(let time) = reconnection.ended(at: now) {
            #expect(time > now && time - now <= .seconds(5))
            now = time
            tries += 1
        }
        #expect(tries > 10)
        #expect(now <= .seconds(160))
        reconnection.established()
        #expect(reconnection.ended(at: now) == .connect(at: now + .milliseconds(100)))
    }
}
