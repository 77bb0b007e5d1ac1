import IntentCommandLine
import IntentConfiguration
import IntentProtocol
import TestSupport
import Testing
import intentd_web

/// Tests which access tokens of an issuer the service accepts, and when it fetches keys. OAuthTests has real signatures.
struct AccessTokenTests {
    private static let issuer = "https://id.example.org"
    private static let now = Timestamp(millisecondsSince1970: 1_000_000_000)
    private static let claims: JSONValue = [
        "iss": "https://id.example.org", "sub": "ada", "aud": "https://intents.example.org", "exp": 1_000_600,
        "scope": "archive other",
    ]

    private static func encoded(_ value: JSONValue) -> String { base64URL(Array(value.text().utf8)) }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".unicodeScalars)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let group = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for digit in 0...part.count {
                text.unicodeScalars.append(alphabet[Int(group >> UInt32(18 - 6 * digit)) & 63])
            }
        }
        return text
    }

    private static func text(
        _ changes: KeyValuePairs<String, JSONValue?> = [:],
        header: JSONValue = ["alg": "ES256", "kid": "one"]
    ) -> String {
        var claims = claims.members
        for (name, value) in changes { claims[name] = value }
        return "\(encoded(header)).\(encoded(.object(claims))).AAAA"
    }

    private static var settings: WebSettings {
        var settings = WebSettings()
        settings.hosts = ["intents.example.org"]
        settings.issuers = [issuer]
        settings.audiences = ["api://intents"]
        settings.subjects = [WebSettings.Subject(user: "alice", issuer: issuer, subject: "ada")]
        settings.scopes = [
            WebSettings.Scope(name: "archive", allow: ["Archive/*"]),
            WebSettings.Scope(name: "tidy", allow: ["Archive/Compress", "Tidy/*"]),
        ]
        return settings
    }

    private static func refusal(_ text: String, _ settings: WebSettings = settings) -> String? {
        do {
            _ = try ProtectedResource(settings).caller(of: AccessToken(text), at: now)
            return nil
        } catch let problem as AccessToken.Problem {
            return problem.reason
        } catch let refusal as ProtectedResource.Refusal {
            return (refusal.isForbidden ? "forbidden: " : "") + refusal.reason
        } catch {
            return "\(error)"
        }
    }

    @Test func `a token acts for the account of its subject, in the intents of its scopes`() throws {
        let resource = ProtectedResource(Self.settings)
        let caller = try resource.caller(of: AccessToken(Self.text(["scope": "tidy archive"])), at: Self.now)
        #expect(caller.user == "alice" && caller.allowed == ["Archive/*", "Archive/Compress", "Tidy/*"])
        #expect(caller.software.hasSuffix(", subject ada"))
        for audience: JSONValue in [
            "https://intents.example.org/", "https://intents.example.org/mcp", "api://intents", ["x", "api://intents"],
        ] {
            #expect(Self.refusal(Self.text(["aud": audience])) == nil, "\(audience)")
        }
        for scopes: KeyValuePairs<String, JSONValue?> in [
            ["scope": nil, "scp": ["archive"]], ["scope": nil, "scp": "archive"],
        ] {
            #expect(Self.refusal(Self.text(scopes)) == nil)
        }
        for (name, value) in [("exp", 999_971), ("nbf", 1_000_030)] as [(String, JSONValue)] {
            #expect(Self.refusal(Self.text([name: value])) == nil, "the clocks may differ")
        }
    }

    @Test func `every subject of a realm is a caller of its own, unless Subject= states an account`() throws {
        let settings = Self.realm
        func caller(_ subject: String, _ settings: WebSettings) throws -> APICaller {
            try ProtectedResource(settings).caller(of: AccessToken(Self.text(["sub": .string(subject)])), at: Self.now)
        }
        let bob = try caller("bob", settings)
        #expect(bob.user == "bob@home" && bob.allowed == ["Archive/*"] && bob.software.hasSuffix(", bob@home"))
        #expect(
            try caller("alice", settings).user == "alice@home",
            "an account of this host with this name is another user"
        )
        #expect(try caller("ada", settings).user == "alice")
        let names = try ["ada", "bob", "alice", "Bob"].map { try caller($0, settings).name }
        #expect(Set(names).count == 4)
        var other = settings
        other.realms = [WebSettings.Realm(name: "home", issuer: "https://other.example")]
        #expect(Self.refusal(Self.text(["sub": "bob"]), other)?.contains("forbidden: no Subject=") == true)
    }

    private static var realm: WebSettings {
        var changed = settings
        changed.realms = [WebSettings.Realm(name: "home", issuer: issuer)]
        return changed
    }

    @Test(
        arguments: HostileText.all.filter { !$0.utf8.isEmpty } + [
            "root@home", "alice@home", "a/b", "..", "--only", "-x", "a b", "a\0", "auth0|a", "\u{430}lice", "a\u{202E}",
            String(repeating: "a", count: 65),
        ]
    )
    func `a subject that cannot be part of a name permits nothing`(subject: String) {
        let refusal = Self.refusal(Self.text(["sub": .string(subject)]), Self.realm)
        #expect(refusal?.hasPrefix("forbidden: the subject '") == true, "\(refusal ?? "")")
    }

    @Test(
        arguments: [
            ("exp", 999_970, "expired"), ("exp", nil, "no iss, sub or exp"), ("exp", "1000600", "no iss, sub or exp"),
            ("exp", .double(-1e300), "expired"), ("nbf", 1_000_031, "not valid yet"), ("nbf", "x", "of another type"),
            ("aud", "https://example.org", "the token is for"), ("aud", nil, "the token is for"),
            ("aud", ["x", 1], "the token is for"),
            ("sub", "Ada", "forbidden: no Subject="), ("sub", "", "no iss, sub or exp"),
            ("sub", ["ada"], "no iss, sub or exp"),
            ("iss", "https://other.example", "forbidden: no Subject="), ("iss", nil, "no iss, sub or exp"),
            ("scope", "other", "forbidden: no Scope="), ("scope", nil, "forbidden: no Scope="),
            ("scope", "archive-all ARCHIVE", "forbidden: no Scope="), ("cnf", ["jkt": "x"], "a proof of a key"),
        ] as [(String, JSONValue?, String)]
    )
    func `a token with another claim is refused`(name: String, value: JSONValue?, reason: String) {
        #expect(Self.refusal(Self.text([name: value]))?.contains(reason) == true)
    }

    @Test(
        arguments: [
            (["alg": "none"], "algorithm 'none'"), (["alg": "HS256"], "algorithm 'HS256'"),
            (["alg": "es256"], "algorithm 'es256'"),
            ([:], "algorithm ''"), (["alg": ["ES256"]], "algorithm ''"),
            (["alg": "ES256", "typ": "logout+jwt"], "the type"),
            (["alg": "ES256", "typ": 1], "the type"), (["alg": "ES256", "crit": ["x"]], "an extension"),
            (["alg": "ES256", "b64": false], "an extension"), (["alg": "ES256", "kid": 1], "of another type"),
            ([], "not a signed JWT"),
        ] as [(JSONValue, String)]
    )
    func `a token with another header is refused`(header: JSONValue, reason: String) {
        #expect(Self.refusal(Self.text(header: header))?.contains(reason) == true)
    }

    @Test func `a text of another form is no token`() {
        let text = Self.text()
        let long = Self.text(["x": .string(String(repeating: "x", count: AccessToken.byteLimit))])
        for wrong in [
            "", ".", "..", "a.b.c", text + ".", text + ".x", text.replacing(".AAAA", with: "."), "+" + text, long,
        ] {
            #expect(Self.refusal(wrong)?.contains("not a signed JWT") == true, "\(wrong.prefix(20))")
        }
    }

    @Test func `keys of an issuer are those for signatures, with a size and curve that is safe`() throws {
        let modulus = Self.base64URL([UInt8](repeating: 255, count: 256))
        func count(_ key: JSONValue) -> Int? {
            IssuerKey.keys(in: Array(JSONValue.object(["keys": [key]]).text().utf8))?.count
        }
        let rsa: JSONValue = ["kty": "RSA", "n": .string(modulus), "e": "AQAB", "d": "AQAB"]
        let elliptic: JSONValue = ["kty": "EC", "crv": "P-256", "x": "AQAB", "y": "AQAB"]
        #expect(count(rsa) == 1 && count(elliptic) == 1)
        #expect(count(rsa.adding(["use": "enc"])) == 0 && count(rsa.adding(["alg": "HS256"])) == 0)
        #expect(count(rsa.adding(["alg": "ES256"])) == 0 && count(elliptic.adding(["alg": "ES384"])) == 0)
        #expect(count(elliptic.adding(["crv": "secp256k1"])) == 0)
        let short = Self.base64URL([0] + [UInt8](repeating: 255, count: 255))
        #expect(count(rsa.adding(["n": .string(short)])) == 0)
        #expect(count(["kty": "oct", "k": "AQAB"]) == 0)
        let keys = try #require(IssuerKey.keys(in: Array(JSONValue.object(["keys": [rsa]]).text().utf8)))
        #expect(!keys[0].text.contains("\"d\""), "the private part does not reach the library")
        for wrong in ["", "[]", "{}", #"{"keys":{}}"#] { #expect(IssuerKey.keys(in: Array(wrong.utf8)) == nil) }
        let many = JSONValue.object(["keys": .array(Array(repeating: elliptic, count: 100))])
        #expect(IssuerKey.keys(in: Array(many.text().utf8))?.count == IssuerKey.countLimit)
    }

    @Test func `an issuer describes itself at its own address, and names a place with TLS`() {
        #expect(
            IssuerKey.descriptions(of: "https://id.example.org/a/b") == [
                "https://id.example.org/a/b/.well-known/openid-configuration",
                "https://id.example.org/.well-known/oauth-authorization-server/a/b",
            ]
        )
        func address(_ issuer: String, _ keys: String) -> String? {
            let document: JSONValue = ["issuer": .string(issuer), "jwks_uri": .string(keys)]
            return IssuerKey.address(in: Array(document.text().utf8), of: Self.issuer)
        }
        #expect(address(Self.issuer, "https://keys.example.org") == "https://keys.example.org")
        #expect(address("https://evil.example", "https://keys.example.org") == nil)
        for place in ["http://keys.example.org", "file:///etc/passwd", ""] {
            #expect(address(Self.issuer, place) == nil)
        }
    }

    @Test func `senders of unknown keys cause one fetch in ten seconds, and old keys are fetched again`() throws {
        let document = #"{"keys":[{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB","kid":"one"}]}"#
        let known = try #require(IssuerKey.keys(in: Array(document.utf8)))
        let (token, other) = (
            try AccessToken(Self.text()), try AccessToken(Self.text(header: ["alg": "ES256", "kid": "two"]))
        )
        var keys = IssuerKeys([Self.issuer])
        var fetches = 0
        func find(_ token: AccessToken, _ seconds: Int) -> IssuerKeys.Answer {
            keys.find(token, at: .seconds(seconds)) { _ in fetches += 1 }
        }
        func refresh(_ seconds: Int) { keys.refresh(at: .seconds(seconds)) { _ in fetches += 1 } }
        refresh(0)
        #expect((find(token, 0), find(other, 1), fetches) == (.wait, .wait, 1))
        keys.fetched(known, of: Self.issuer, at: .seconds(2))
        #expect((find(token, 3), find(other, 3), fetches) == (.keys(known), .unknownKey, 1))
        #expect((find(other, 10), find(other, 11), find(token, 11), fetches) == (.wait, .wait, .keys(known), 2))
        // A failure leaves the keys in use.
        keys.fetched(nil, of: Self.issuer, at: .seconds(12))
        #expect((find(other, 13), find(token, 13), fetches) == (.unknownKey, .keys(known), 2))
        refresh(3600)
        #expect(fetches == 2)
        refresh(3602)
        refresh(3603)
        #expect(fetches == 3)
        keys.fetched(nil, of: Self.issuer, at: .seconds(3610))
        #expect(find(token, 86_401) == .keys(known))
        // After a day without an issuer, its keys are not used.
        #expect(find(token, 86_402) == .wait)
        let wrong = try AccessToken(Self.text(header: ["alg": "RS256", "kid": "one"]))
        keys.fetched(known, of: Self.issuer, at: .seconds(86_403))
        #expect(find(wrong, 86_403) == .unknownKey, "a key has an algorithm")
    }

    @Test func `a client without a token learns where to obtain one, and no one learns why a token is refused`() {
        var access = ServiceAccess(Self.settings)
        func decide(_ token: String?, path: String = "/v1/apps", isSigned: Bool = true) -> ServiceAccess.Decision {
            access.decide(
                WebRequest("GET", path, host: "intents.example.org", authorization: token.map { "Bearer " + $0 }),
                from: "192.0.2.1",
                at: .zero,
                Self.now,
                ServiceAccess.Tokens(own: { _ in nil }, isSigned: { _, _ in isSigned })
            )
        }
        let document = #"{"keys":[{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB","kid":"one"}]}"#
        #expect(decide(Self.text()) == .wait)
        access.keys.fetched(IssuerKey.keys(in: Array(document.utf8)), of: Self.issuer, at: .zero)
        guard case .act(let caller) = decide(Self.text()) else { return #expect(Bool(false), "refused") }
        #expect(access.isValid(caller, Self.now) { _ in nil })
        let end = Timestamp(millisecondsSince1970: 1_000_630_000)
        #expect(!access.isValid(caller, end) { _ in nil }, "streams end with the token")
        let metadata = "resource_metadata=\"https://intents.example.org/.well-known/oauth-protected-resource"
        #expect(
            decide(nil, path: "/mcp")
                == .refuse(
                    .unauthorized(challenge: "Bearer \(metadata)/mcp\", scope=\"archive tidy\""),
                    reason: "no token"
                )
        )
        let challenge = "Bearer \(metadata)\", error=\"invalid_token\", scope=\"archive tidy\""
        for wrong in [Self.text(["exp": 1]), Self.text(["iss": "https://x"]), "x", "intentd_x_"] {
            guard case .refuse(.unauthorized(challenge), _) = decide(wrong) else {
                return #expect(Bool(false), "\(wrong)")
            }
        }
        guard
            case .refuse(.unauthorized(challenge), "the signature of the token is wrong") = decide(
                Self.text(),
                isSigned: false
            )
        else { return #expect(Bool(false), "a wrong signature") }
        guard case .refuse(.forbidden, _) = decide(Self.text(["sub": "bob"])) else {
            return #expect(Bool(false), "bob")
        }
        #expect(decide(nil, path: "/.well-known/oauth-protected-resource/mcp") == .act(.anyone))
    }

    @Test func `a subject has a bounded number of sets of scopes`() throws {
        var settings = Self.settings
        settings.scopes = (0..<5).map { WebSettings.Scope(name: "s\($0)", allow: ["Archive/I\($0)"]) }
        var access = ServiceAccess(settings)
        let document = #"{"keys":[{"kty":"EC","crv":"P-256","x":"AQAB","y":"AQAB","kid":"one"}]}"#
        _ = access.keys.find(try AccessToken(Self.text()), at: .zero) { _ in }
        access.keys.fetched(IssuerKey.keys(in: Array(document.utf8)), of: Self.issuer, at: .zero)
        var acceptedCount = 0
        for set in 1..<32 {
            let scope = (0..<5).filter { set >> $0 & 1 == 1 }.map { "s\($0)" }.joined(separator: " ")
            let decision = access.decide(
                WebRequest(
                    "GET",
                    "/",
                    host: "localhost",
                    authorization: "Bearer " + Self.text(["scope": .string(scope)])
                ),
                from: "192.0.2.1",
                at: .zero,
                Self.now,
                ServiceAccess.Tokens(own: { _ in nil }, isSigned: { _, _ in true })
            )
            if case .act = decision { acceptedCount += 1 }
        }
        #expect(acceptedCount == 16)
    }
}
