import IntentConfiguration
import IntentHash
import IntentProtocol
import Testing
import intentd_web

/// Tests for which user a request to the service acts, with the time as a parameter.
struct ServiceAccessTests {
    private static let secret = String(repeating: "5e", count: 32)
    private static let now = Timestamp(millisecondsSince1970: 1_000_000)

    private static func token(expires: Int64? = nil) -> WebToken {
        WebToken(
            user: "alice",
            hash: SHA256.hexadecimal(of: secret.utf8),
            allow: ["Archive/*"],
            created: now,
            expires: expires.map { Timestamp(millisecondsSince1970: $0) }
        )
    }

    private static func request(
        _ authorization: String? = "Bearer intentd_laptop_\(secret)",
        host: String? = "127.0.0.1:8485",
        origin: String? = nil
    ) -> WebRequest {
        WebRequest("GET", "/v1/apps", host: host, origin: origin, authorization: authorization)
    }

    private static var access: ServiceAccess {
        var settings = WebSettings()
        settings.hosts = ["intents.example.org"]
        return ServiceAccess(settings)
    }

    private static func decide(
        _ access: inout ServiceAccess,
        _ request: WebRequest,
        from address: String = "192.0.2.1",
        at seconds: Double = 0,
        token: WebToken? = token()
    ) -> ServiceAccess.Decision {
        access.decide(
            request,
            from: address,
            at: .seconds(seconds),
            now,
            ServiceAccess.Tokens(own: { $0 == "laptop" ? token : nil })
        )
    }

    @Test func `a token acts for its account, within its patterns`() {
        var access = Self.access
        for host in ["127.0.0.1:8485", "localhost", "[::1]:8485", "intents.example.org", "Intents.Example.org:443"] {
            guard case .act(let caller) = Self.decide(&access, Self.request(host: host)) else {
                Issue.record("\(host) was refused")
                continue
            }
            #expect((caller.user, caller.name) == ("alice", "laptop"))
            #expect(caller.software.hasSuffix(", token laptop"))
            #expect(caller.permits("Archive", "CompressIntent") && !caller.permits("Probe", "Echo"))
        }
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Basic YTpi", "Bearer x", "Bearer intentd_laptop_",
        "Bearer intentd_laptop_\(String(repeating: "5f", count: 32))", "Bearer intentd_other_\(secret)",
        "Bearer intentd_../laptop_\(secret)", "Bearer intentd_laptop_\(secret)x", "Bearer intentd_laptop_\(secret)_",
    ])
    func `any other token is refused in the same way`(_ authorization: String?) {
        var access = Self.access
        guard case .refuse(.unauthorized, _) = Self.decide(&access, Self.request(authorization)) else {
            Issue.record("\(authorization ?? "nothing") was not refused")
            return
        }
    }

    @Test func `an expired token, another host and another site are refused`() {
        var access = Self.access
        let time = Self.now.millisecondsSince1970
        guard
            case .refuse(.unauthorized, let reason) = Self.decide(
                &access,
                Self.request(),
                token: Self.token(expires: time)
            )
        else {
            Issue.record("an expired token was accepted")
            return
        }
        #expect(reason.contains("expired"))
        guard case .act = Self.decide(&access, Self.request(), token: Self.token(expires: time + 1)) else {
            Issue.record("a token was refused too early")
            return
        }
        for host in [nil, "", "example.org", "127.0.0.1.example.org", "intents.example.org.evil"] {
            guard case .refuse(.unknownHost, _) = Self.decide(&access, Self.request(host: host)) else {
                Issue.record("\(host ?? "nothing") was accepted")
                continue
            }
        }
        let origin = Self.request(host: "intents.example.org", origin: "https://evil.example")
        guard case .refuse(.foreignOrigin, _) = Self.decide(&access, origin) else {
            Issue.record("another site was accepted")
            return
        }
    }

    @Test func `an address that guesses tokens waits, and delays no other address`() {
        var access = Self.access
        var refusals = 0
        for _ in 0..<50 {
            if case .refuse(.tooManyRequests, _) = Self.decide(&access, Self.request("Bearer x")) { refusals += 1 }
        }
        #expect(refusals == 30)
        guard case .act = Self.decide(&access, Self.request(), from: "192.0.2.2") else {
            Issue.record("another address waits")
            return
        }
    }

    @Test func `the pace of requests is a burst, and then a rate`() {
        var pace = RequestPace(perSecond: 10, burst: 5)
        for _ in 0..<5 { #expect(pace.take("a", at: .zero) == nil) }
        #expect(pace.take("a", at: .zero) == .milliseconds(100))
        #expect(pace.take("b", at: .zero) == nil)
        #expect(pace.take("a", at: .milliseconds(100)) == nil)
        #expect(pace.take("a", at: .milliseconds(100)) != nil)
        // The table is bounded: full buckets go, and while none is full, new keys wait.
        for number in 0..<RequestPace.keyLimit { _ = pace.take("key \(number)", at: .seconds(1)) }
        #expect(pace.take("new", at: .seconds(1)) != nil)
        #expect(pace.take("new", at: .seconds(2)) == nil)
    }

    @Test func `patterns permit an app, an intent or everything`() {
        for (pattern, isPermitted) in [
            ("*", true), ("Archive/*", true), ("Archive/Compress", true), ("Archive/CompressIntent", true),
            ("Archive/Expand", false), ("Archiv/*", false), ("Archive", false), ("*/*", false), ("/", false),
        ] {
            #expect(WebToken.allows([pattern], app: "Archive", intent: "CompressIntent") == isPermitted, "\(pattern)")
        }
        for wrong in ["", "Archive", "*/*", "Archive/", "a/b/c", "-a/b"] {
            #expect(!WebToken.isPattern(wrong), "\(wrong)")
        }
    }

    @Test func `a request with two lengths, or with an unknown coding, is ambiguous`() {
        func isAmbiguous(_ fields: (String, String)...) -> Bool {
            WebRequest.hasAmbiguousLength(fields.map { (name: $0.0, value: $0.1) })
        }
        #expect(!isAmbiguous())
        #expect(!isAmbiguous(("Content-Length", "3"), ("Host", "a")))
        #expect(!isAmbiguous(("Transfer-Encoding", "Chunked")))
        for value in ["", "-1", "+3", "0x3", "3,3", "3 3"] {
            #expect(isAmbiguous(("content-length", value)), "\(value)")
        }
        #expect(isAmbiguous(("Content-Length", "3"), ("CONTENT-LENGTH", "3")))
        for name in ["Content-Length ", "Content-Length\t", " X"] { #expect(isAmbiguous((name, "3")), "\(name)") }
        #expect(isAmbiguous(("Content-Length", "3"), ("Transfer-Encoding", "chunked")))
        #expect(isAmbiguous(("Transfer-Encoding", "gzip, chunked")))
        #expect(isAmbiguous(("Transfer-Encoding", "chunked"), ("transfer-encoding", "chunked")))
    }
}
