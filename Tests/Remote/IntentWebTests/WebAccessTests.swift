import Testing
import intentd_web

/// Tests which HTTP requests are permitted.
struct WebAccessTests {
    private static let host = "127.0.0.1:8484"

    /// The state after the browser has opened the printed address, with the cookie and the key of its session.
    private struct Session {
        var access = WebAccess(.port(8484), at: .zero)
        var cookie = ""
        var key = ""

        init() {
            guard case .enter(let header, let key) = access.decide(WebAccessTests.entering(access), at: .seconds(1))
            else {
                return
            }
            cookie = String(header.prefix { $0 != ";" })
            self.key = key
        }
    }

    private static func entering(_ access: WebAccess, method: String = "GET", host: String = host) -> WebRequest {
        let token = access.entrance.split(separator: "=").last.map(String.init)
        return WebRequest(method, "/enter", token: token, host: host)
    }

    @Test func `the token opens a session once`() {
        var access = WebAccess(.port(8484), at: .zero)
        let request = Self.entering(access)
        guard case .enter(let cookie, let key) = access.decide(request, at: .seconds(1)) else {
            Issue.record("the token was refused")
            return
        }
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        #expect(key.count == 32)
        #expect(access.decide(request, at: .seconds(2)) == .refuse(.tokenUsed))
    }

    @Test func `the token is refused after 15 minutes, and a HEAD request does not use it up`() {
        var access = WebAccess(.port(8484), at: .zero)
        #expect(access.decide(Self.entering(access, method: "HEAD"), at: .zero) == .refuse(.tokenUsed))
        var other = access
        guard case .enter = access.decide(Self.entering(access), at: .seconds(899)) else {
            Issue.record("the token was refused too early")
            return
        }
        #expect(other.decide(Self.entering(other), at: .seconds(900)) == .refuse(.tokenUsed))
    }

    @Test func `another token is refused`() {
        var access = WebAccess(.port(8484), at: .zero)
        for token in [nil, "", String(repeating: "0", count: 32)] {
            let request = WebRequest("GET", "/enter", token: token, host: Self.host)
            #expect(access.decide(request, at: .zero) == .refuse(.noSession))
        }
    }

    @Test(arguments: [
        nil, "", "127.0.0.1", "127.0.0.1:80", "attacker.example:8484", "127.0.0.1.attacker.example:8484", "[::1]:8484",
    ])
    func `a request for another host is refused`(host: String?) {
        var session = Session()
        let request = WebRequest("GET", "/", host: host, cookie: session.cookie, key: session.key)
        #expect(session.access.decide(request, at: .seconds(2)) == .refuse(.unknownHost))
    }

    @Test func `behind a socket, any port of this machine is permitted`() {
        var access = WebAccess(.socket, at: .zero)
        guard case .enter = access.decide(Self.entering(access, host: "localhost:3000"), at: .zero) else {
            Issue.record("the request was refused")
            return
        }
        #expect(access.decide(WebRequest("GET", "/", host: "web1:3000"), at: .zero) == .refuse(.unknownHost))
    }

    @Test func `the session's requests are permitted`() {
        var session = Session()
        let (cookie, key) = (session.cookie, session.key)
        let access = { (request: WebRequest) in session.access.decide(request, at: .seconds(2)) }
        let page = WebRequest("GET", "/", host: Self.host, cookie: "other=1; \(cookie)")
        #expect(access(page) == .file("index.html"))
        #expect(access(WebRequest("GET", "/js/main.js", host: Self.host, cookie: cookie)) == .file("js/main.js"))
        let runs = WebRequest("GET", "/v1/runs", host: Self.host, cookie: cookie, key: key)
        #expect(access(runs) == .api(.ownUser))
        let report = WebRequest("GET", "/report/doctor", host: Self.host, cookie: cookie, key: key)
        #expect(access(report) == .report(.doctor))
        let origin = "http://" + Self.host
        let sending = WebRequest("POST", "/v1/files", host: Self.host, origin: origin, cookie: cookie, key: key)
        #expect(access(sending) == .api(.ownUser))
    }

