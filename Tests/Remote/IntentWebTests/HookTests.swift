import IntentCommandLine
import IntentHash
import IntentProtocol
import Testing
import intentd_web

/// Tests the files, signatures and replays of hooks.
struct HookTests {
    private static let file = """
        [Hook]
        Scheme=github
        SecretFile=/etc/intentd/hooks.d/build.secret
        User=alice
        Intent=Archive/Compress
        When=/action opened
        [Values]
        title=/issue/title
        labels=/issue/labels
        """

    @Test func `a file names the scheme, the user, the intent and the values`() throws {
        let hook = try HookFile(Array(Self.file.utf8), file: "build.hook")
        #expect((hook.scheme, hook.user, hook.app, hook.intent) == (.github, "alice", "Archive", "Compress"))
        #expect(hook.values == ["title": "/issue/title", "labels": "/issue/labels"])
        #expect(hook.conditions.map(\.pointer) == ["/action"] && hook.conditions.map(\.value) == ["opened"])
    }

    @Test(arguments: [
        ("Scheme=github", "Scheme=x"), ("Scheme=github", ""), ("User=alice", ""), ("/etc/intentd", "etc"),
        ("Archive/Compress", "Archive"), ("Intent=", "Intents="), ("/issue/title", "issue/title"),
        ("/action opened", "/action"),
    ])
    func `a mistake in a file is an error with its place`(_ part: String, _ mistake: String) {
        let text = Self.file.replacing(part, with: mistake)
        let problem = #expect(throws: HookProblem.self) { try HookFile(Array(text.utf8), file: "build.hook") }
        #expect(problem?.description.contains("build.hook") == true)
    }

    private static let secret = Array("It's a Secret to Everybody".utf8)

    @Test func `GitHub's own example has the signature of its documentation`() {
        let body = Array("Hello, World!".utf8)
        let signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
        func identity(_ field: String, _ body: [UInt8], _ secret: [UInt8] = Self.secret) -> String? {
            HookSignature.identity(.github, ["x-hub-signature-256": field], body, secret: secret, at: 0)
        }
        #expect(identity(signature, body) == SHA256.hexadecimal(of: body))
        #expect(identity(signature, body + [33]) == nil)
        #expect(identity(signature, body, Array("another".utf8)) == nil)
        #expect(identity(signature.uppercased(), body) == nil)
        #expect(identity("", body) == nil)
    }

    @Test(arguments: [HookFile.Scheme.stripe, .hmac])
    func `a signature with a time is refused before and after five minutes`(_ scheme: HookFile.Scheme) {
        let body = Array(#"{"id":"evt_1"}"#.utf8)
        func code(_ time: String) -> String {
            SHA256.hexadecimal(SHA256.authenticationCode(of: Array("\(time).".utf8) + body, key: Self.secret))
        }
        let name = scheme == .stripe ? "stripe-signature" : "x-intentd-signature"
        func identity(_ field: String, at seconds: Int64) -> String? {
            HookSignature.identity(scheme, [name: field], body, secret: Self.secret, at: seconds)
        }
        for seconds: Int64 in [700, 1000, 1300] { #expect(identity("t=1000,v1=\(code("1000"))", at: seconds) != nil) }
        for seconds: Int64 in [699, 1301] { #expect(identity("t=1000,v1=\(code("1000"))", at: seconds) == nil) }
        // While a secret is replaced, the sender signs with both.
        #expect(identity("t=1000,v1=\(String(repeating: "0", count: 64)),v1=\(code("1000"))", at: 1000) != nil)
        for field in [
            "", "t=1001,v1=\(code("1000"))", "v1=\(code("1000"))", "t=1000,v0=\(code("1000"))", "t=1000",
            "t=x,v1=\(code("1000"))",
        ] {
            #expect(identity(field, at: 1000) == nil, "\(field)")
        }
        for time in ["\(Int64.max)", "\(Int64.min)", "-1"] {
            #expect(identity("t=\(time),v1=\(code(time))", at: 1000) == nil, "\(time)")
        }
    }

    @Test func `GitLab's token proves the sender only, so the identity is the event's`() {
        func identity(_ token: String, _ event: String, secret: [UInt8] = Self.secret) -> String? {
            let headers = ["x-gitlab-token": token, "x-gitlab-event-uuid": event]
            return HookSignature.identity(.gitlab, headers, [], secret: secret, at: 0)
        }
        let token = String(decoding: Self.secret, as: UTF8.self)
        #expect(identity(token, "1") != nil)
        #expect(identity(token, "1") != identity(token, "2"))
        #expect(identity("x", "1") == nil)
        #expect(identity("", "1", secret: []) == nil)
    }

    @Test func `a replay is refused for three days, and the table of a hook is bounded`() {
        var replays = HookReplays()
        #expect(replays.accept("a", of: "build", at: .zero) == true)
        #expect(replays.accept("a", of: "build", at: .seconds(3 * 86_400 - 1)) == false)
        #expect(replays.accept("a", of: "other", at: .zero) == true)
        #expect(replays.accept("a", of: "build", at: .seconds(3 * 86_400)) == true)
        replays.forget("a", of: "other")
        #expect(replays.accept("a", of: "other", at: .zero) == true)
        for number in 1..<HookReplays.countLimit {
            #expect(replays.accept("\(number)", of: "other", at: .zero) == true)
        }
        #expect(replays.accept("more", of: "other", at: .seconds(1)) == false)
        #expect(replays.accept("more", of: "build", at: .seconds(3 * 86_400)) == true)
        #expect(replays.accept("more", of: "other", at: .seconds(3 * 86_400)) == true)
    }

    @Test func `a pointer selects members and elements, also with slashes and tildes in their names`() throws {
        let document: JSONValue = ["a/b": ["m~n": [1, ["x": "y"]]], "": "empty", "~1": "tilde"]
        for (pointer, expected) in [
            ("/a~1b/m~0n/0", JSONValue.int(1)), ("/a~1b/m~0n/1/x", "y"), ("/", "empty"), ("/~01", "tilde"),
            ("", document),
        ] {
            #expect(JSONPointer(pointer)?.value(in: document) == expected, "\(pointer)")
        }
        for pointer in ["/a~1b/m~0n/2", "/a~1b/m~0n/00", "/a~1b/m~0n/-1", "/none", "/a~1b/m~0n/0/x"] {
            #expect(JSONPointer(pointer)?.value(in: document) == nil, "\(pointer)")
        }
        #expect(JSONPointer("a") == nil)
    }
}
