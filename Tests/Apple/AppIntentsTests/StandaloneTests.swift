import Glibc
import IntentLinux
import TestSupport
import Testing

/// Tests an app that is started from the command line.
@Suite(.ownThread) struct StandaloneTests {
    private func run(_ arguments: String..., of app: String = "Probe") throws -> (code: Int32, output: String) {
        let process = try AppProcess(app, mode: nil, arguments: arguments)
        return (process.exitCode(), process.output)
    }

    @Test func `an app without arguments lists its intents`() throws {
        let (code, output) = try run()
        #expect(code == 0)
        #expect(output.contains("Echo  Echo\n    Returns the text.\n    --text TEXT  Text"))
        #expect(!output.contains("HiddenIntent"))
    }

    @Test(arguments: ["Add", "AddIntent"])
    func `an app performs an intent with either of its names, and warns that it has no sandbox`(name: String) throws {
        let (code, output) = try run(name, "--first", "2", "--second=3")
        #expect(code == 0)
        #expect(output == "performing AddIntent in this process, without a sandbox or limits\n5\n")
    }

    @Test func `options accept declared and kebab-case names, and flags can be negated`() throws {
        #expect(try run("Choices", "--isLoud", "--ratio", "2").output.hasSuffix("\n- - 2.0 true -\n"))
        #expect(try run("Choices", "--no-is-loud", "--text", "a b").output.hasSuffix("\na b - 0.5 false -\n"))
        #expect(try run("Choices", "--is-loud", "false").output.hasSuffix("\n- - 0.5 false -\n"))
    }

    @Test func `a snippet is shown, and its controls are named but cannot be used`() throws {
        let (code, output) = try run("AskWithView", "--way", "show")
        #expect(code == 0)
        let expected = """
            Your order: 2 bowls
            [1] One bowl
            the controls cannot be used, because intentd performs their intents and this program runs without it; install the \
            app, then: intentctl run Probe/AskWithView
            ordered

            """
        #expect(output.hasSuffix(expected), "\(output)")
        let hostile = try run("ShowHostile", "--kind", "texts").output
        #expect(hostile.contains("\\u{1B}[2J(1) \\u{202E}Pay\n[1] Press\n"), "\(hostile)")
    }

    @Test func `the help of an intent lists its parameters`() throws {
        #expect(try run("Echo", "--help") == (0, "Echo  Echo\n    Returns the text.\n    --text TEXT  Text\n"))
    }

    @Test func `an unlisted intent can be run by its name`() throws {
        #expect(try run("Hidden").code == 0)
    }

    @Test func `usage errors have their exit codes and suggest the nearest name`() throws {
        #expect(try run("Ecko") == (66, "Probe has no intent 'Ecko'; did you mean 'Echo'?\n"))
        #expect(try run("Echo", "--texd", "x") == (64, "Echo has no parameter 'texd'; did you mean '--text'?\n"))
        #expect(try run("Echo") == (64, "Echo needs --text (text); for example: Probe Echo --text text\n"))
        #expect(
            try run("Add", "--first", "x")
                == (64, "--first: expected a whole number, got 'x'; for example: --first 3\n")
        )
        #expect(try run("Throws").code == 1)
    }

    @Test func `a result file is written without overwriting, and its path printed`() throws {
        let process = try AppProcess("Probe", mode: nil, arguments: ["MakeFile", "--place", "memory"])
        #expect(process.exitCode() == 0)
        #expect(process.output.hasSuffix("\nmade.txt\n"))
        #expect(try File.text(at: "\(process.directory)/made.txt") == "made")
    }

    @Test func `Ctrl-C cancels, and waits for the clean-up`() throws {
        let process = try AppProcess("Probe", mode: nil, arguments: ["Cleanup"])
        // The app now handles signals. A handler that is registered later is called immediately.
        try process.wait(for: "performing")
        process.signal(SIGINT)
        #expect(process.exitCode() == 130)
        #expect(process.output.contains("cleaned up: userCancelled, grace -"))
    }

    @Test func `a second Ctrl-C ends the app immediately`() throws {
        let process = try AppProcess("Probe", mode: nil, arguments: ["Spin"])
        try process.wait(for: "performing")
        process.signal(SIGINT)
        try process.wait(for: "told")
        process.signal(SIGINT)
        #expect(process.exitCode() == 130)
    }
}
