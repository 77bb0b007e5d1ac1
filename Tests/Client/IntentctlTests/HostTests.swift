import IntentClient
import IntentLinux
import Testing

@testable import intentctl

/// Tests the names and groups of hosts, and the decisions for commands on several hosts.
struct HostTests {
    @Test(arguments: ["web1", "user@web1", "ssh://user@web1:2222", "user@[fe80::1%eth0]", "a.b-c_d"])
    func `a destination that ssh accepts is a host name`(text: String) throws {
        #expect(try HostName(text).text == text)
    }

    @Test(arguments: [
        "", "-oProxyCommand=touch /tmp/x", "-", "web1 web2", "web1;id", "$(id)", "`id`", "web1\n", "w\u{1B}[31m", "wéb",
        "a'b", "a\"b", "a|b", "a&b", "a>b", "a\\b", String(repeating: "a", count: 256),
    ])
    func `a string that ssh or a shell could interpret differently is not a host name`(text: String) {
        #expect(throws: CommandFailure.self) { try HostName(text) }
    }

    @Test func `the name of a host's folder is one path component`() throws {
        #expect(try HostName("user@web1").folderName == "user@web1")
        #expect(try HostName("ssh://user@web1:22").folderName == "ssh:__user@web1:22")
        #expect(try HostName("..").folderName == "_.")
        #expect(try HostName("../../etc").folderName == "_._.._etc")
    }

    @Test func `a list can contain hosts and groups, and each host is included once`() throws {
        var groups = HostGroups()
        try groups.add(
            """
            # the hosts of the shop
            web: web1 web2   # two
            db: user@db1

              all: @web @db web1
            none:
            """,
            from: "hosts"
        )
        #expect(try groups.hosts(of: "@all,web3,web1").map(\.text) == ["web1", "web2", "user@db1", "web3"])
        #expect(try groups.hosts(of: "@none").isEmpty)
        #expect(groups.names == ["all", "db", "none", "web"])
        #expect(groups.knownHosts == ["user@db1", "web1", "web2"])
        #expect(throws: CommandFailure.self) { try groups.hosts(of: "@unknown") }
        #expect(throws: CommandFailure.self) { try groups.hosts(of: "web1,,web2") }
    }

    @Test func `a user's group takes precedence over the system's group with the same name`() throws {
        var groups = HostGroups()
        try groups.add("web: mine", from: "user")
        try groups.add("web: theirs\ndb: db1", from: "system")
        #expect(try groups.hosts(of: "@web,@db").map(\.text) == ["mine", "db1"])
    }

