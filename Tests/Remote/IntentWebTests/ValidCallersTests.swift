import IntentProtocol
import Testing

@testable import intentd_web

/// Tests the table of callers with access tokens.
struct ValidCallersTests {
    private static func caller(_ number: Int, _ issuer: String = "https://a.example", _ scope: String = "*")
        -> APICaller
    {
        APICaller(name: "subject \(issuer) \(number)", software: "", user: "\(number)@a", allowed: [scope])
    }

    private static func time(_ seconds: Int64) -> Timestamp { Timestamp(millisecondsSince1970: seconds * 1000) }

    @Test func `an issuer that invents subjects leaves room for the subjects of another issuer`() {
        var callers = ValidCallers()
        let limit = ValidCallers.subjectLimit / 2
        for number in 1...limit {
            let problem = callers.add(
                Self.caller(number),
                of: "https://a.example",
                until: Self.time(number == 1 ? 10 : 100),
                issuerCount: 2
            )
            #expect(problem == nil)
        }
        func add(_ caller: APICaller, _ issuer: String) -> String? {
            callers.add(caller, of: issuer, until: Self.time(50), issuerCount: 2)
        }
        #expect(add(Self.caller(0), "https://a.example") == "https://a.example has too many subjects with valid tokens")
        #expect(add(Self.caller(2), "https://a.example") == nil, "a known subject has room")
        #expect(callers[Self.caller(2)] == Self.time(100), "the last token counts")
        #expect(add(Self.caller(0, "https://b.example"), "https://b.example") == nil)
        callers.forgetExpired(Self.time(10))
        #expect(callers[Self.caller(1)] == nil && callers[Self.caller(3)] == Self.time(100))
        #expect(add(Self.caller(0), "https://a.example") == nil, "an expired subject leaves its place")
        callers.forgetExpired(Self.time(100))
        #expect(callers[Self.caller(3)] == nil)
    }

    @Test func `a subject has a bounded number of sets of scopes`() {
        var callers = ValidCallers()
        let problems = (0..<20).compactMap { number in
            callers.add(
                Self.caller(1, "https://a.example", "App/\(number)"),
                of: "https://a.example",
                until: Self.time(1),
                issuerCount: 1
            )
        }
        #expect(problems.count == 20 - ValidCallers.scopesLimit)
    }
}
