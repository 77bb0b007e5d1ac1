import Foundation
import Glibc
import TestSupport
import Testing

/// Tests questions on real terminals.
@Suite(.ownThread, .enabled(if: Terminals.isThere, "needs tmux"))
struct TerminalQuestionTests {
    private let daemon: Daemon
    private let terminals: Terminals

    init() throws {
        daemon = try Daemon(app: ["[History]", "Secret=password"])
        terminals = Terminals(in: daemon.folder)
        for name in ["one", "two"] { try terminals.open(name) }
    }

    private func intentctl(_ words: String) -> String {
        "'\(Programs.intentctl.path)' --socket '\(daemon.socket)' \(words); echo left:$?"
    }

    private func ask(_ way: String, _ options: String = "", in terminal: String = "one") throws {
        try terminals.type(intentctl("run \(options) Probe/AskSomething --way \(way)"), in: terminal)
    }

    @Test func `the first answer from two terminals counts, and the other terminal shows the answering user`() throws {
        try ask("value")
        try terminals.wait("one", for: "Cups (a whole number, 1 to 5):")
        let run = try daemon.run(in: "asking")
        try terminals.type(intentctl("watch \(run)"), in: "two")
        try terminals.wait("two", for: "Cups (a whole number, 1 to 5):")
        try terminals.type("4", in: "two")
        try terminals.wait("one", for: "answered by")
        try terminals.wait("one", for: "left:0")
        try terminals.wait("two", for: "left:0")
        // The value is on a line of its own.
        #expect(try terminals.screen("one").split(separator: "\n").contains { $0 == "4" })
    }

    @Test func `an invalid answer is refused with the reason, and the question is repeated`() throws {
        try ask("needsValue")
        try terminals.wait("one", for: "How many cups?")
        try terminals.type("many", in: "one")
        try terminals.wait("one", for: "expected a whole number, 1 to 5, got 'many'")
        try terminals.type("9", in: "one")
        try terminals.wait("one", for: "from 1 to 5, got 9")
        try terminals.type("5", in: "one")
        try terminals.wait("one", for: "5 at 2")
        try terminals.wait("one", for: "left:0")
    }

    @Test func `a required value that the command line lacks is asked for`() throws {
        try terminals.type(intentctl("run Probe/Add --second 2"), in: "one")
        try terminals.wait("one", for: "First (a whole number):")
        try terminals.type("many", in: "one")
        try terminals.wait("one", for: "expected a whole number, got 'many'")
        try terminals.type("3", in: "one")
        try terminals.wait("one", for: "left:0")
        #expect(try terminals.screen("one").contains("\n5\n"))
    }

    @Test func `a missing entity is asked for with the app's suggestions, and accepts other ids`() throws {
        let run = "'\(Programs.intentctl.path)' run --local '\(Programs.url("Ported").path)' ShowBook; echo left:$?"
        try terminals.type(run, in: "one")
        try terminals.wait("one", for: "number or name:")
        #expect(try terminals.screen("one").contains("Emma"))
        try terminals.type("Emma", in: "one")
        try terminals.wait("one", for: "left:0")
        try terminals.type(run, in: "two")
        try terminals.wait("two", for: "number or name:")
        try terminals.type("no such book", in: "two")
        try terminals.wait("two", for: "does not identify any")
    }

    @Test func `a second invalid answer ends the prompt, but not the question`() throws {
        try ask("needsValue")
        try terminals.wait("one", for: "How many cups?")
        try terminals.type("many", in: "one")
        try terminals.wait("one", for: "got 'many'")
        try terminals.type("many", in: "one")
        try terminals.wait("one", for: "answer it within")
        #expect(try daemon.intentctl("answer", try daemon.run(in: "asking"), "5").code == 0)
        try terminals.wait("one", for: "left:0")
    }

    @Test func `choices are numbered, and can be selected by number or name`() throws {
        for answer in ["2", "red"] {
            try ask("choice")
            try terminals.wait("one", for: "1) Green")
            try terminals.wait("one", for: "number or name:")
            try terminals.type(answer, in: "one")
            try terminals.wait("one", for: "left:0")
            #expect(try terminals.screen("one").contains("\nred\n"))
            try terminals.type("clear; tput reset", in: "one")
            try eventually("the screen is cleared") { try !terminals.screen("one").contains("left:0") }
            try terminals.waitForShell("one")
        }
    }

    @Test func `a confirmation defaults to no, and a destructive one needs 'yes' in full`() throws {
        try ask("confirm")
        try terminals.wait("one", for: "[y/N]:")
        try terminals.press("Enter", in: "one")
        try terminals.wait("one", for: "left:130")
        try ask("destroy", in: "two")
        try terminals.wait("two", for: "[yes/no]:")
        try terminals.type("y", in: "two")
        try terminals.wait("two", for: "yes or no, in full")
        try terminals.type("yes", in: "two")
        try terminals.wait("two", for: "destroyed")
    }

    @Test func `an empty line selects the default, and repeats a question without one`() throws {
        try ask("default")
        try terminals.wait("one", for: "Sugar (a whole number) [2]:")
        try terminals.press("Enter", in: "one")
        try terminals.wait("one", for: "left:0")
        #expect(try terminals.screen("one").split(separator: "\n").contains { $0 == "2" })
        try ask("value", in: "two")
        try terminals.wait("two", for: "1 to 5):")
        try terminals.press("Enter", in: "two")
        try terminals.wait("two", for: "got nothing")
        try terminals.type("3", in: "two")
        try terminals.wait("two", for: "left:0")
    }

