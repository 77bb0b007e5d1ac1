import IntentCommands
import IntentConfiguration
import IntentProtocol
import TestSupport
import Testing

/// Tests the conversion of values to the arguments of a program.
@Suite struct ArgumentTests {
    private func intent(_ exec: String, _ parameters: String = "[Intent A.Parameter x]\n") throws -> CommandIntent {
        try CommandFixture.intent("[Intent A]\nExec=\(exec)\n\(parameters)")
    }

    @Test(arguments: [
        (#"/bin/a b  c"#, ["/bin/a", "b", "c"]), (#"/bin/a 'b c' "d e""#, ["/bin/a", "b c", "d e"]),
        (#"/bin/a b' 'c"#, ["/bin/a", "b c"]), (#"/bin/a "" ''"#, ["/bin/a", "", ""]),
        (#"/bin/a \x41\t\\ \u00e4"#, ["/bin/a", "A\t\\", "ä"]),
        (#"/bin/a "it's" 'say "x"'"#, ["/bin/a", "it's", "say \"x\""]),
        (#"/bin/a 100%% $HOME * ; | `id`"#, ["/bin/a", "100%", "$HOME", "*", ";", "|", "`id`"]),
    ])
    func `words have the quotes and escapes of systemd`(_ exec: String, _ arguments: [String]) throws {
        #expect(try CommandFixture.arguments(intent(exec, "")) == arguments)
    }

    /// Strings that have a special meaning in a shell, an option parser or this template language.
    static let attempts: [String] =
        [
            "a b", " ", "", "\n", "\r\n", "\t", "a\nb", "'", "\"", "\\", "\\\"", "'; id; '", "\"; id; \"", "`id`",
            "$(id)", "${IFS}",
            "$HOME", "$1", "$@", "$$", "&& id", "|| id", "| id", "; id", "& id", "> /tmp/x", ">> x", "< /etc/passwd",
            "2>&1",
            "<(id)", "*", "?", "[a-z]", "{a,b}", "~", "~root", "!", "!!", "#", "# x", "%", "%%", "%{x}", "%{y}",
            "%{out:f}",
            "%{fd:x}", "%{x?a:b}", "%s", "%n", "%n%n%n", "\u{1b}[31m", "\u{7}", "\u{7f}", "\u{202e}", "\u{feff}",
            "\u{2028}",
            "../../etc/passwd", "/etc/passwd", "..", ".", "file:///etc/passwd", "http://x/", "@/etc/passwd", "+x", "=x",
            "a=b",
            "IFS=x", "LD_PRELOAD=x", "x -rf /", "x --force", "x\u{0}".replacing("\u{0}", with: "0"), "\\x00", "\\0",
            "\\n",
            "$(printf '\\x2d')rf", "\u{2010}rf", "\u{2212}1", "−−help", "a--b", "x-", "\"%{x}\"", "'%{x}'", "%{result}",
            "%{last-line}", "\\%{x}", "( id )", "{ id; }", "[ 1 ]", "if true", "eval id", "exec id", ". /x",
            "source /x", "é", "日本語",
            "👍🏽", "e\u{301}", String(repeating: "A", count: 4096), "\u{1}\u{2}\u{3}", "a\\", "\\a", "''", "\"\"", "\\'",
            "$'\\n'",
            "$\"x\"", "\u{85}", "\u{a0}", "\u{200b}x", "x\u{200d}y",
        ]

    @Test(arguments: attempts)
    func `a value is one argument, with every byte as it was given`(_ value: String) throws {
        let between = try intent("/bin/a before %{x} after")
        #expect(try CommandFixture.arguments(between, ["x": .string(value)]) == ["/bin/a", "before", value, "after"])
        let joined = try intent("/bin/a --name=%{x} 'a b%{x}c'")
        #expect(
            try CommandFixture.arguments(joined, ["x": .string(value)]) == [
                "/bin/a", "--name=\(value)", "a b\(value)c",
            ]
        )
        let listed = try intent("/bin/a %{x} end", "[Intent A.Parameter x]\nList=yes\n")
        #expect(
            try CommandFixture.arguments(listed, ["x": .array([.string(value), .string("2")])])
                == ["/bin/a", value, "2", "end"]
        )
    }

    @Test func `there are at least a hundred attempts`() { #expect(Self.attempts.count >= 100) }

    @Test func `every character of a value stays within its argument`() throws {
        let intent = try intent("/bin/a %{x}")
        for scalar in (1...0x2FF).compactMap({ Unicode.Scalar(UInt32($0)) }) {
            let value = "x\(scalar)y"
            #expect(try CommandFixture.arguments(intent, ["x": .string(value)]) == ["/bin/a", value])
        }
    }

    @Test(arguments: ["-", "-r", "--force", "-rf /", "--", "-1"])
    func `a value that begins with a hyphen cannot become an option`(_ value: String) throws {
        for exec in ["/bin/a %{x}", "/bin/a %{x}.txt", "/bin/a -o %{x}", "/bin/a %{x} --"] {
            #expect(throws: ArgumentError.self, "\(exec)") {
                try CommandFixture.arguments(intent(exec), ["x": .string(value)])
            }
        }
        for (exec, argument) in [
            ("/bin/a -- %{x}", value), ("/bin/a --name=%{x}", "--name=\(value)"), ("/bin/a ./%{x}", "./\(value)"),
        ] {
            #expect(try CommandFixture.arguments(intent(exec), ["x": .string(value)]).last == argument)
        }
    }

    @Test func `a value after an empty value cannot become an option either`() throws {
        let intent = try intent("/bin/a %{x}%{y}", "[Intent A.Parameter x]\n[Intent A.Parameter y]\n")
        #expect(throws: ArgumentError.self) {
            try CommandFixture.arguments(intent, ["x": .string(""), "y": .string("-rf")])
        }
    }

    @Test(arguments: ["/bin/a -%{x}", "/bin/a --%{x}", "/bin/a --%{x}=1"])
    func `a template in which a value would determine the option is refused`(_ exec: String) {
        let problems = CommandFixture.problems("[Intent A]\nExec=\(exec)\n[Intent A.Parameter x]\n")
        #expect(problems.count == 1)
        #expect(problems.first?.contains("lets a value determine the option") == true)
        #expect(CommandFixture.problems("[Intent A]\nExec=\(exec)\n[Intent A.Parameter x]\nOptions=a b\n") == [])
    }

    @Test func `a negative number can begin an argument, because it names no option`() throws {
        let number = "[Intent A.Parameter x]\nType=integer\n"
        #expect(try CommandFixture.arguments(intent("/bin/a %{x}", number), ["x": .int(-1)]).last == "-1")
        #expect(try CommandFixture.arguments(intent("/bin/a n=%{x}", number), ["x": .int(-1)]).last == "n=-1")
    }

    @Test func `a value with a NUL is refused`() throws {
        #expect(throws: ArgumentError.self) {
            try CommandFixture.arguments(intent("/bin/a %{x}"), ["x": .string("a\u{0}b")])
        }
    }

    @Test func `a value that is longer than the kernel permits is refused`() throws {
        #expect(throws: ArgumentError.self) {
            try CommandFixture.arguments(intent("/bin/a %{x}"), ["x": .string(String(repeating: "x", count: 131_072))])
        }
    }

