import Foundation
import Glibc
import TestSupport
import Testing

/// Tests programs as intents, with the real programs of the host.
@Suite(.ownThread) struct CommandTests {
    func daemon(_ text: String, limits: [String] = []) throws -> Daemon {
        let daemon = try Daemon(configuration: limits)
        try daemon.writeCommands(text)
        return daemon
    }

    @Test func `a program is listed, described, run and recorded like an intent in Swift`() throws {
        let daemon = try daemon(
            """
            [App]
            Description=Texts
            [Intent Count]
            Title=Count words
            Exec=/usr/bin/wc -w -- %{file}
            Result=text
            Dialog=Counted: %{result}
            ReadOnly=yes
            [Intent Count.Parameter file]
            Type=file
            Description=The text.
            """
        )
        #expect(try daemon.intentctl("list").output.contains("tools"))
        let described = try daemon.intentctl("describe", "tools/Count")
        #expect(described.output.contains("Count words"), "\(described)")
        #expect(described.output.contains("The text."))
        let text = daemon.folder.appending("some text.txt")
        try Data("one two three\n".utf8).write(to: text)
        let ran = try daemon.intentctl("run", "tools/Count", "--file", text.path)
        #expect(ran.code == 0, "\(ran.errors)")
        #expect(ran.output.hasPrefix("3 /own/tmp/"))
        #expect(ran.output.hasSuffix("/some text.txt\n"))
        #expect(try daemon.intentctl("history").output.contains("tools/Count"))
        #expect(try daemon.intentctl("why", daemon.newestRun()).code == 0)
    }

    /// Python prints its arguments exactly.
    private static let echo = """
        [Intent Echo]
        Exec=/usr/bin/python3 -c 'import sys, json; print(json.dumps(sys.argv[1:]))' start %{text} --joined=%{text} end
        Result=json
        [Intent Echo.Parameter text]
        """