    @Test func `a program is permitted with the secret of the server, and no other`() {
        var access = WebAccess(.socket, at: .zero)
        for path in ["/v1/runs", "/report/doctor"] {
            let own = WebRequest("GET", path, host: "localhost", authorization: access.authorization)
            let expected: WebAccess.Decision = path == "/v1/runs" ? .api(.ownUser) : .report(.doctor)
            #expect(access.decide(own, at: .zero) == expected)
            let other = WebRequest("GET", path, host: "localhost", authorization: "Bearer x")
            #expect(access.decide(other, at: .zero) == .refuse(.noSession))
        }
    }

    @Test func `a combining mark hides no delimiter of a request`() {
        var session = Session()
        let (cookie, key) = (session.cookie, session.key)
        let access = { (request: WebRequest) in session.access.decide(request, at: .seconds(2)) }
        let page = WebRequest("GET", "/", host: Self.host, cookie: "\(cookie);\u{301}x=1")
        #expect(access(page) == .file("index.html"))
        let report = WebRequest("GET", "/report/\u{301}doctor", host: Self.host, cookie: cookie, key: key)
        #expect(access(report) == .refuse(.unknownPath))
    }

    @Test func `a request without the cookie or without the key is refused`() {
        var session = Session()
        let (cookie, key, origin) = (session.cookie, session.key, "http://" + Self.host)
        let access = { (request: WebRequest) in session.access.decide(request, at: .seconds(2)) }
        #expect(access(WebRequest("GET", "/", host: Self.host)) == .refuse(.noSession))
        #expect(access(WebRequest("GET", "/v1/runs", host: Self.host, cookie: cookie)) == .refuse(.noSession))
        #expect(access(WebRequest("GET", "/v1/runs", host: Self.host, key: key)) == .refuse(.noSession))
        #expect(access(WebRequest("GET", "/report/doctor", host: Self.host, cookie: cookie)) == .refuse(.noSession))
        let unknown = WebRequest("GET", "/report/reload", host: Self.host, cookie: cookie, key: key)
        #expect(access(unknown) == .refuse(.unknownPath))
        let sending = WebRequest("POST", "/v1/files", host: Self.host, origin: origin, cookie: cookie)
        #expect(access(sending) == .refuse(.noSession))
        let forged = WebRequest(
            "GET",
            "/",
            host: Self.host,
            cookie: "intentd-8484=" + String(repeating: "f", count: 32)
        )
        #expect(access(forged) == .refuse(.noSession))
    }

    @Test(arguments: ["http://attacker.example", "null", "http://localhost:8484", "https://127.0.0.1:8484", nil])
    func `a POST request from a page of another origin is refused`(origin: String?) {
        var session = Session()
        let request = WebRequest(
            "POST",
            "/v1/files",
            host: Self.host,
            origin: origin,
            cookie: session.cookie,
            key: session.key
        )
        #expect(session.access.decide(request, at: .seconds(2)) == .refuse(.foreignOrigin))
    }

    @Test func `what another site requests is refused`() {
        var session = Session()
        let request = WebRequest(
            "GET",
            "/v1/runs",
            host: Self.host,
            fetchSite: "cross-site",
            cookie: session.cookie,
            key: session.key
        )
        #expect(session.access.decide(request, at: .seconds(2)) == .refuse(.foreignOrigin))
    }

    @Test(arguments: ["PUT", "DELETE", "OPTIONS", "TRACE", "get"])
    func `another method is refused`(method: String) {
        var session = Session()
        let request = WebRequest(method, "/", host: Self.host, cookie: session.cookie, key: session.key)
        #expect(session.access.decide(request, at: .seconds(2)) == .refuse(.unknownMethod))
    }
}
