import Foundation
import IntentClient
import IntentCommandLine
import IntentLinux
import Testing
import intentctl

/// Tests that delimiters in text are found by their bytes, even if a combining mark follows them.
@Suite struct ArgumentBytesTests {
    private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

    // MARK: Quoting

    @Test(arguments: [
        "a'\u{301};echo INJECTED;'\u{301}b", "'\u{301}", "a'\r\n'b", "$(id)\u{2028}'\u{20DD}`id`",
        "\u{1F1E9}'\u{1F1EA}",
    ])
    func `a shell reads a quoted word as it is`(word: String) throws {
        let (text, isSuccess) = try ChildProcess.output(
            of: "/bin/sh",
            arguments: ["-c", "printf %s. \(ShellWord.quote(word))"]
        )
        #expect(isSuccess)
        #expect(bytes(text) == bytes(word + "."))
    }

    @Test func `each percent sign in a unit's user is doubled`() {
        var schedule = Schedule(name: "n", calendar: "daily", app: "A", intent: "I", program: "/usr/bin/intentctl")
        schedule.user = "a%\u{301}n"
        #expect(schedule.files.contains { $0.text.utf8.contains("User=a%%\u{301}n\n".utf8) })
    }

    @Test func `a command file grants no path that its parser would split, and no line comes from a word`() {
        let split = CommandTemplateFile(program: "/usr/bin/tar", arguments: ["/srv/a \u{301}/etc", "/srv/b\n/etc"]) {
            _ in
            true
        }
        #expect(!split.text.utf8.contains("ReadPaths=".utf8))
        let program = "/opt/a\n[Sandbox]\nNetwork=yes"
        let lines = CommandTemplateFile(program: program, arguments: ["b\nTitle=c"]) { _ in true }.text.utf8
            .split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        #expect(!lines.contains { ["[Sandbox]", "Network=yes", "Title=c"].contains($0) })
    }

    @Test func `a Swift literal ends at its own quotation mark`() throws {
        let manifest = try #require(PackageTemplate(name: "A", package: "/a\"\u{301})b\\\u{301}").files.first?.text)
        #expect(manifest.utf8.contains(#"path: "/a\"\#u{301})b\\\#u{301}")"#.utf8))
    }

    // MARK: Command lines

    @Test func `an option's name ends at its equals sign`() throws {
        let invocation = try InvocationParser.parse(["run", "--key=\u{301}k", "--answer=n=\u{301}v", "Soup/Order"])
        #expect(bytes(invocation["key"]) == bytes("\u{301}k"))
        let answer = try RunOptions(invocation).answers.first
        #expect(answer?.name == "n")
        #expect(bytes(answer?.text) == bytes("\u{301}v"))
    }

    @Test(arguments: ["-\u{301}x", "--\u{301}x", "-d\u{301}=x"])
    func `a word that starts with a hyphen is an option`(word: String) {
        let failure = #expect(throws: CommandFailure.self) { try InvocationParser.parse(["list", word]) }
        #expect(failure?.message.utf8.starts(with: "unknown option '-".utf8) == true)
    }

    @Test func `an answer is split at each comma`() throws {
        let question = Question(number: 1, text: "Which?", type: .array(.string), kind: .value)
        #expect(try AnswerText.read("a,\u{301}b", for: question).value == .array([.string("a"), .string("\u{301}b")]))
    }

    @Test func `a condition is split at its spaces and quotation marks`() throws {
        var parameter = ParameterDeclaration(name: "book", title: "Book", type: .string)
        let comparators = [PropertyComparator(name: "equalTo", type: .string)]
        parameter.search = PropertySearchDeclaration(
            properties: [SearchableProperty(name: "title", comparators: comparators)]
        )
        for text in ["\u{301}Du", "Du"] {
            let invocation = try InvocationParser.parse(["options", "--where", "title = \"\(text)\"", "A/B", "book"])
            let search = try SearchArguments.question(of: invocation, about: parameter)
            #expect(search?.comparisons?.first?.values == [.string(text)])
        }
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false),
        ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", false),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n", false),
        ("00-0af7651916cd43dd8448eb211c80319c-\u{301}7ad6b7169203331-01", false), ("", false), ("00--01", false),
    ])
    func `a trace context has the form of the standard`(text: String, isValid: Bool) {
        #expect(TraceParent.isValid(text) == isValid)
    }

    // MARK: Dates

    @Test(arguments: [
        "2026-02-30T09:30:00Z", "2026-02-30 09:30", "2026-22-21 09:30+01:00", "2026-04-31T00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T09:30:60Z", "2026-11-21T09:30+99:00", "2026-11-21T09:30:15.\u{665}Z",
        "2026-11-21T09:30:00Z\u{301}", "2026-11-21T09:30:00Zx", "2026-11-21 \u{301}09:30", "2023-02-29",
    ])
    func `a day or a time that does not exist is no date`(text: String) {
        #expect(DateText.read(text) == nil)
        #expect(Moment.parse(text, now: Moment.now) == nil)
    }

    @Test(arguments: ["2026-02-30", "2026-22-21 09:30", "2026-04-31 09:30", "24:00", "09:30:60", "2024-02-29", "09:30"])
    func `the command line accepts the days and times that messages accept`(text: String) {
        #expect((DateText.components(text) == nil) == (DayAndTime(text) == nil))
    }

    // MARK: Files and programs

    @Test func `a comment in a file of host groups starts at each number sign`() throws {
        var groups = HostGroups()
        try groups.add("web: web1 #\u{301} web2\r\n#\u{20DD}\r\nall:\u{3000}@web\r\n", from: "hosts")
        #expect(try groups.hosts(of: "@all").map(\.text) == ["web1"])
        let failure = #expect(throws: CommandFailure.self) { try groups.hosts(of: "web1,@\u{301}") }
        #expect(failure?.message.utf8.starts(with: "unknown host group".utf8) == true)
    }

    @Test func `an error message of a host can start with a combining mark`() {
        var lines = HostLines()
        #expect(lines.add(Array("intentctl: \u{301}failed\n".utf8)) == [])
        #expect(bytes(lines.failure) == bytes("intentctl: \u{301}failed"))
    }

    @Test func `folders of libraries are separated by each colon`() throws {
        var program = try ElfImage(at: "/proc/self/exe")
        (program.needed, program.runPath, program.rPath) = (["liba.so"], "/x:\u{301}:$ORIGIN\u{301}", nil)
        var library = program
        library.needed = []
        let files = ["/app\u{301}/liba.so": library]
        let entries = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/app/Soup")
        #expect(entries.map(\.path) == ["/app\u{301}/liba.so"])
    }

    @Test func `the kind of a type is found by bytes`() {
        let file =
            #"[{"typeName":"A.B","kind":"protocol\u0301","conformances":["AppIntents.AppIntent"],"properties":[]}]"#
        #expect(ConstValues.read(Data(file.utf8)).isEmpty)
    }
}

extension Collection<UInt8> {
    /// Returns true if the bytes contain other bytes.
    fileprivate func contains(_ other: some Collection<UInt8>) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