    @Test func `a hundred hostile values stay one argument of a real program`() throws {
        let daemon = try daemon(Self.echo)
        let values = [
            "a b", "\n", "'; id; '", "\"; id; \"", "`id`", "$(id)", "$HOME", "&& id", "| id", "; id", "> x", "*", "~",
            "!", "%", "%%",
            "%{text}", "%{x}", "%s%n", "\\", "\\n", "a=b", "é 日本語 👍🏽", "x --force", "--", "\u{1b}[31m", "{\"a\":1}", "",
            " ", "\t",
        ]
        for value in values where !value.hasPrefix("-") {
            let ran = try daemon.json("run", "--json", jsonObject(["text": value]), "tools/Echo")
            let printed = ran["value"] as? [String]
            #expect(printed == ["start", value, "--joined=\(value)", "end"], "\(value.debugDescription)")
        }
        for value in ["-", "-r", "--", "--force"] {
            let ran = try daemon.intentctl("run", "tools/Echo", "--text=\(value)")
            #expect(ran.code == 1 && ran.errors.contains("must not be an option"), "\(value): \(ran)")
        }
        // A negative number is no option.
        let numbers = try self.daemon(
            "[Intent Sum]\nExec=/usr/bin/expr 7 + %{n}\nResult=text\n[Intent Sum.Parameter n]\nType=integer"
        )
        let sum = try numbers.intentctl("run", "tools/Sum", "--n", "-5")
        #expect(sum.code == 0 && sum.output == "2\n", "\(sum)")
        let withNUL = try daemon.intentctl("run", "--json", #"{"text":"a\u0000b"}"#, "tools/Echo")
        #expect(withNUL.code != 0)
    }

    private func jsonObject(_ object: [String: String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    @Test func `files are passed as copies or as standard input, returned, and written back only if writable`() throws {
        let daemon = try daemon(
            """
            [Intent Sort]
            Exec=/bin/sh -c 'sort -o "$2" "$1" && echo sorted' sh %{list} %{out:sorted.txt}
            [Intent Sort.Parameter list]
            Type=file
            [Intent Sum]
            Exec=/usr/bin/sha256sum
            StandardInput=%{data}
            Result=text
            [Intent Sum.Parameter data]
            Type=file
            [Intent Append]
            Exec=/bin/sh -c 'echo more >> "$1"' sh %{list}
            [Intent Append.Parameter list]
            Type=file
            """
        )
        let list = daemon.folder.appending("list.txt")
        try Data("b\na\n".utf8).write(to: list)
        let folder = try daemon.makeFolder("results")
        let sorted = try daemon.start(["run", "--out", folder.path, "tools/Sort", "--list", list.path])
        #expect(sorted.exitCode() == 0, "\(sorted.errors)")
        #expect(sorted.errors.contains("sorted") || sorted.output.contains("sorted"))
        #expect(try String(contentsOf: folder.appending(path: "sorted.txt"), encoding: .utf8) == "a\nb\n")

        let big = daemon.folder.appending("big")
        let made = try Command(URL(filePath: "/usr/bin/truncate"), ["--size=3M", big.path])
        #expect(made.exitCode() == 0)
        let sum = try daemon.intentctl("run", "tools/Sum", "--data", big.path)
        let expected = try Command(URL(filePath: "/usr/bin/sha256sum"), [big.path])
        #expect(expected.exitCode() == 0)
        #expect(sum.output.prefix(64) == expected.output.prefix(64), "\(sum)")

        let refused = try daemon.intentctl("run", "tools/Append", "--list", list.path)
        #expect(refused.code == 1, "\(refused)")
        #expect(try String(contentsOf: list, encoding: .utf8) == "b\na\n")
        let written = try daemon.intentctl("run", "--writable", "list", "tools/Append", "--list", list.path)
        #expect(written.code == 0, "\(written.errors)")
        #expect(try String(contentsOf: list, encoding: .utf8) == "b\na\nmore\n")
    }

    @Test func `the client receives progress from datagrams and lines, and only advancing progress extends the limit`()
        throws
    {
        let daemon = try daemon(
            """
            [Intent Notify]
            Exec=/bin/sh -c 'for i in 1 2 3 4; do intent-progress $i/4 "step $i"; sleep 0.5; done; echo done'
            Progress=notify
            Result=text
            [Intent Lines]
            Exec=/bin/sh -c 'for i in 1 2 3 4; do printf "%%s/4\\\\r" $i >&2; sleep 0.5; done; echo done'
            Progress=lines
            ProgressPattern=^(?<done>\\d+)/(?<total>\\d+)$
            Result=text
            [Intent Stuck]
            Exec=/bin/sh -c 'while :; do intent-progress 1/4 "still $RANDOM"; sleep 0.2; done'
            Progress=notify
            [Intent Phases]
            Exec=/bin/sh -c 'for i in 1 2 3 4 1 2 3 4; do echo $i/4; sleep 0.5; done; echo done >&2; echo 4/4'
            Progress=lines
            ProgressPattern=^(?<done>\\d+)/(?<total>\\d+)$
            [Intent Output]
            Exec=/bin/sh -c 'for i in 1 2 3 4 5; do printf .; sleep 0.5; done'
            Progress=output
            [Intent Buffered]
            Exec=/bin/sh -c 'sleep 30; echo 1%%'
            Progress=lines
            """,
            limits: ["Runtime=1500ms"]
        )
        for intent in ["Phases", "Output"] {
            let ran = try daemon.intentctl("run", "tools/\(intent)")
            #expect(ran.code == 0, "\(ran)")
        }
        let buffered = try daemon.intentctl("run", "tools/Buffered")
        #expect(buffered.code == 124, "\(buffered)")
        #expect(buffered.errors.contains("With Progress=lines, only a line that matches"), "\(buffered)")
        #expect(buffered.errors.contains("Terminal=yes"), "\(buffered)")
        for intent in ["Notify", "Lines"] {
            let ran = try daemon.intentctl("run", "tools/\(intent)")
            #expect(ran.code == 0, "\(ran)")
            #expect(ran.output == "done\n")
            #expect(ran.errors.contains("100%"), "\(ran.errors)")
            // A line with progress is not part of the run's output.
            #expect(!ran.errors.contains("\r"))
        }
        let stuck = try daemon.intentctl("run", "tools/Stuck")
        #expect(stuck.code == 124, "\(stuck)")
        #expect(try daemon.intentctl("why", daemon.newestRun()).output.contains("made no progress for 1.5 s"))
    }

    @Test func `a program asks a question, and receives a person's answer`() throws {
        let daemon = try daemon(
            """
            [Intent Ask]
            Exec=/bin/sh -c 'answer=$(intent-ask --choice yes,no "Delete $1?") || exit 9; echo "got $answer"' sh %{what}
            Result=text
            [Intent Ask.Parameter what]
            [Intent Confirm]
            Exec=/bin/sh -c 'if intent-ask --confirm "Really?"; then echo confirmed; else echo "declined $?"; fi'
            Result=lines
            [Intent Amount]
            Exec=/bin/sh -c 'intent-ask --type integer "How many?"'
            Result=integer
            """
        )
        let run = try daemon.detach("tools/Ask", "--what", "a b; c")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try daemon.intentctl("answer", run).output.contains("Delete a b; c?"))
        #expect(try daemon.intentctl("answer", run, "maybe").code == 64)
        #expect(try daemon.intentctl("answer", run, "no").code == 0)
        #expect(try daemon.intentctl("wait", run).output == "got no\n")

        let confirmed = try daemon.detach("tools/Confirm")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", confirmed, "yes").code == 0)
        #expect(try daemon.intentctl("wait", confirmed).output.contains("confirmed"))

        let amount = try daemon.detach("tools/Amount")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", amount, "7").code == 0)
        #expect(try daemon.intentctl("wait", amount).output == "7\n")
    }

    @Test func `a cancelled program receives the signal or the command of its file, with the reason`() throws {
        let daemon = try daemon(
            """
            [Intent Trap]
            Exec=/bin/sh -c 'trap "echo stopped by INT; exit 0" INT; echo ready; while :; do sleep 0.1; done'
            KillSignal=SIGINT
            [Intent Command]
            Exec=/bin/sh -c 'trap "exit 0" USR1; echo ready; while :; do sleep 0.1; done'
            Cancel=/bin/sh -c 'echo "$INTENT_CANCEL_REASON"; kill -USR1 "$INTENT_PID"'
            Cancellable=yes
            """
        )
        for (intent, line) in [("Trap", "stopped by INT"), ("Command", "userCancelled")] {
            let running = try daemon.start(["run", "tools/\(intent)"])
            try running.waitFor("ready")
            let run = try daemon.run()
            #expect(try daemon.intentctl("cancel", run).code == 0)
            #expect(running.exitCode() == 130, "\(running.errors)")
            #expect((running.output + running.errors).contains(line), "\(intent): \(running.errors)")
        }
    }

    @Test func `no process of a misbehaving program outlives its run`() throws {
        let daemon = try daemon(
            """
            [Intent Background]
            Exec=/bin/sh -c 'sleep 86431 & echo started'
            Result=text
            [Intent Daemon]
            Exec=/bin/sh -c 'setsid sleep 86432 >/dev/null 2>&1 & exec sleep 86432'
            [Intent Stubborn]
            Exec=/bin/sh -c 'trap "" TERM INT HUP QUIT; while :; do sleep 86433; done'
            [Intent Closed]
            Exec=/bin/sh -c 'exec >&- 2>&- <&-; sleep 0.1; exit 3'
            [Intent Flood]
            Exec=/usr/bin/yes 86434
            Result=text
            [Intent Group]
            Exec=/usr/bin/python3 -c 'import os, time; os.setpgid(0, 0) if os.getpgrp() != os.getpid() else os.setsid() if False else None; os.fork() or (os.setsid(), time.sleep(86435)); time.sleep(86435)' 86435
            """,
            limits: ["Runtime=1s", "Grace=200ms", "KillDelay=200ms"]
        )
        #expect(try daemon.intentctl("run", "tools/Background").output == "started\n")
        #expect(try daemon.intentctl("run", "tools/Daemon").code == 124)
        #expect(try daemon.intentctl("run", "tools/Stubborn").code == 124)
        let closed = try daemon.intentctl("run", "tools/Closed")
        #expect(closed.code == 1 && closed.errors.contains("exited with status 3"), "\(closed)")
        #expect(try daemon.intentctl("run", "tools/Flood").code == 124)
        #expect(try daemon.intentctl("run", "tools/Group").code == 124)
        try eventually("no process of the runs is left") {
            ["86431", "86432", "86433", "86434", "86435"].allSatisfy { daemon.processes(with: $0).isEmpty }
        }
    }

    @Test func `a secret is in the environment, on standard input or behind a path, and in no argument or record`()
        throws
    {
        let daemon = try daemon(
            """
            [Intent Secret]
            Exec=/bin/sh -c 'test "$(cat "$1")" = "$PW" && test "$(cat)" = "$PW" && echo same; while test -e go; do sleep 0.1; done; sleep 1' sh %{fd:password}
            Environment=PW=%{password}
            StandardInput=%{password}
            Result=text
            [Intent Secret.Parameter password]
            Secret=yes
            """
        )
        let secret = "hush-\(UInt64.random(in: 0 ... .max))"
        let input = daemon.folder.appending("input")
        try Data(#"{"password":"\#(secret)"}"#.utf8).write(to: input)
        let running = try daemon.start(["run", "--json", "-", "tools/Secret"], input: input)
        let run = try daemon.run()
        // While the program runs, no process of the machine has the secret among its arguments.
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int32(name) != nil {
            let arguments = (try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline"))) ?? Data()
            #expect(!String(decoding: arguments, as: UTF8.self).contains(secret), "process \(name)")
        }
        #expect(running.exitCode() == 0, "\(running.errors)")
        #expect(running.output == "same\n")
        #expect(!(try daemon.intentctl("show", run).output.contains(secret)))
        let grep = try Command(
            URL(filePath: "/usr/bin/grep"),
            ["-rlaF", secret] + ["state", "cache"].map { daemon.folder.appending($0).path }
        )
        #expect(grep.exitCode() == 1, "\(grep.output)")
    }

    @Test func `options come from a program, and a value that is not among them is refused`() throws {
        let daemon = try daemon(
            """
            [Intent Show]
            Exec=/bin/echo chosen %{color}
            Result=text
            [Intent Show.Parameter color]
            OptionsCommand=/usr/bin/printf 'red\\\\tWarm red\\\\nblue\\\\n'
            """
        )
        let options = try daemon.intentctl("options", "tools/Show", "color")
        #expect(options.output.contains("red") && options.output.contains("Warm red"), "\(options)")
        #expect(try daemon.intentctl("run", "tools/Show", "--color", "red").output == "chosen red\n")
        let refused = try daemon.intentctl("run", "tools/Show", "--color", "bleu")
        #expect(refused.code != 0 && refused.errors.contains("did you mean 'blue'?"), "\(refused)")
    }

    @Test func `new and changed files take effect with the next request, and a mistake affects only its file`() throws {
        let daemon = try daemon("[Intent A]\nExec=/bin/echo one\nResult=text\n")
        #expect(try daemon.intentctl("run", "tools/A").output == "one\n")
        try daemon.writeCommands(
            "[Intent A]\nExec=/bin/echo two\nResult=text\n[Intent B]\nExec=/bin/echo b\nResult=text\n"
        )
        #expect(try daemon.intentctl("run", "tools/A").output == "two\n")
        #expect(try daemon.intentctl("run", "tools/B").output == "b\n")
        // The sandbox changes together with the programs.
        try daemon.writeCommands(
            "[Intent A]\nExec=/bin/cat /etc/hostname\nResult=text\n[Sandbox]\nReadPaths=/etc/hostname\n"
        )
        let host = try String(contentsOfFile: "/etc/hostname", encoding: .utf8)
        #expect(try daemon.intentctl("run", "tools/A").output == host)

        try daemon.writeCommands("[Intent X]\nExec=/bin/echo x\nResult=text\n", as: "other")
        for (text, place) in [
            ("[Intent A]\nExec=echo\n", "tools.intents:2: Exec=:"),
            ("[Intent A]\nExce=/bin/echo\n", "tools.intents:2: Exce=:"),
            ("[Sandbox]\nNetwork=perhaps\n", "tools.intents:2: Network=:"),
        ] {
            try daemon.writeCommands(text)
            let refused = try daemon.intentctl("run", "tools/A")
            #expect(refused.code == 78 || refused.code == 69, "\(refused)")
            #expect(refused.errors.contains(place), "\(refused.errors)")
            #expect(try daemon.intentctl("run", "other/X").output == "x\n")
            let status = try daemon.intentctl("status")
            #expect(status.code == 78 && status.output.contains("tools"), "\(status)")
        }
        #expect(try daemon.intentctl("reload").code == 0, "other files can be reloaded")
        try daemon.writeCommands("[Intent A]\nExec=/bin/echo again\nResult=text\n")
        #expect(try daemon.intentctl("run", "tools/A").output == "again\n")
    }

    @Test func `a run can be undone by another intent of the file`() throws {
        let daemon = try daemon(
            """
            [Intent Add]
            Exec=/bin/sh -c 'echo "$1" >> "$STATE_DIRECTORY/list"' sh %{item}
            Undo=Remove item=%{item}
            [Intent Add.Parameter item]
            [Intent Remove]
            Exec=/bin/sed -i -e /^%{item}$/d /state/list
            [Intent Remove.Parameter item]
            Pattern=[a-z]+
            [Intent List]
            Exec=/bin/cat /state/list
            Result=text
            """
        )
        #expect(try daemon.intentctl("run", "tools/Add", "--item", "apple").code == 0)
        let run = try daemon.newestRun()
        #expect(try daemon.intentctl("run", "tools/Add", "--item", "pear").code == 0)
        #expect(try daemon.intentctl("run", "tools/List").output == "apple\npear\n")
        #expect(try daemon.intentctl("undo", run).code == 0)
        #expect(try daemon.intentctl("run", "tools/List").output == "pear\n")
    }

    @Test func `a run of a program survives the end of intentd`() throws {
        let daemon = try Daemon(sharesLauncher: true)
        try daemon.writeCommands(
            "[Intent Wait]\nExec=/bin/sh -c 'touch go.awaited; while ! test -e go; do sleep 0.1; done; echo finished'\nResult=lines\n"
        )
        let run = try daemon.detach("tools/Wait")
        try eventually("the program runs") { try daemon.json("show", run)["state"] as? String == "running" }
        try eventually("the program is there") { !daemon.processes(with: "/bin/sh").isEmpty }
        daemon.signal(SIGKILL)
        _ = daemon.exitCode()
        let next = try Daemon(after: daemon)
        try next.bring()
        let end = try next.intentctl("wait", run)
        #expect(end.code == 0, "\(end)")
        #expect(end.output.contains("finished"))
    }
}
