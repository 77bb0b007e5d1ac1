import IntentAPI
import IntentProtocol
import Testing
import intentd_web

/// Tests the decisions of the API: routes, requests, ranges and the order of events.
struct APITests {
    private static func request(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String)] = [],
        headers: [String: String] = [:]
    ) throws -> APIRequest {
        guard case .route(let route, let values) = APIRoute.match(method, path) else {
            throw ErrorReport(.unknownPath, path)
        }
        return APIRequest(route, path: values, query: query, headers: headers)
    }

    @Test func `every route is found by its own path, and by no other method`() {
        for route in APIRoute.all {
            let path = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "x" : $0 }.joined(separator: "/")
            guard case .route(let found, let values) = APIRoute.match(route.method, "/" + path) else {
                Issue.record("\(route.path) is not found")
                continue
            }
            #expect(found == route)
            #expect(Set(values.keys) == Set(route.pathParameters))
            guard case .otherMethods(let methods) = APIRoute.match("TRACE", "/" + path) else {
                Issue.record("TRACE is accepted for \(route.path)")
                continue
            }
            #expect(methods.contains(route.method))
        }
        for path in ["", "/", "/v1", "/v1/", "/v1/runs/", "/v1//events", "/v1/runs/a/b/c"] {
            #expect(APIRoute.match("GET", path) == .unknownPath)
        }
    }

    @Test func `a route passes the path, the query and the body to intentd`() throws {
        let history = try Self.request(
            "GET",
            "/v1/history",
            query: [("count", "3"), ("app", "7"), ("isFailure", "true")]
        )
        guard case .history(let query) = try history.clientRequest("history", body: []) else {
            Issue.record("not a query of history")
            return
        }
        #expect((query.count, query.app, query.isFailure) == (3, "7", true))
        let answer = try Self.request("POST", "/v1/runs/7k2m9qxw4c/answer")
        let body = Array(#"{"question":2,"value":true,"run":"0000000000","files":["a"],"type":"reload"}"#.utf8)
        guard case .answer(let sent) = try answer.clientRequest("answer", body: body) else {
            Issue.record("not an answer")
            return
        }
        #expect((sent.run, sent.question, sent.value, sent.files) == ("7k2m9qxw4c", 2, .bool(true), 1))
        #expect(try answer.answerFiles(body: body) == ["a"])
        #expect(throws: ErrorReport.self) { try answer.clientRequest("answer", body: Array(#"{"files":1}"#.utf8)) }
        #expect(sent.entryPoint == .http)
    }

    @Test func `a request to perform takes the app, the intent, the key and the files from their places`() throws {
        let headers = ["idempotency-key": #""a key""#, "content-type": "application/json; charset=utf-8"]
        let request = try Self.request("POST", "/v1/apps/Soup/intents/Order/runs", headers: headers)
        let body = Array(#"{"app":"Other","values":{"guests":3},"files":["a","b"],"writable":[1]}"#.utf8)
        let performance = try request.performance(body: body)
        #expect(performance.files == ["a", "b"])
        let sent = performance.request
        #expect((sent.app, sent.intent, sent.key, sent.fileCount) == ("Soup", "Order", "a key", 2))
        #expect((sent.values, sent.writable, sent.onDisconnect) == (["guests": .int(3)], [1], .continue))
        #expect(sent.entryPoint == .http)
        for wrong in ["[]", "{", #"{"files":2}"#, #"{"files":[1]}"#, #"{"values":[]}"#, #"{"a":1,"a":2}"#] {
            #expect(throws: ErrorReport.self) { try request.performance(body: Array(wrong.utf8)) }
        }
    }

    @Test(arguments: [
        ("bytes=0-9", 0, 10), ("bytes=90-", 90, 10), ("bytes=-5", 95, 5), ("bytes=-500", 0, 100),
        ("bytes=99-200", 99, 1),
    ])
    func `a range selects a part of a file`(_ field: String, offset: UInt64, count: UInt64) throws {
        let range = try ByteRange(field, of: 100)
        #expect((range.offset, range.count, range.isPart) == (offset, count, true))
    }

    @Test func `a range after the end is refused, and a range that is not understood selects the whole file`() throws {
        for field in ["bytes=100-", "bytes=100-200", "bytes=9-3", "bytes=-0"] {
            #expect(throws: ErrorReport.self) { try ByteRange(field, of: 100) }
        }
        for field in [nil, "lines=1-2", "bytes=", "bytes=a-b", "bytes=0-1,4-5", "bytes=1-x", "bytes=-"] {
            #expect(try ByteRange(field, of: 100) == ByteRange(nil, of: 100))
        }
    }

    @Test func `repeated events are left out, also when the newest progress precedes the newest state`() throws {
        let run = try #require(RunID("7k2m9qxw4c"))
        var order = EventOrder(after: 0)
        func event(_ serial: UInt64, _ event: RunEvent) -> NumberedEvent {
            NumberedEvent(run: run, serial: serial, event)
        }
        let progress = RunEvent.progress(ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5))
        #expect(order.accept(event(9, .state(.asking, reason: nil))) == 9)
        #expect(order.accept(event(7, progress)) == 9)
        #expect(order.accept(event(9, .state(.asking, reason: nil))) == nil)
        #expect(order.accept(event(7, progress)) == nil)
        #expect(order.accept(event(10, .output(.stdout, text: "a"))) == 10)
        #expect(order.accept(event(10, .output(.stdout, text: "a"))) == nil)
    }
}