    @Test func `a word without a value is omitted, and a list becomes one word for each element`() throws {
        let intent = try intent(
            "/bin/a %{level?--level} %{level} --exclude=%{names} %{loud?--loud:--quiet} %{flag?--flag} end",
            """
            [Intent A.Parameter level]
            Type=integer
            Optional=yes
            [Intent A.Parameter names]
            List=yes
            Optional=yes
            [Intent A.Parameter loud]
            Type=boolean
            Default=no
            [Intent A.Parameter flag]
            Type=boolean
            Default=no

            """
        )
        #expect(try CommandFixture.arguments(intent) == ["/bin/a", "--quiet", "end"])
        #expect(
            try CommandFixture.arguments(
                intent,
                [
                    "level": .int(9), "names": .array([.string("a b"), .string("c")]), "loud": .bool(true),
                    "flag": .bool(true),
                ]
            ) == ["/bin/a", "--level", "9", "--exclude=a b", "--exclude=c", "--loud", "--flag", "end"]
        )
        #expect(try CommandFixture.arguments(intent, ["names": .array([])]) == ["/bin/a", "--quiet", "end"])
    }

    @Test(arguments: [
        ("integer", IntentValue.int(42), "42"), ("number", .double(2.5), "2.5"), ("number", .double(3), "3"),
        ("boolean", .bool(true), "true"), ("date", .string("2026-11-21"), "2026-11-21"),
        ("duration", .double(90), "90"),
        ("url", .string("https://example.org/?a=b&c"), "https://example.org/?a=b&c"),
        ("file", .file(FileReference(index: 0, name: "a b.txt")), "/runs/1/a b.txt"),
    ])
    func `each value has one representation as a string`(_ type: String, _ value: IntentValue, _ text: String) throws {
        let intent = try intent("/bin/a v=%{x}", "[Intent A.Parameter x]\nType=\(type)\n")
        #expect(try CommandFixture.arguments(intent, ["x": value]).last == "v=\(text)")
    }

    @Test func `a pattern must match the whole value`() throws {
        let intent = try intent("/bin/a %{x}", "[Intent A.Parameter x]\nPattern=[a-z]+\n")
        #expect(try CommandFixture.arguments(intent, ["x": .string("abc")]).last == "abc")
        for value in ["ab1", "", "abc\n", " abc"] {
            #expect(throws: ArgumentError.self) { try CommandFixture.arguments(intent, ["x": .string(value)]) }
        }
    }

    @Test func `result files have paths in the run's folder`() throws {
        let intent = try intent("/bin/a --file=%{out:a.tar} %{out:b.txt} %{out:a.tar}", "")
        #expect(intent.outputs == ["a.tar", "b.txt"])
        #expect(
            try CommandFixture.arguments(intent)
                == ["/bin/a", "--file=/runs/1/output/a.tar", "/runs/1/output/b.txt", "/runs/1/output/a.tar"]
        )
    }

    @Test func `a pattern matches scalars, so a combining mark hides no character`() throws {
        let intent = try intent("/bin/a %{x}", "[Intent A.Parameter x]\nPattern=[^;/]*\n")
        #expect(try CommandFixture.arguments(intent, ["x": .string("e\u{301}")]).last == "e\u{301}")
        for value in ["a;\u{301}rm", "..\u{301}/\u{301}etc"] {
            #expect(throws: ArgumentError.self) { try CommandFixture.arguments(intent, ["x": .string(value)]) }
        }
    }

    @Test func `an error quotes only the start of a long value`() throws {
        let intent = try intent("/bin/a %{x}", "[Intent A.Parameter x]\nPattern=[a-z]\n")
        let error = try #require(throws: ArgumentError.self) {
            try CommandFixture.arguments(intent, ["x": .string(String(repeating: "x", count: 100_000))])
        }
        #expect(error.message.utf8.count < 300)
    }

    @Test func `the strings of a condition end at the first colon`() throws {
        let intent = try intent("/bin/a %{x?yes:\u{301}no}", "[Intent A.Parameter x]\nType=boolean\n")
        #expect(try CommandFixture.arguments(intent, ["x": .bool(true)]) == ["/bin/a", "yes"])
        #expect(try CommandFixture.arguments(intent, ["x": .bool(false)]) == ["/bin/a", "\u{301}no"])
    }

    @Test(arguments: [#"\u0301\u0323"#, #"\U00000301\U00000323"#, "\u{301}\\u0323"])
    func `more than thirty combining marks in a row are refused, even as escapes`(_ marks: String) throws {
        func words(_ count: Int) throws -> [TemplateWord] {
            try TemplateText.words(of: "/bin/a b" + String(repeating: marks, count: count))
        }
        #expect(try words(15).count == 2)
        for count in [16, 50_000] {
            let error = #expect(throws: TemplateError.self) { try words(count) }
            #expect(error?.message == "more than 30 combining marks follow each other; remove them")
        }
    }

    @Test(
        arguments: [
            "a", "a b", "", "\"", "\\", "'", "%{x}", "a\tb", "x'y\"z", "a\"\u{301} b\"\u{301}", "a b\\\u{301}",
            "\\\"\u{20DD} b", "a\nb", "a\r\n\u{301}b", "a\u{2028}b", "a\u{85}\u{1B}b", " \u{301}",
            "\u{1F1E9}\"\u{1F1EA}",
        ] + HostileText.all.filter { !$0.utf8.contains(UInt8(ascii: "%")) }
    )
    func `a quoted word is parsed as the original word`(_ word: String) throws {
        let quoted = TemplateText.quote(word)
        let words = try TemplateText.words(of: quoted)
        #expect(words.count == 1)
        if !word.contains("%") { #expect(words.first?.fixedText.map { Array($0.utf8) } == Array(word.utf8)) }
        // The quoted word is one line of a configuration file.
        #expect(UnitFile(Array("[A]\nB=\(quoted)".utf8), file: "f").assignments.map(\.value) == [quoted])
    }
}
