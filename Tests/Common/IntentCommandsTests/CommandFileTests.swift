import IntentCommands
import IntentConfiguration
import IntentProtocol
import Testing

@Suite struct CommandFileTests {
    @Test func `a file declares intents with parameters of every type`() throws {
        let file = try CommandFixture.file(
            """
            [App]
            Description=Backups

            [Intent Create]
            Title=Create a backup
            Description=Writes an archive.
            Exec=/usr/bin/tar --file %{out:a.tar} %{folder} %{level} %{fast} %{names} %{day} %{pause} %{source} %{ratio}
            Summary=Back up %{folder}
            LongRunning=yes
            Progress=notify
            ReadOnly=yes
            Idempotent=yes

            [Intent Create.Parameter folder]
            Title=Folder
            Description=The folder to back up.
            Question=Which folder?
            Options=/srv/www "/srv/my mail"
            Option=/srv/db The database

            [Intent Create.Parameter level]
            Type=integer
            Range=1..9
            Default=6

            [Intent Create.Parameter fast]
            Type=boolean
            Default=no

            [Intent Create.Parameter names]
            List=yes
            Count=1..3
            Optional=yes

            [Intent Create.Parameter day]
            Type=date
            Optional=yes

            [Intent Create.Parameter pause]
            Type=duration
            Default=1min 30s

            [Intent Create.Parameter source]
            Type=file
            Optional=yes

            [Intent Create.Parameter ratio]
            Type=number
            Range=..0.5
            Default=0.25
            """
        )
        let intent = try #require(file.catalog.intents.first)
        #expect(intent.name == "Create")
        #expect(intent.title == "Create a backup")
        #expect(intent.summary == "Writes an archive.")
        #expect(intent.sentence == "Back up ${folder}")
        #expect(intent.result == .file)
        #expect(intent.traits == [.longRunning, .progressReporting, .cancellable])
        #expect(intent.details?.effect == .reads)
        #expect(intent.details?.isIdempotent == true)
        #expect(intent.details?.category == "Backups")
        let parameters = Dictionary(uniqueKeysWithValues: intent.parameters.map { ($0.name, $0) })
        #expect(
            parameters["folder"]?.type
                == .enumeration([
                    EnumerationCase(value: "/srv/www", title: "/srv/www"),
                    EnumerationCase(value: "/srv/my mail", title: "/srv/my mail"),
                    EnumerationCase(value: "/srv/db", title: "The database"),
                ])
        )
        #expect(parameters["folder"]?.question == "Which folder?")
        #expect(parameters["level"]?.range == NumberRange(lowerBound: 1, upperBound: 9))
        #expect(parameters["level"]?.defaultValue == .int(6))
        #expect(parameters["fast"]?.type == .bool)
        #expect(parameters["names"]?.type == .array(.string))
        #expect(parameters["names"]?.size == ElementCount(minimum: 1, maximum: 3))
        #expect(parameters["day"]?.type == .dateComponents)
        #expect(parameters["day"]?.dateKind == .date)
        #expect(parameters["pause"]?.defaultValue == .double(90))
        #expect(parameters["source"]?.type == .file)
        #expect(parameters["ratio"]?.range == NumberRange(upperBound: 0.5))
        #expect(intent.parameters.map(\.name).first == "folder", "in the order of the file")
    }

    @Test(arguments: [
        ("[Intent A]\nTitle=x\n", ["1: [Intent A] has no Exec="]),
        ("", ["the file has no intent; add a section [Intent NAME] with Exec=, or MCPServer= in [App]"]),
        (
            "[Intent A]\nExec=tar x\n",
            ["2: Exec=: expected an absolute path without '..', got 'tar'"]
        ),
        (
            "[Intent A]\nExec=/bin/a\nExec=/bin/b\n",
            ["3: Exec=: an intent can have only one program; remove this line or the earlier Exec="]
        ),
        (
            "[Intent A]\nExec=/bin/%{x}\n[Intent A.Parameter x]\n",
            ["2: Exec=: expected a program's path without placeholders"]
        ),
        (
            "[Intent A]\nExec=/bin/a %{fodler}\n[Intent A.Parameter folder]\n",
            ["1: [Intent A]: Exec=: unknown parameter 'fodler'; did you mean 'folder'?"]
        ),
        (
            "[Intent A]\nExec=/bin/a\nTerminal=yes\nProgressSource=error\n",
            ["1: [Intent A]: ProgressSource=error: with Terminal=yes, both streams are one; remove a key"]
        ),
        ("[Intent A]\nExec=/bin/a\nTerminal=maybe\n", ["3: Terminal=: expected yes or no, got 'maybe'"]),
        ("[Intent A]\nExec=/bin/a 'x\n", ["2: Exec=: missing closing quotation mark"]),
        (
            "[Intent A]\nExec=/bin/a %d\n",
            ["2: Exec=: unknown specifier '%d'; write '%%' for a percent sign, '%{name}' for a value"]
        ),
        ("[Intent A]\nExec=/bin/a %{x\n", ["2: Exec=: missing '}' after '%{'"]),
        ("[Intent A]\nExec=/bin/a \\x00\n", ["2: Exec=: the escape '\\…00' is not a valid character"]),
        ("[Intent A]\nExec=/bin/a\n[Intent A]\nTitle=x\n", ["3: the intent 'A' has two sections; merge them"]),
        (
            "[Intent A.Parameter x]\n[Intent A]\nExec=/bin/a\n",
            ["1: [Intent A.Parameter x]: the section [Intent A] must come before its parameters"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nTyp=string\n",
            ["4: Typ=: unknown key in [Intent A.Parameter x] (did you mean 'Type='?)"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nType=strin\n",
            [
                "4: Type=: expected one of string, integer, number, boolean, date, time, datetime, duration, url, file, got 'strin'"
            ]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nRange=1..2\n",
            ["4: Range=: only a number, an integer or a duration can have a range"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nType=integer\nRange=9..1\n",
            ["5: Range=: expected a range such as 1..9, 1.. or ..9, got '9..1'"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nType=integer\nDefault=many\n",
            ["5: Default=: expected a whole number, got 'many'"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nPattern=[a-\n",
            ["4: Pattern=: invalid regular expression '[a-': expected ']'"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nSecret=yes\nDefault=x\n",
            ["5: Default=: a secret cannot have a default; use Optional=yes"]
        ),
        (
            "[Intent A]\nExec=/bin/a\n[Intent A.Parameter x]\nType=file\nDefault=x\n",
            ["5: Default=: a file cannot have a default; use Optional=yes"]
        ),
        (
            "[Intent A]\nExec=/bin/a\nReadOnly=yes\nDestructive=yes\n",
            ["4: Destructive=: an intent cannot be both ReadOnly= and Destructive=; remove one of them"]
        ),
        (
            "[Intent A]\nExec=/bin/a\nProgressPattern=(?<x>.)\n",
            ["3: ProgressPattern=: expected the groups (?<done>…) and (?<total>…), or (?<percent>…)"]
        ),
        (
            "[Intent A]\nExec=/bin/a %{out:../x}\n",
            [
                "2: Exec=: '%{out:../x}': expected a file name of letters, digits and '._-' that starts with a letter or digit"
            ]
        ),
        (
            "[Intent A]\nExec=/bin/a %{out:x}\nResult=text\n",
            ["1: [Intent A]: Result=text: Exec= contains %{out:NAME}; set Result=files, or remove %{out:NAME}"]
        ),
        ("[Intent A]\nExec=/bin/a\nUndo=B x=1\n", ["1: [Intent A]: Undo=: the file has no intent 'B'"]),
        (
            "[Intent A]\nExec=/bin/a\nSuccessExitStatus=256\n",
            ["3: SuccessExitStatus=: expected numbers from 0 to 255, got '256'"]
        ),
        ("[Intent A b]\nExec=/bin/a\n", ["1: [Intent A b]: invalid name 'A b'; use letters, digits, '-' and '_'"]),
    ])
    func `a mistake is reported with its line and the next step`(_ text: String, _ problems: [String]) {
        #expect(CommandFixture.problems(text) == problems)
    }

    @Test func `every mistake of a file is reported at once`() {
        let problems = CommandFixture.problems("[Intent A]\nExec=a\n[Intent B]\nExec=/bin/b %x\n[Intent C]\nTitle=c\n")
        #expect(problems.count == 3)
    }

    @Test(arguments: [
        "Exec=/bin/a %{pw}", "Exec=/bin/a %{x}\nDialog=%{pw}", "Exec=/bin/a %{x}\nSummary=%{pw}",
        "Exec=/bin/a %{x}\nCancel=/bin/b %{pw}",
    ])
    func `a secret in an argument or in a displayed string is refused`(_ keys: String) {
        let problems = CommandFixture.problems(
            "[Intent A]\n\(keys)\n[Intent A.Parameter pw]\nSecret=yes\n[Intent A.Parameter x]\n"
        )
        #expect(problems.count == 1)
        #expect(problems.first?.contains("is secret; pass it with Environment=, StandardInput= or %{fd:pw}") == true)
    }

    @Test(arguments: ["WITH-HYPHEN=1", "1ST=1", "=1", "NAME"])
    func `a word that is no environment variable is refused`(_ word: String) {
        let problems = CommandFixture.problems("[Intent A]\nExec=/bin/a\nEnvironment=\(word)\n")
        #expect(problems.count == 1)
        #expect(problems.first?.contains("expected words of the form NAME=VALUE") == true)
    }

    @Test func `a command continues after a backslash, also across a comment`() throws {
        let intent = try CommandFixture.intent("[Intent A]\nExec=/bin/echo one \\\n  two \\\n# why\n  --three\n")
        #expect(intent.exec.map(\.fixedText) == ["/bin/echo", "one", "two", "--three"])
    }

    @Test func `the operator's keys are different from the keys that describe intents`() throws {
        let text = """
            [App]
            Description=Backups
            State=no
            [Intent A]
            Exec=/bin/a
            Runtime=10min
            [Sandbox]
            ReadPaths=/srv
            """
        #expect(try CommandFixture.file(text).intents.count == 1)
        let own = CommandIntentKey.allCases.map(\.rawValue) + CommandAppKey.allCases.map(\.rawValue)
        #expect(Set(own).isDisjoint(with: UnitKeys.all.subtracting(["Environment", "Idempotent"])))
    }

    @Test func `a file with a server has its words and roots, and settings of tools, but no other intents`() throws {
        let file = try CommandFixture.file(
            """
            [App]
            MCPServer=/opt/server --folder '/srv/a b' 100%%
            [Intent git_status]
            Effect=reads
            Runtime=5s
            [Sandbox]
            ReadPaths=/srv/a
            WritePaths=/srv/b
            """
        )
        #expect(file.server == ["/opt/server", "--folder", "/srv/a b", "100%"])
        #expect(file.roots == ["/srv/a", "/srv/b"])
        #expect(file.intents.isEmpty && file.catalog.intents.isEmpty)
        let mixed = CommandFixture.problems("[App]\nMCPServer=/opt/server\n[Intent A]\nExec=/bin/a\nReadOnly=yes\n")
        #expect(mixed.count == 2 && mixed.allSatisfy { $0.contains("MCPServer= describes the intent") }, "\(mixed)")
        for words in ["server", "/opt/../server", "/opt/server %{name}", "%{name}"] {
            #expect(CommandFixture.problems("[App]\nMCPServer=\(words)\n").count == 1, "\(words)")
        }
        #expect(CommandFixture.problems("[App]\nMCPServer=/a\nMCPServer=\n").count == 1)
    }

    @Test(arguments: [
        ("/bin/sh -c 'echo %{x}'", 1), ("/bin/sh -c 'echo $1' sh %{x}", 0), ("/usr/bin/python3 -c %{x}", 1),
        ("/usr/bin/awk %{x} file", 1), ("/usr/bin/awk -v a=%{x} '{print a}'", 0), ("/usr/bin/env bash -c 'rm %{x}'", 1),
        ("/bin/echo sh -c %{x}", 1), ("/usr/bin/perl -e 'print' %{x}", 0),
    ])
    func `a value inside a script causes a warning`(_ exec: String, _ count: Int) throws {
        let intent = try CommandFixture.intent("[Intent A]\nExec=\(exec)\n[Intent A.Parameter x]\n")
        #expect(intent.warnings.count == count, "\(intent.warnings)")
    }
}