    @Test func `a secret is not echoed, and the terminal echoes again afterwards`() throws {
        try ask("secret")
        try terminals.wait("one", for: "Password (hidden):")
        try terminals.type("hunter2", in: "one")
        try terminals.wait("one", for: "2retnuh")
        #expect(try !terminals.screen("one").contains("hunter2"))
        try terminals.type("echo sho''wn", in: "one")
        try terminals.wait("one", for: "shown\n")
        #expect(try terminals.screen("one").contains("echo sho''wn"))
    }

    @Test(arguments: ["dash", "bash --norc --noprofile"])
    func `Ctrl-Z at a secret restores the echo for the shell, and fg hides the secret again`(shell: String) throws {
        try terminals.open("jobs", shell: shell)
        let recorded = daemon.folder.appending("recorded").path
        try terminals.record("jobs", to: recorded)
        try ask("secret", in: "jobs")
        try terminals.wait("jobs", for: "Password (hidden):")
        for count in 2...3 {
            try terminals.press("C-z", in: "jobs")
            try terminals.waitForShell("jobs")
            try terminals.type("echo sho''wn\(count)", in: "jobs")
            try terminals.wait("jobs", for: "\nshown\(count)\n")
            #expect(try terminals.screen("jobs").contains("echo sho''wn\(count)"))
            // In the background, the program stops again and leaves the terminal to the shell, with what is typed
            // before it has stopped.
            if count == 3 {
                try terminals.type("bg", in: "jobs")
                try terminals.type("echo sti''ll", in: "jobs")
                try terminals.wait("jobs", for: "still\n")
                #expect(try terminals.screen("jobs").contains("echo sti''ll"))
            }
            try terminals.type("fg", in: "jobs")
            var seen = ""
            try eventually("the prompt is repeated \(count - 1) times; the terminal shows: \(seen)") {
                seen = try terminals.screen("jobs")
                return seen.ranges(of: "Password (hidden):").count == count
            }
        }
        try terminals.type("hunter2", in: "jobs")
        try terminals.wait("jobs", for: "2retnuh")
        try terminals.waitForShell("jobs")
        let output = try String(contentsOfFile: recorded, encoding: .utf8)
        #expect(output.contains("2retnuh") && !output.contains("hunter2"))
    }

    @Test func `a prompt is drawn again after fg`() throws {
        try terminals.open("jobs", shell: "bash --norc --noprofile")
        try terminals.type(intentctl("run Probe/Add --second 2"), in: "jobs")
        try terminals.wait("jobs", for: "First (a whole number):")
        try terminals.press("C-z", in: "jobs")
        try terminals.waitForShell("jobs")
        try terminals.type("fg", in: "jobs")
        try eventually("the prompt is repeated") {
            try terminals.screen("jobs").ranges(of: "First (a whole number):").count == 2
        }
        try terminals.type("3", in: "jobs")
        try terminals.wait("jobs", for: "\n5\n")
    }

    @Test func `Ctrl-C at a question cancels the run, and restores the terminal`() throws {
        try ask("secret")
        try terminals.wait("one", for: "Password (hidden):")
        try terminals.press("C-c", in: "one")
        try terminals.wait("one", for: "left:130")
        try terminals.type("echo sho''wn", in: "one")
        try terminals.wait("one", for: "echo sho''wn")
    }

    @Test(arguments: ["watch", "answer --prompt"])
    func `Ctrl-C at a question of another client's run only restores the terminal`(command: String) throws {
        let started = try daemon.intentctl("run", "--detach", "Probe/AskSomething", "--way", "secret")
        let run = started.output.trimmingCharacters(in: .whitespacesAndNewlines)
        _ = try daemon.run(in: "asking")
        try terminals.type(intentctl("\(command) \(run)"), in: "one")
        try terminals.wait("one", for: "Password (hidden):")
        try terminals.press("C-c", in: "one")
        try terminals.waitForShell("one")
        try terminals.type("echo sho''wn", in: "one")
        try terminals.wait("one", for: "echo sho''wn")
        #expect(try daemon.run(in: "asking") == run)
        #expect(try daemon.intentctl("answer", run, "abc").code == 0)
        #expect(try daemon.intentctl("wait", run).output == "cba\n")
    }

    @Test func `a withdrawn question is replaced by the next one`() throws {
        try ask("withdraw")
        _ = try daemon.run(in: "asking")
        try terminals.wait("one", for: "Never mind?")
        // The run withdraws the first question and asks the second one.
        try daemon.bring()
        try terminals.wait("one", for: "And now?")
        try terminals.type("3", in: "one")
        try terminals.wait("one", for: "left:0")
    }

    @Test func `a private run asks its questions at the terminal`() throws {
        try terminals.type(
            "'\(Programs.intentctl.path)' run --local '\(Programs.url("Soup").path)' OrderSoup --soup tomato; echo left:$?",
            in: "one"
        )
        try terminals.wait("one", for: "How many bowls?")
        try terminals.type("2", in: "one")
        try terminals.wait("one", for: "left:0")
    }
}
