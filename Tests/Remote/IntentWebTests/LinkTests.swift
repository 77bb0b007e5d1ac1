import Testing
import intentd_web

/// Tests the parts of a link, and the command line of the server.
struct LinkTests {
    @Test func `parts of the input are accepted in order, once`() {
        var input = LinkInput()
        #expect(input.receive(serial: 0, byteCount: 1) == .refuse(.wrongSerial))
        #expect(input.receive(serial: 1, byteCount: 1) == .write)
        #expect(input.receive(serial: 1, byteCount: 1) == .repeated)
        #expect(input.receive(serial: 3, byteCount: 1) == .refuse(.wrongSerial))
        #expect(input.receive(serial: 2, byteCount: 1) == .write)
        #expect(input.receive(serial: 1, byteCount: 1) == .refuse(.wrongSerial))
    }

    @Test func `a part that is too large is refused`() {
        var input = LinkInput()
        #expect(input.receive(serial: 1, byteCount: WebLimits.partByteCount + 1) == .refuse(.tooLarge))
        #expect(input.receive(serial: 1, byteCount: WebLimits.partByteCount) == .write)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ])
    func `bytes are sent as events in Base64`(bytes: String, text: String) {
        #expect(EventText.data(Array(bytes.utf8)) == Array("data: \(text)\n\n".utf8))
    }

    @Test func `bytes with every bit set are sent as events`() {
        #expect(EventText.data([0xFB, 0xFF, 0xFE]) == Array("data: +//+\n\n".utf8))
    }

    @Test func `secrets are different, and equal only to themselves`() {
        let (one, other) = (SecretText(), SecretText())
        #expect(one.text.utf8.count == 32 && one.text != other.text)
        #expect(
            one.matches(one.text) && !one.matches(other.text) && !one.matches("") && !one.matches(one.text.dropLast())
        )
    }

    @Test func `a command line names the page and the relay`() throws {
        let arguments = try WebArguments(["--port", "8484", "--open", "--page", "/p", "--", "intentctl", "--user"])
        #expect(arguments.listener == .port(8484) && arguments.opensBrowser && arguments.page == "/p")
        #expect(arguments.command == ["intentctl", "--user"])
        #expect(try WebArguments(["--listen-socket", "/s", "--page", "/p", "--", "x"]).listener == .socket("/s"))
    }

    @Test(arguments: [
        [], ["--page", "/p"], ["--page", "/p", "--"], ["--port", "70000", "--page", "/p", "--", "x"],
        ["--listen-socket", "s", "--page", "/p", "--", "x"], ["--public", "--page", "/p", "--", "x"],
    ])
    func `a command line with a mistake is refused`(arguments: [String]) {
        #expect(throws: WebUsageError.self) { try WebArguments(arguments) }
    }
}
