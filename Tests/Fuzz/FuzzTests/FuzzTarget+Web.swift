import IntentAPI
import IntentCommandLine
import IntentConfiguration
import IntentProtocol

@testable import intentd_web

// What clients of the HTTP API send, and what an issuer of tokens sends.
extension FuzzTarget {
    static let web = [
        FuzzTarget("access-token", .text, AccessToken.byteLimit + 64) { bytes in
            guard let text = bytes.text, let token = try? AccessToken(text) else { return }
            guard AccessToken.algorithms.contains(token.algorithm), text.utf8.count <= AccessToken.byteLimit else {
                throw Finding("a token has an algorithm or size that is not permitted", text)
            }
            guard let caller = try? resource.caller(of: token, at: now) else { return }
            guard caller.user == "alice", caller.allowed == ["Archive/*"], token.subject == "ada",
                token.issuer == issuer,
                !audiences.isDisjoint(with: token.audiences)
            else { throw Finding("a token acts for another account", text) }
        },
        FuzzTarget("access-token-claims", .json, 4096) { bytes in
            // The claims in a token of the right form.
            let text = "eyJhbGciOiJFUzI1NiJ9." + base64URL(bytes) + ".AAAA"
            guard let token = try? AccessToken(text) else { return }
            if let caller = try? resource.caller(of: token, at: now) {
                try require(
                    [caller.user, token.subject, token.issuer],
                    equals: ["alice", "ada", issuer],
                    "the account of a token"
                )
            }
            guard let caller = try? realm.caller(of: token, at: now) else { return }
            let name = token.subject == "ada" ? "alice" : "\(token.subject)@home"
            let isSafe = token.subject.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._+-".utf8.contains($0) }
            guard caller.user == name, token.issuer == issuer, isSafe else {
                throw Finding("a token acts for another caller", text)
            }
        },
        FuzzTarget("issuer-keys", .json, 1 << 14) { bytes in
            if let address = IssuerKey.address(in: bytes, of: issuer), !address.hasPrefix(utf8: "https://") {
                throw Finding("keys are fetched without TLS", address)
            }
            guard let keys = IssuerKey.keys(in: bytes) else { return }
            for key in keys {
                guard key.algorithms.isSubset(of: AccessToken.algorithms), !key.algorithms.isEmpty,
                    let members = JSONValue(parsing: Array(key.text.utf8))?.members,
                    Set(members.keys).isSubset(of: ["kty", "n", "e", "crv", "x", "y"])
                else { throw Finding("a key is not a public key for signatures", key.text) }
            }
        },
        FuzzTarget("answer-form", .text, 1 << 12) { bytes in
            let fields = FormText.fields(bytes)
            guard fields.count <= 16 else { throw Finding("a form has too many fields") }
            for type: ValueType in [.string, .int, .bool, .enumeration([EnumerationCase(value: "a", title: "A")])] {
                var question = Question(number: 1, text: "a", type: type)
                let plain = markup(AnswerPage.question(asking(question)))
                guard let text = bytes.text else { return }
                (question.text, question.title, question.problem) = (text, text, text)
                // The text of an app is never markup. The problem has an element of its own.
                try require(markup(AnswerPage.question(asking(question))), equals: plain + 8, "the markup of a page")
                if let value = try? AnswerPage.answer(to: question, in: bytes), case .enumeration = type {
                    try require(value, equals: .string("a"), "an answer that is a choice")
                }
            }
        },
        FuzzTarget("api-request", .text, 1 << 13) { bytes in
            // METHOD PATH?QUERY on the first line, and the body after it.
            let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let head = lines.first.flatMap({ Array($0).text }) else { return }
            let parts = head.split(scalar: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return }
            let target = parts[1].split(scalar: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard case .route(let route, let path) = APIRoute.match(parts[0], target[0]) else { return }
            var request = APIRequest(
                route,
                path: path,
                headers: ["accept": head, "prefer": head, "idempotency-key": head]
            )
            request.query = FormText.fields(Array((target.count > 1 ? target[1] : "").utf8)).map { ($0.key, $0.value) }
            let body = lines.count > 1 ? Array(lines[1]) : []
            if let wait = request.wait, wait > .seconds(600) { throw Finding("a request waits too long", head) }
            switch route.action {
            case .request(let type): _ = try? request.clientRequest(type, body: body)
            case .perform:
                guard let performance = try? request.performance(body: body) else { return }
                try require(
                    [performance.request.app, performance.request.intent],
                    equals: [path["app"] ?? "", path["intent"] ?? ""],
                    "the intent"
                )
            case .undo, .events, .leave, .resultFile, .storeFile, .extendFile, .readFile, .removeFile, .describeAPI,
                .mcp,
                .hook,
                .answerLink, .resourceMetadata:
                _ = try? request.lastEvent()
            }
        },
        FuzzTarget("mcp-post", .mcp, 1 << 14) { bytes in
            guard let post = try? MCPPost(bytes, headers: [:]) else { return }
            if post.line.contains(UInt8(ascii: "\n")) { throw Finding("a message has several lines") }
            try require(JSONValue(parsing: post.line), equals: JSONValue(parsing: bytes), "a message on one line")
        },
        FuzzTarget("hook-file", .unit, 1 << 13) { bytes in
            guard let hook = try? HookFile(bytes, file: "a.hook") else { return }
            guard !hook.user.isEmpty, !hook.intent.isEmpty, hook.secretFile.hasPrefix(utf8: "/"),
                hook.values.values.allSatisfy({ JSONPointer($0) != nil })
            else { throw Finding("a hook lacks a part", "\(hook)") }
        },
    ]

    private static let issuer = "https://id.example.org"
    private static let audiences = Set(["", "/", "/mcp"].map { "https://intents.example.org" + $0 })
    private static let now = Timestamp(millisecondsSince1970: 1_000_000_000)
    private static let resource = ProtectedResource(settings)
    /// A resource with `Realm=home` for the issuer.
    private static let realm: ProtectedResource = {
        var changed = settings
        changed.realms = [WebSettings.Realm(name: "home", issuer: issuer)]
        return ProtectedResource(changed)
    }()
    private static let settings: WebSettings = {
        var settings = WebSettings()
        settings.hosts = ["intents.example.org"]
        settings.issuers = [issuer]
        settings.subjects = [WebSettings.Subject(user: "alice", issuer: issuer, subject: "ada")]
        settings.scopes = [WebSettings.Scope(name: "archive", allow: ["Archive/*"])]
        return settings
    }()

    private static func asking(_ question: Question) -> AskingRun {
        AskingRun(
            run: RunID(randomBits: 1),
            app: "Probe",
            intent: "Ask",
            user: 1000,
            title: nil,
            question: OpenQuestion(question, remaining: .seconds(1))
        )
    }

    /// The number of characters that begin an element or end an attribute.
    private static func markup(_ html: String) -> Int { html.utf8.count { "<>\"".utf8.contains($0) } }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let group = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - part.count))
            for digit in 0...part.count { text.append(alphabet[Int(group >> UInt32(18 - 6 * digit)) & 63]) }
        }
        return String(foreign: text)
    }
}
