import IntentCommands
import IntentLauncherMessages
import IntentProtocol
import Testing
import intentd_command

/// Tests the interpretation of a program's datagrams, lines, output and exit.
@Suite struct ProgramOutputTests {
    @Test(arguments: [
        ("X_PROGRESS=12/100", 12, 100), ("READY=1\nX_PROGRESS=3/4\nSTATUS=x", 3, 4), ("X_PROGRESS=50%", 5000, 10_000),
        ("X_PROGRESS=12.5 %", 1250, 10_000), ("X_PROGRESS=9/4", 4, 4), ("X_PROGRESS= 1 / 2 ", 1, 2),
    ])
    func `a datagram reports progress`(_ text: String, _ completed: Int64, _ total: Int64) {
        #expect(NotifyMessage(Array(text.utf8)).progress == ProgramProgress(completed: completed, total: total))
    }

    @Test(arguments: [
        "", "X_PROGRESS", "X_PROGRESS=", "X_PROGRESS=x", "X_PROGRESS=1/0", "X_PROGRESS=-1/2", "X_PROGRESS=101%",
        "X_PROGRESS=nan%", "X_PROGRESS=inf%", "X_PROGRESS=1/2/3", "X_PROGRESS=99999999999999999999/1", "READY=1",
        "x_progress=1/2", "\u{0}\u{0}", "X_PROGRESS=0x1/2", "X_PROGRESS=1e3/2",
    ])
    func `a datagram without valid progress reports none`(_ text: String) {
        #expect(NotifyMessage(Array(text.utf8)).progress == nil)
    }

