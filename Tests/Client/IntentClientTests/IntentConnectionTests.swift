import IntentClient
import IntentLauncherMessages
import IntentLinux
import Testing

private let run = RunID(randomBits: 7)

@Suite struct IntentConnectionTests {
    @Test func `a daemon with another protocol version is refused, and the error names both versions`() async throws {
        let error = await #expect(throws: IntentClientError.self) {
            _ = try await ScriptedPeer.connect { peer in
                let hello = try peer.request()
                try peer.answer(hello.id, .hello(Hello(protocolVersion: 2, software: "intentd 2.0")))
                try peer.waitForTheEnd()
            }
        }
        #expect(error?.code == .versionMismatch)
        #expect(error?.message == "intentd 2.0 uses protocol version 2, but this client uses version 1")
    }

    @Test func `hello contains the client's version and name, and the daemon's name is stored`() async throws {
        let connection = try await ScriptedPeer.connect { peer in
            let hello = try peer.request()
            #expect(hello == NumberedRequest(id: 1, .hello(Hello(software: "tests"))))
            try peer.answer(hello.id, .hello(Hello(software: "scripted")))
            try peer.waitForTheEnd()
        }
        #expect(connection.serverSoftware == "scripted")
    }

    @Test func `a malformed frame ends the connection with a protocol violation`() async throws {
        let error = await #expect(throws: IntentClientError.self) {
            _ = try await ScriptedPeer.connect { peer in
                _ = try peer.request()
                try peer.raw(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
                try peer.waitForTheEnd()
            }
        }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `a frame without a valid message is a protocol violation`() async throws {
        let error = await #expect(throws: IntentClientError.self) {
            _ = try await ScriptedPeer.connect { peer in
                _ = try peer.request()
                try peer.raw(Frame.encode(Array("[1,2".utf8), limit: 100))
                try peer.waitForTheEnd()
            }
        }
        #expect(error?.code == .protocolViolation)
    }

    @Test func `a connection that ends inside a frame is reported as lost`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.request()
            try peer.raw([0, 0, 1, 0, 0x7B])
        }
        let error = await #expect(throws: IntentClientError.self) { try await connection.status() }
        #expect(error?.code == .connectionLost)
        #expect(error?.message == "intentd closed the connection in the middle of a message")
    }

    @Test func `an error without a request number fails every open request with its message`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.request()
            try peer.send(.answer(id: nil, .refused(ErrorReport(.protocolViolation, "too large", hint: "split it"))))
        }
        let error = await #expect(throws: IntentClientError.self) { try await connection.runs() }
        #expect(error == IntentClientError(.protocolViolation, "too large", hint: "split it"))
    }

    @Test func `the connection continues after a refused request`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let first = try peer.request()
            try peer.answer(
                first.id,
                .refused(ErrorReport(.unknownApp, "there is no app 'Sop'", hint: "did you mean?"))
            )
            let second = try peer.request()
            try peer.answer(second.id, .runs([]))
            try peer.waitForTheEnd()
        }
        let error = await #expect(throws: IntentClientError.self) { try await connection.app(named: "Sop") }
        #expect(error?.code == .unknownApp)
        #expect(try await connection.runs().isEmpty)
    }

    @Test func `answers are matched to requests in any order`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let first = try peer.request()
            let second = try peer.request()
            for request in [second, first] {
                if request.request == .list {
                    try peer.answer(request.id, .apps([]))
                } else {
                    try peer.answer(request.id, .runs([]))
                }
            }
            try peer.waitForTheEnd()
        }
        async let apps = connection.apps()
        async let runs = connection.runs()
        #expect(try await apps.isEmpty)
        #expect(try await runs.isEmpty)
    }

    @Test func `unknown events and fields of a newer daemon are ignored`() async throws {
        let connection = try await ScriptedPeer.connect { peer in
            func say(_ json: String) throws { try peer.raw(Frame.encode(Array(json.utf8), limit: 1000)) }
            let hello = try peer.request().id
            try say(#"{"id":\#(hello),"mood":{"a":[]},"protocolVersion":1,"software":"intentd 9","type":"hello"}"#)
            let perform = try peer.request().id
            try say(#"{"run":"\#(run.text)","serial":1,"type":"daydream"}"#)
            try say(#"{"id":\#(perform),"mood":1,"run":"\#(run.text)","type":"accepted"}"#)
            try say(#"{"mood":1,"run":"\#(run.text)","serial":2,"state":"running","type":"state"}"#)
            try say(
                #"{"account":{"hadLateResult":false,"leftoverProcessCount":0,"mood":1,"runtimeMilliseconds":1,"#
                    + #""signals":[]},"files":0,"mood":1,"outcome":{"kind":"done","mood":1,"value":"x"},"#
                    + #""run":"\#(run.text)","serial":3,"type":"finished"}"#
            )
            try peer.waitForTheEnd()
        }
        #expect(connection.serverSoftware == "intentd 9")
        let handle = try await connection.perform(PerformRequest(app: "A", intent: "B"))
        #expect(try await handle.result.value == .string("x"))
    }

    @Test func `the isolation of a daemon and of an app has a grade, parts and missing protections`() async throws {
        let isolation = Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"])
        let connection = try await ScriptedPeer.greeted { peer in
            let status = DaemonStatus(
                software: "intentd",
                uptime: .milliseconds(1),
                runningCount: 0,
                queuedCount: 0,
                endedCount: 0,
                appCount: 1,
                isolation: isolation
            )
            try peer.answer(peer.request().id, .status(status))
            let app = AppDescription(
                name: "Soup",
                executable: "/x",
                catalog: nil,
                limits: RunLimits(),
                isolation: isolation
            )
            try peer.answer(peer.request().id, .app(app))
            try peer.waitForTheEnd()
        }
        let status = try await connection.status()
        #expect(status.isolation == ["own root"])
        #expect(status.isolationGrade == .reduced)
        #expect(status.isolationMissing == ["a cgroup"])
        let app = try await connection.app(named: "Soup")
        #expect(
            app.isolation == Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"])
        )
        #expect(app.limits.grantableRuntime == .seconds(600))
    }

    @Test func `the status of a daemon that starts has no grade`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let request = try peer.request()
            let fields = #""uptimeMilliseconds":1,"runningCount":0,"queuedCount":0,"endedCount":0,"appCount":0"#
            let status = #"{"software":"old",\#(fields),"isolation":["own root"]}"#
            try peer.raw(
                Frame.encode(Array(#"{"id":\#(request.id),"type":"status","status":\#(status)}"#.utf8), limit: 500)
            )
            try peer.waitForTheEnd()
        }
        let status = try await connection.status()
        #expect(status.isolation == ["own root"])
        #expect(status.isolationGrade == nil)
        #expect(status.isolationMissing == nil)
    }

    @Test func `a request stops waiting when its task is cancelled, and the connection continues`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.request()
            let second = try peer.request()
            try peer.answer(second.id, .runs([]))
            try peer.waitForTheEnd()
        }
        let waiting = Task { try await connection.status() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try await connection.runs().isEmpty)
    }

    @Test func `every request on a closed connection fails immediately`() async throws {
        let connection = try await ScriptedPeer.greeted { _ in }
        for _ in 0..<2 {
            let error = await #expect(throws: IntentClientError.self) { try await connection.status() }
            #expect(error?.code == .connectionLost)
        }
    }

    @Test func `a missing listener is an error with the next step`() async throws {
        let error = await #expect(throws: IntentClientError.self) {
            _ = try await IntentConnection.connect(to: .path("/nonexistent/intentd.sock"))
        }
        #expect(error?.code == .noDaemon)
        #expect(error?.hint?.contains("systemctl restart intentd.socket") == true)
    }

    @Test func `the environment names the socket, else it is the system's, and a user's own is in the runtime folder`()
        throws
    {
        #expect(try SocketLocation.automatic.path(environment: [:]) == "/run/intentd/intentd.sock")
        #expect(try SocketLocation.automatic.path(environment: ["INTENTD_SOCKET": "/x"]) == "/x")
        #expect(try SocketLocation.user.path(environment: ["XDG_RUNTIME_DIR": "/r"]) == "/r/intentd/intentd.sock")
        #expect(throws: IntentClientError.self) { try SocketLocation.user.path(environment: [:]) }
    }
}
