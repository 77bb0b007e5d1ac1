import Testing
import intentd_web

/// Tests the command line of the server, and its secrets.
struct WebArgumentsTests {
    @Test func `secrets are different, and equal only to themselves`() {
        let (one, other) = (SecretText(), SecretText())
        #expect(one.text.utf8.count == 32 && one.text != other.text)
        #expect(
            one.matches(one.text) && !one.matches(other.text) && !one.matches("") && !one.matches(one.text.dropLast())
        )
    }

    @Test func `a command line names the page and the listener`() throws {
        let arguments = try WebArguments(["--port", "8484", "--open", "--page", "/p", "--", "intentctl", "--user"])
        #expect(arguments.listener == .port(8484) && arguments.opensBrowser && arguments.page == "/p")
        #expect(arguments.command == ["intentctl", "--user"])
        #expect(try WebArguments(["--listen-socket", "/s", "--page", "/p", "--", "x"]).listener == .socket("/s"))
        let ofProgram = try WebArguments(["--private", "--", "x"])
        #expect(ofProgram.listener == .privateSocket && ofProgram.endsWithInput && !arguments.endsWithInput)
        #expect(try WebArguments(["--end-with-input", "--", "x"]).endsWithInput)
        #expect(try WebArguments(["--stdio", "--", "x"]).listener == .standardStreams)
    }

    @Test(arguments: [
        [], ["--page", "/p"], ["--page", "/p", "--"], ["--port", "70000", "--page", "/p", "--", "x"],
        ["--listen-socket", "s", "--page", "/p", "--", "x"], ["--public", "--page", "/p", "--", "x"],
    ])
    func `a command line with a mistake is refused`(arguments: [String]) {
        #expect(throws: WebUsageError.self) { try WebArguments(arguments) }
    }
}