    @Test func `a datagram of any bytes is read without a trap`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...64)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = NotifyMessage(bytes)
            _ = NotifyMessage(Array("X_PROGRESS=".utf8) + bytes)
            _ = AskRequest(bytes)
            _ = AskRequest(bytes + [0])
        }
    }

    @Test(arguments: [
        ("45% done", ProgramProgress(completed: 4500, total: 10_000)),
        ("     32,768  12%   10.0MB/s", ProgramProgress(completed: 1200, total: 10_000)), ("nothing", nil),
        ("250%", nil),
    ])
    func `a line reports the percentage that the default pattern finds`(_ line: String, _ progress: ProgramProgress?)
        throws
    {
        let intent = try CommandFixture.intent("[Intent A]\nExec=/bin/a\nProgress=lines\n")
        #expect(ProgressLine(line, intent.progressPattern.regex)?.progress == progress)
    }

    @Test func `a pattern has groups for the numbers and for a text`() throws {
        let intent = try CommandFixture.intent(
            "[Intent A]\nExec=/bin/a\nProgress=lines\nProgressPattern=^step (?<done>\\d+) of (?<total>\\d+): (?<status>.*)$\n"
        )
        let line = ProgressLine("step 2 of 8: packing", intent.progressPattern.regex)
        #expect(line?.progress == ProgramProgress(completed: 2, total: 8))
        #expect(line?.status == "packing")
        #expect(ProgressLine("step x of 8: packing", intent.progressPattern.regex) == nil)
    }

    @Test func `lines end at line feeds and carriage returns, wherever the reads split them`() {
        let text = Array("a\rb\nlong\r\n\nend".utf8)
        for size in 1...text.count {
            var lines = OutputLines()
            var found: [OutputLines.Line] = []
            for start in stride(from: 0, to: text.count, by: size) {
                found += lines.append(Array(text[start..<min(start + size, text.count)]))
            }
            if let rest = lines.finish() { found.append(rest) }
            #expect(found.flatMap { $0.bytes + $0.end } == text)
            #expect(found.map { String(decoding: $0.bytes, as: UTF8.self) } == ["a", "b", "long", "", "", "end"])
        }
    }

    @Test func `an endless line is split, and uses bounded memory`() {
        var lines = OutputLines()
        let found = lines.append([UInt8](repeating: 65, count: 200 << 10))
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.bytes.count == OutputLines.byteLimit && $0.end.isEmpty })
    }

    @Test func `the last line that is not empty explains a failure`() {
        var line = LastLine()
        line.append(Array("first\nwhy it failed\n\n  \n".utf8))
        #expect(line.text == "why it failed")
        #expect(LastLine().text == nil)
        // A message of mount(8) has a second line.
        var message = LastLine(skipsContinuations: true)
        message.append(Array("mount: /mnt: must be superuser.\n       dmesg(1) may have more.\n".utf8))
        #expect(message.text == "mount: /mnt: must be superuser.")
    }

    // MARK: Results

    private func ending(
        _ keys: String,
        _ end: ProcessEnd = .exited(code: 0),
        output: String? = "",
        error: String? = nil,
        outputs: Set<String> = []
    ) throws -> WorkerResult {
        let intent = try CommandFixture.intent(
            "[Intent A]\nExec=/bin/a \(outputs.sorted().map { "%{out:\($0)}" }.joined(separator: " "))\n\(keys)\n"
        )
        var program = ProgramEnd(end)
        program.output = output.map { Array($0.utf8) }
        program.lastErrorLine = error
        program.lastOutputLine = output
        program.outputs = outputs
        return intent.result(of: program, try CommandValues([:], of: intent) { _ in "" }, given: [:])
    }

    @Test(arguments: [
        ("Result=text", "a\nb\n", IntentValue.string("a\nb")), ("Result=text", "", .string("")),
        ("Result=integer", " 42\n", .int(42)), ("Result=number", "2.5\n", .double(2.5)),
        ("Result=boolean", "yes\n", .bool(true)),
        ("Result=lines", "a\n\nb\n", .array([.string("a"), .string(""), .string("b")])),
        ("Result=lines", "", .array([])),
        ("Result=json", #"{"a":[1,true,null]}"#, .object(["a": .array([.int(1), .bool(true), .null])])),
        ("Result=status", "x", .int(0)),
    ])
    func `standard output becomes a value`(_ keys: String, _ output: String, _ value: IntentValue) throws {
        #expect(try ending(keys, output: output).ending == .returned(value: value, dialog: nil))
    }

    @Test(arguments: [
        ("Result=integer", "many"), ("Result=json", "{"), ("Result=boolean", "perhaps"), ("Result=number", ""),
    ])
    func `output of another type is an error that quotes it`(_ keys: String, _ output: String) throws {
        guard case .threw(let message) = try ending(keys, output: output).ending else {
            Issue.record("expected an error")
            return
        }
        #expect(message.contains("'\(output)'"))
    }

    @Test(arguments: ["text", "lines"])
    func `bytes that are not UTF-8 are refused as a value, and shown`(_ kind: String) throws {
        let intent = try CommandFixture.intent("[Intent A]\nExec=/bin/a\nResult=\(kind)\n")
        var program = ProgramEnd(.exited(code: 0))
        program.output = Array("caf".utf8) + [0xE9, 0x0A]
        let result = intent.result(of: program, try CommandValues([:], of: intent) { _ in "" }, given: [:])
        guard case .threw(let message) = result.ending else {
            Issue.record("expected an error")
            return
        }
        #expect(message.contains(#"'caf\xE9"#), "\(message)")
    }

    @Test func `an output becomes text that messages permit`() throws {
        let marks = String(repeating: "\u{301}", count: 40)
        let result = try ending("Result=text\nDialog=%{result}%{last-line}", output: marks)
        guard case .returned(.string(let text)?, let dialog?) = result.ending else {
            Issue.record("expected a string")
            return
        }
        #expect(StreamSafeText.isStreamSafe(text))
        #expect(StreamSafeText.isStreamSafe(dialog))
        #expect(throws: Never.self) {
            try PayloadShape.check(WireCoding.encode(WorkerReport.finished(result)), as: .message, valueLimit: .max)
        }
        #expect(NotifyMessage(Array("STATUS=\(marks)".utf8)).status.map { StreamSafeText.isStreamSafe($0) } == true)
    }

    @Test(arguments: [
        (String(repeating: "[", count: 40) + String(repeating: "]", count: 40), "levels of nesting"),
        ("[" + String(repeating: "0,", count: 20_000) + "0]", "values"),
        (#"["a\#(String(repeating: "\u{301}", count: 40))"]"#, "combining marks"),
        (#"{"a": 1, "a": 2}"#, "twice"),
    ])
    func `an output that messages do not permit is an error`(_ output: String, _ reason: String) throws {
        guard case .threw(let message) = try ending("Result=json", output: output).ending else {
            Issue.record("expected an error")
            return
        }
        #expect(message.contains(reason))
        #expect(message.utf8.count < 500)
    }

    @Test func `an output that is too long for a value is an error`() throws {
        guard case .threw(let message) = try ending("Result=text", output: nil).ending else {
            Issue.record("expected an error")
            return
        }
        #expect(message.contains("more than 64 KiB"))
    }

    @Test func `a failure names the exit status and the last line of standard error`() throws {
        let failed = try ending("", .exited(code: 2), error: "no such table")
        #expect(failed.ending == .threw(message: "'a' exited with status 2: no such table"))
        #expect(failed.details?.code == "exit.2")
        let killed = try ending("", .signaled(signal: 11))
        #expect(killed.ending == .threw(message: "'a' was killed by SIGSEGV"))
        #expect(killed.details?.code == "signal.SIGSEGV")
    }

    @Test(arguments: [
        ("SuccessExitStatus=0 1", 1, true), ("SuccessExitStatus=1", 0, false), ("Result=status", 3, true),
        ("", 1, false),
    ])
    func `the author decides which exit statuses succeed`(_ keys: String, _ status: Int32, _ succeeds: Bool) throws {
        let result = try ending(keys, .exited(code: status)).ending
        if case .returned = result { #expect(succeeds) } else { #expect(!succeeds) }
    }

    @Test func `files are returned, and a missing file is an error`() throws {
        let found = try ending("", outputs: ["a.tar"])
        #expect(found.ending == .returned(value: .file(FileReference(index: 0, name: "a.tar")), dialog: nil))
        #expect(found.files == [.path("output/a.tar")])
        let intent = try CommandFixture.intent("[Intent A]\nExec=/bin/a %{out:a.tar}\n")
        let missing = intent.result(
            of: ProgramEnd(.exited(code: 0)),
            try CommandValues([:], of: intent) { _ in "" },
            given: [:]
        )
        guard case .threw(let message) = missing.ending else {
            Issue.record("expected an error")
            return
        }
        #expect(message.contains("did not write the file 'a.tar'"))
    }

    @Test func `the dialog has the result and the last line`() throws {
        let result = try ending("Result=integer\nDialog=Found %{result} (%{last-line})", output: "7")
        #expect(result.ending == .returned(value: .int(7), dialog: "Found 7 (7)"))
    }

    @Test func `a run offers the intent that undoes it, with values of their own types`() throws {
        let file = try CommandFixture.file(
            """
            [Intent A]
            Exec=/bin/a %{count} %{name}
            Result=integer
            Undo=B number=%{count} label=undo-%{name} made=%{result} secret=x

            [Intent A.Parameter count]
            Type=integer
            [Intent A.Parameter name]

            [Intent B]
            Exec=/bin/b
            [Intent B.Parameter number]
            Type=integer
            [Intent B.Parameter label]
            [Intent B.Parameter made]
            Type=integer
            [Intent B.Parameter secret]
            """
        )
        let intent = try #require(file.intent("A"))
        let given: [String: IntentValue] = ["count": .int(3), "name": .string("x")]
        var end = ProgramEnd(.exited(code: 0))
        end.output = Array("9\n".utf8)
        let result = intent.result(of: end, try CommandValues(given, of: intent) { _ in "" }, given: given)
        #expect(
            result.details?.undo?.intent
                == IntentReference(
                    intent: "B",
                    values: ["number": .int(3), "label": .string("undo-x"), "made": .int(9), "secret": .string("x")]
                )
        )
    }

    // MARK: intent-ask

    @Test func `a question has a type, choices and a default`() throws {
        let choice = try #require(AskRequest(Array("choice\0no\0Delete?\0yes\0no\0".utf8)))
        #expect(choice.question.kind == .choice)
        #expect(choice.question.choices.map(\.value) == ["yes", "no"])
        #expect(choice.question.defaultValue == .string("no"))
        let confirm = try #require(AskRequest(Array("confirm\0\0Really?\0".utf8)))
        #expect(confirm.question.type == .bool)
        #expect(AskReply.answer("x").bytes == Array("Ax".utf8))
    }

    @Test(arguments: [
        "", "text\0", "text\0\0", "text\0\0\0", "nonsense\0\0x\0", "choice\0\0x\0", "text\0\0x\0y\0",
        "choice\0\0x\0a\0a\0", "text\0\0x",
    ])
    func `a request that intent-ask does not send is refused`(_ text: String) {
        #expect(AskRequest(Array(text.utf8)) == nil)
    }

    @Test func `a question of any bytes fits into a frame`() throws {
        let text = String(repeating: "\u{1}", count: AskRequest.byteLimit - 10)
        let request = try #require(AskRequest(Array("text\u{0}\u{0}\(text)\u{0}".utf8)))
        #expect(WireCoding.encode(request.question).count < Question.byteLimit)
        #expect(AskRequest(Array("text\u{0}\u{0}\(text)\(text)\u{0}".utf8)) == nil)
    }

    @Test func `options are lines with a value and a title`() {
        let list = PrintedOptions(output: Array("a\tAlpha\nb\n\n\tx\nc d\tCee\tdee\n".utf8))
        #expect(list.options.map(\.value) == ["a", "b", "x", "c d"])
        #expect(list.value(matching: "ALPHA") == .array([.object(["value": .string("a"), "title": .string("Alpha")])]))
    }
}