    @Test(arguments: ["web1 web2", "a b: c", ": web1", "web: -oProxyCommand=x", "web: a;b", "web: a\nweb: b"])
    func `the error for a mistake in the file names its line`(text: String) {
        let failure = #expect(throws: CommandFailure.self) {
            var groups = HostGroups()
            try groups.add("ok: web1\n" + text, from: "/etc/intentd/hosts")
        }
        #expect(failure?.exitCode == .configuration)
        #expect(failure?.message.hasPrefix("/etc/intentd/hosts, line ") == true)
    }

    @Test func `a group that contains itself is refused`() throws {
        var groups = HostGroups()
        try groups.add("a: @b\nb: @a", from: "hosts")
        #expect(throws: CommandFailure.self) { try groups.hosts(of: "@a") }
    }

    // MARK: Several hosts

    private func fanOut(
        _ count: Int,
        atLeast: Int? = nil,
        serial: Int? = nil,
        stopsOnFailure: Bool = false
    ) -> FanOut {
        FanOut(hostCount: count, atLeast: atLeast, serial: serial, stopsOnFailure: stopsOnFailure)
    }

    @Test func `the command is started on all hosts, or on as many as --serial permits`() {
        var all = fanOut(3)
        #expect(all.begin() == [0, 1, 2])
        #expect(all.begin() == [])
        var serial = fanOut(5, serial: 2)
        #expect(serial.begin() == [0, 1])
        serial.ended(1, .done)
        #expect(serial.begin() == [2])
        serial.ended(0, .failed)
        serial.ended(2, .done)
        #expect(serial.begin() == [3, 4])
        #expect(!serial.isFinished)
        serial.ended(3, .done)
        serial.ended(4, .done)
        #expect(serial.isFinished && serial.skipped.isEmpty)
    }

    @Test(
        arguments: [
            ([ExitCode.done, .done, .done], nil, ExitCode.done), ([.done, .notFound, .done], nil, .notFound),
            ([.notFound, .notFound, .done], nil, .notFound), ([.notFound, .unavailable, .done], nil, .failed),
            ([.notFound, .unavailable, .done], 1, .done), ([.notFound, .unavailable, .done], 2, .failed),
            ([.userCancelled, .userCancelled, .userCancelled], nil, .userCancelled),
        ] as [([ExitCode], Int?, ExitCode)]
    )
    func `the exit code is that of the whole command`(codes: [ExitCode], atLeast: Int?, expected: ExitCode) {
        var plan = fanOut(codes.count, atLeast: atLeast)
        _ = plan.begin()
        for (host, code) in codes.enumerated() { plan.ended(host, code) }
        #expect(plan.isFinished)
        #expect(plan.code == expected)
    }

    @Test func `with --stop-on-failure no host is started once success is impossible`() {
        var plan = fanOut(4, serial: 1, stopsOnFailure: true)
        #expect(plan.begin() == [0])
        plan.ended(0, .failed)
        #expect(plan.begin() == [] && plan.isFinished && plan.skipped == [1, 2, 3])
        var tolerant = fanOut(4, atLeast: 3, serial: 1, stopsOnFailure: true)
        _ = tolerant.begin()
        tolerant.ended(0, .failed)
        #expect(tolerant.begin() == [1])
        tolerant.ended(1, .failed)
        #expect(tolerant.begin() == [] && tolerant.skipped == [2, 3] && tolerant.code == .failed)
    }

    @Test func `after an interrupt no host is started, and the hosts in progress finish`() {
        var plan = fanOut(3, serial: 1)
        _ = plan.begin()
        plan.interrupted()
        #expect(!plan.isFinished)
        plan.ended(0, .userCancelled)
        #expect(plan.begin() == [] && plan.isFinished && plan.code == .userCancelled)
    }

    @Test func `equal answers are grouped with the hosts that returned them`() {
        let groups = EqualAnswers.of([
            HostAnswer(host: "a", code: .done, output: "hi"), HostAnswer(host: "b", code: .failed, output: "hi"),
            HostAnswer(host: "c", code: .done, output: "hi"),
            HostAnswer(host: "d", code: .failed, output: "hi", failure: "no"),
        ])
        #expect(groups.map(\.title) == ["a, c", "b", "d"])
        let document = EqualAnswers.document(groups, skipped: ["e"], code: .failed)
        #expect(
            document.text()
                == #"{"answers":[{"exitCode":0,"hosts":["a","c"],"output":"hi"},{"exitCode":1,"hosts":["b"],"output":"hi"},"#
                + #"{"error":"no","exitCode":1,"hosts":["d"],"output":"hi"}],"exitCode":1,"skipped":["e"]}"#
        )
    }

    @Test func `a host's lines are progress, notes and, at the end, the error message`() {
        var lines = HostLines()
        #expect(lines.add(Array("progress: 5%\nno".utf8)) == [.progress("progress: 5%")])
        #expect(lines.add(Array("te\u{1B}[2J\n".utf8)).count == 1)
        #expect(lines.add(Array("intentctl: it failed\n  a hint\n".utf8)) == [])
        #expect(lines.finish() == nil)
        #expect(lines.failure == "intentctl: it failed\n  a hint")
        var hostile = HostLines()
        #expect(
            hostile.add(Array("\u{1B}]0;title\u{7}\r\n".utf8)).allSatisfy { line in
                if case .note(let text) = line { !text.unicodeScalars.contains { $0.value < 32 } } else { false }
            }
        )
        for _ in 0..<100 { _ = hostile.add([UInt8](repeating: 65, count: 64 << 10)) }
        #expect(hostile.finish() == nil)
    }

    @Test func `each command has the hosts on which it can act`() {
        #expect(
            CommandSpec.all.filter { !$0.reach.contains(.oneHost) }.map(\.name) == [
                "schedule", "doctor", "fleet", "token", "verify", "new", "completion", "help", "version",
            ]
        )
        let ofOneHost = CommandSpec.all.filter { $0.reach.contains(.oneHost) && !$0.reach.contains(.severalHosts) }
        #expect(ofOneHost.map(\.name) == ["skills", "top", "watch", "press", "mcp", "web", "learn"])
    }

    @Test func `completion offers hosts and groups for the part after the last comma`() throws {
        var groups = HostGroups()
        try groups.add("web: web1 web2", from: "hosts")
        var completion = Completion(["--host", "db1,w"])
        #expect(completion.need == .hosts)
        completion.add(groups)
        #expect(completion.candidates.map(\.word) == ["db1,web1", "db1,web2"])
        var group = Completion(["run", "--host", "@"])
        group.add(groups)
        #expect(group.candidates.map(\.word) == ["@web"])
        #expect(Completion(["--host", "web1", "run", ""]).isRemote)
    }
}
