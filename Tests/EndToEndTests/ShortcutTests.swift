import Foundation
import Glibc
import TestSupport
import Testing

/// Shortcuts, with the real programs of the host as their steps.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct ShortcutTests {
    /// Intents that note in a file what they do.
    static let tools = """
        [App]
        State=yes
        [Intent Add]
        Exec=/bin/sh -c 'echo "add $1" >> "$STATE_DIRECTORY/log"; printf %%s "$1"' sh %{word}
        Result=text
        Undo=Remove word=%{word}
        [Intent Add.Parameter word]
        [Intent Remove]
        Exec=/bin/sh -c 'echo "remove $1" >> "$STATE_DIRECTORY/log"' sh %{word}
        [Intent Remove.Parameter word]
        [Intent Number]
        Exec=/usr/bin/expr %{a} + %{b}
        Result=integer
        [Intent Number.Parameter a]
        Type=integer
        [Intent Number.Parameter b]
        Type=integer
        [Intent Fail]
        Exec=/bin/false
        [Intent Words]
        Exec=/usr/bin/printf '%%s\\n' one two three
        Result=lines
        [Intent Pack]
        Exec=/bin/sh -c 'cat "$1" "$1" > "$2"' sh %{file} %{out:packed}
        [Intent Pack.Parameter file]
        Type=file
        [Intent Await]
        Exec=/bin/sh -c 'until [ -e "$STATE_DIRECTORY/go" ]; do sleep 0.05; done; echo "await" >> "$STATE_DIRECTORY/log"'
        Undo=Remove word=await
        LongRunning=yes
        Runtime=5min
        [Intent Read]
        Exec=/bin/sh -c 'cat "$STATE_DIRECTORY/log"'
        Result=lines
        [Intent Go]
        Exec=/bin/sh -c 'touch "$STATE_DIRECTORY/go"'
        """

    static func daemon(_ text: String, sharesLauncher: Bool = false) throws -> Daemon {
        let daemon = try Daemon(sharesLauncher: sharesLauncher)
        try daemon.writeCommands(tools)
        try daemon.writeShortcut(text, as: "Test")
        return daemon
    }

    /// A shortcut that undoes its first step if its second one fails.
    static func adding(then intent: String) -> String {
        """
        [Shortcut Long]
        OnFailure=undo
        [Step one]
        Intent=tools/Add
        Values=word=a
        [Step two]
        Intent=tools/\(intent)
        """
    }

    static func waitForStep(_ intent: String, in daemon: Daemon) throws {
        try eventually("the step \(intent) runs") {
            let runs = try daemon.json("ps")["runs"] as? [[String: Any]] ?? []
            return runs.contains { $0["intent"] as? String == intent && $0["state"] as? String == "running" }
        }
    }

    static func log(of daemon: Daemon) throws -> [String] {
        try daemon.json("run", "tools/Read")["value"] as? [String] ?? []
    }

    @Test func `a shortcut passes typed values from step to step, and is listed and recorded like an intent`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut Sum]
            Title=Add three numbers
            Summary=Add %{a} and 5
            Result=%{second}
            [Shortcut Sum.Parameter a]
            Type=integer
            [Step first]
            Intent=tools/Number
            Values=a=%{a} b=2
            [Step second]
            Intent=tools/Number
            Values=a=%{first} b=3
            """
        )
        #expect(try daemon.intentctl("list").output.contains("Test"))
        #expect(try daemon.intentctl("describe", "Test/Sum").output.contains("Add three numbers"))
        let ran = try daemon.intentctl("run", "Test/Sum", "--a", "37")
        #expect(ran.code == 0, "\(ran.errors)")
        #expect(ran.output == "42\n")
        let runs = try #require(try daemon.json("history")["runs"] as? [[String: Any]])
        #expect(runs.map { $0["intent"] as? String } == ["Number", "Number", "Sum"])
        #expect(runs.allSatisfy { $0["outcome"] as? String == "done" }, "\(runs)")
    }

    @Test func `a file of one step is the file of the next, and of the result`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut Twice]
            Result=%{second}
            [Shortcut Twice.Parameter file]
            Type=file
            [Step first]
            Intent=tools/Pack
            Values=file=%{file}
            [Step second]
            Intent=tools/Pack
            Values=file=%{first}
            """
        )
        let file = daemon.folder.appending("text")
        try Data("abc".utf8).write(to: file)
        let output = try daemon.makeFolder("out")
        let ran = try daemon.intentctl("run", "--out", output.path, "Test/Twice", "--file", file.path)
        #expect(ran.code == 0, "\(ran.errors)")
        #expect(try Data(contentsOf: output.appending(path: "packed")) == Data("abcabcabcabc".utf8))
    }

    @Test func `a failed shortcut undoes its steps in reverse order, and tells what it undid`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut Half]
            OnFailure=undo
            [Step one]
            Intent=tools/Add
            Values=word=a
            [Step two]
            Intent=tools/Add
            Values=word=b
            [Step three]
            Intent=tools/Words
            [Step four]
            Intent=tools/Fail
            [Step five]
            Intent=tools/Add
            Values=word=c
            """
        )
        let ran = try daemon.intentctl("run", "Test/Half")
        #expect(ran.code == 1, "\(ran)")
        #expect(ran.errors.contains("step 'four'"), "\(ran.errors)")
        #expect(ran.errors.contains("undone: two, one"), "\(ran.errors)")
        #expect(ran.errors.contains("not undone: three (it registered no undo)"), "\(ran.errors)")
        #expect(try Self.log(of: daemon) == ["add a", "add b", "remove b", "remove a"])
    }

    @Test func `a shortcut that succeeded is undone once by intentctl undo`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut All]
            [Step one]
            Intent=tools/Add
            Values=word=a
            [Step two]
            Intent=tools/Add
            Values=word=b
            """
        )
        let run = try daemon.detach("Test/All")
        #expect(try daemon.intentctl("wait", run).code == 0)
        for _ in 1...2 {
            let undone = try daemon.intentctl("undo", run)
            #expect(undone.code == 0, "\(undone)")
        }
        #expect(try Self.log(of: daemon) == ["add a", "add b", "remove b", "remove a"])
    }

    @Test func `a shortcut continues after intentd was killed in the middle of a step`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut Long]
            Result=%{one}
            [Step one]
            Intent=tools/Add
            Values=word=a
            [Step two]
            Intent=tools/Await
            [Step three]
            Intent=tools/Add
            Values=word=b
            """,
            sharesLauncher: true
        )
        let run = try daemon.detach("Test/Long")
        try Self.waitForStep("Await", in: daemon)
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        #expect(try next.intentctl("run", "tools/Go").code == 0)
        let end = try next.intentctl("wait", run)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "a\n")
        #expect(try Self.log(of: next) == ["add a", "await", "add b"])
    }

    @Test func `a cancelled shortcut cancels its live step, and then undoes the others`() throws {
        let daemon = try Self.daemon(Self.adding(then: "Await"))
        let run = try daemon.detach("Test/Long")
        try Self.waitForStep("Await", in: daemon)
        #expect(try daemon.intentctl("cancel", run).code == 0)
        #expect(try daemon.json("show", run)["outcome"] as? String == "cancelled")
        #expect(try Self.log(of: daemon) == ["add a", "remove a"])
    }

    @Test func `items are performed in parallel, conditions choose steps, and questions wait for answers`() throws {
        let daemon = try Self.daemon(
            """
            [Shortcut Control]
            Result=%{each}
            [Step list]
            Intent=tools/Words
            [Step each]
            ForEach=%{list}
            Parallel=2
            Intent=tools/Add
            Values=word=%{item}-%{index}
            [Step many]
            If=%{list.count} > 2
            Intent=tools/Add
            Values=word=many
            [Step few]
            Else=many
            Intent=tools/Add
            Values=word=few
            [Step sure]
            Ask=Add %{list.count} words?
            [Step kind]
            Choose=Which?
            Options=red blue
            [Step again]
            Repeat=5
            Until=%{again} = blue-2
            Intent=tools/Add
            Values=word=%{kind}-%{index}
            """
        )
        let run = try daemon.detach("Test/Control")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try daemon.intentctl("answer", run, "yes").code == 0)
        try eventually("the choice is open") { try daemon.intentctl("answer", run, "blue").code == 0 }
        let end = try daemon.json("wait", run)
        #expect(end["value"] as? [String] == ["one-1", "two-2", "three-3"], "\(end)")
        let log = try Self.log(of: daemon)
        #expect(Set(log.prefix(3)) == ["add one-1", "add two-2", "add three-3"])
        #expect(Array(log.dropFirst(3)) == ["add many", "add blue-1", "add blue-2"])
    }

    @Test func `the tree of a shortcut has its steps and their undo, also for the client in Python`() throws {
        let daemon = try Self.daemon(Self.adding(then: "Fail"))
        let run = try daemon.detach("Test/Long")
        #expect(try daemon.intentctl("wait", run).code == 1)
        let tree = try daemon.intentctl("history", "--tree").output.split(separator: "\n").dropFirst()
        let words = tree.map { $0.split(separator: " ").dropFirst().prefix(3).joined(separator: " ") }
        #expect(words[0].hasPrefix("Test/Long failed"), "\(tree)")
        #expect(words[1].hasPrefix("one: tools/Add word=\"a\""), "\(tree)")
        #expect(words[2].hasPrefix("two: tools/Fail failed"), "\(tree)")
        #expect(words[3].hasPrefix("undo one: tools/Remove"), "\(tree)")
        let why = try daemon.intentctl("why", run).output
        for line in [
            "  one: tools/Add word=\"a\" done", "  two: tools/Fail failed", "  undo one: tools/Remove word=\"a\"",
        ] {
            #expect(why.contains(line), "\(line): \(why)")
        }
        let client = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "examples/clients/intentd_client.py")
        let listed = try Command(
            URL(filePath: "/usr/bin/env"),
            ["python3", client.path, "steps", run],
            environment: ["INTENTD_SOCKET": daemon.socket, "PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect(listed.exitCode() == 0, "\(listed.errors)")
        let steps = listed.output.split(separator: "\n").map { $0.split(separator: " ").dropFirst().map(String.init) }
        #expect(steps.map(\.first) == ["one", "two", "undo"], "\(listed.output)")
        #expect(steps.map(\.last) == ["done", "failed", "done"], "\(listed.output)")
        // The client also submits a shortcut that is not installed, and follows its steps.
        let plan = try daemon.folder.file(
            "Plan.shortcut",
            "[Shortcut P]\nResult=%{one}\n[Step one]\nIntent=tools/Add\nValues=word=p\n"
        )
        let planned = try Command(
            URL(filePath: "/usr/bin/env"),
            ["python3", client.path, "plan", plan.path],
            environment: ["INTENTD_SOCKET": daemon.socket, "PYTHONDONTWRITEBYTECODE": "1"]
        )
        #expect(planned.exitCode() == 0 && planned.output == "p\n", "\(planned.output) \(planned.errors)")
        #expect(planned.errors.contains(" one done"), "\(planned.errors)")
    }

    /// A folder with a shortcut, and the intents of its steps in a file beside it.
    private static func folder(_ shortcut: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in [("tools.intents", tools), ("Test.shortcut", shortcut)] {
            try Data(text.utf8).write(to: folder.appending(name))
            chmod(folder.appending(name).path, 0o644)
        }
        return folder
    }

    @Test func `a shortcut is performed without a service, with the intents of the files beside it`() throws {
        let folder = try Self.folder(
            "[Shortcut Sum]\nResult=%{two}\n[Step one]\nIntent=tools/Number\nValues=a=40 b=1\n"
                + "[Step two]\nIntent=tools/Number\nValues=a=%{one} b=1\n"
        )
        let path = folder.appending("Test.shortcut").path
        let ran = try Command(Programs.intentctl, ["run", "--local", path, "Sum"], directory: folder.url)
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        #expect(ran.output == "42\n")
    }

    @Test func `verify checks the names and types of a file against the apps, with lines`() throws {
        let folder = try Self.folder(
            """
            [Shortcut Sum]
            OnFailure=undo
            [Step words]
            Intent=tools/Words
            [Step one]
            Intent=tools/Number
            Values=a=%{words} b=x
            [Step two]
            Intent=tools/Nmber
            [Step three]
            Intent=tools/Add
            Values=wrd=a
            """
        )
        let path = folder.appending("Test.shortcut").path
        let verdict = try Command(Programs.intentctl, ["verify", path], directory: folder.url)
        #expect(verdict.exitCode() == 78, "\(verdict.output)")
        let text = verdict.output + verdict.errors
        for message in [
            "Test.shortcut:5: [Step one]: Values=: a: expected a whole number, but %{words} is a list",
            "Test.shortcut:5: [Step one]: Values=: b: expected a whole number, got 'x'",
            "Test.shortcut:8: [Step two]: Intent=: tools has no intent 'Nmber'",
            "Test.shortcut:10: [Step three]: Values=: tools/Add has no parameter 'wrd'",
            "Test.shortcut:10: [Step three]: Values=: the parameter 'word' has no value",
            "[Step words]: tools/Words declares no undo",
        ] { #expect(text.contains(message), "\(message) is missing: \(text)") }
    }

    @Test func `a file with a mistake is refused with its line`() throws {
        let daemon = try Self.daemon("[Shortcut Bad]\n[Step one]\nIntent=tools/Add\nValues=word=%{two}\n")
        let ran = try daemon.intentctl("run", "Test/Bad")
        #expect(ran.code != 0)
        #expect(ran.errors.contains("Test.shortcut:2: [Step one]: Values=: %{two}"), "\(ran.errors)")
    }

    @Test func `a client cannot choose the key of a step`() throws {
        let daemon = try Self.daemon("[Shortcut A]\n[Step one]\nIntent=tools/Words\n")
        let ran = try daemon.intentctl("run", "--key", "shortcut:0123456789:one:0:1", "tools/Words")
        #expect(ran.code != 0)
        #expect(ran.errors.contains("does not start with 'shortcut:'"), "\(ran.errors)")
    }
}
