import IntentLauncherMessages
import Testing

@Suite struct IdentifierTests {
    @Test(arguments: ["a", "Archive", "x.y-z_0", "0", "_", "A..b", String(repeating: "a", count: 64)])
    func `a valid app name is accepted`(_ text: String) {
        #expect(AppName(text)?.text == text)
    }

    @Test(arguments: [
        "", ".", "..", ".hidden", "-rf", "a/b", "/", "../x", "a\\b", "a b", "a\n", "\0", "a\0b", "é", "e\u{301}",
        "A\u{301}", "Ａ", "😀", "~", "a:b", "a%2f", "*", String(repeating: "a", count: 65),
    ])
    func `an invalid app name is refused`(_ text: String) {
        #expect(AppName(text) == nil)
    }

    @Test(arguments: ["0123456789", "abcdefghjk", "mnpqrstvwx", "yzyzyzyzyz"])
    func `a valid run identifier is accepted`(_ text: String) {
        #expect(RunID(text)?.text == text)
    }

    @Test(arguments: [
        "", "012345678", "01234567890", "012345678I", "abcdefghij", "lllllllllo", "uuuuuuuuuu", "ABCDEFGHJK",
        "../../../x", "01234 6789", "012345678\n", "01234567é", "e\u{301}2345678",
    ])
    func `an invalid run identifier is refused`(_ text: String) {
        #expect(RunID(text) == nil)
    }

    @Test(arguments: [0, 1, UInt64.max, 0x0123_4567_89AB_CDEF])
    func `an identifier made from bits is read back`(_ bits: UInt64) {
        let run = RunID(randomBits: bits)
        #expect(RunID(run.text) == run)
        let request = RequestID(randomBits: bits, ~bits)
        #expect(RequestID(request.text) == request)
    }

    @Test func `an identifier consists of 50 bits, and other bits have no effect`() {
        #expect(RunID(randomBits: 0).text == "0000000000")
        #expect(RunID(randomBits: 0x3_FFFF_FFFF_FFFF).text == "zzzzzzzzzz")
        #expect(RunID(randomBits: 0xFFFC_0000_0000_0000) == RunID(randomBits: 0))
        #expect(RunID(randomBits: 1) != RunID(randomBits: 2))
    }

    @Test(arguments: [
        "", "00112233445566778899AABBCCDDEEFF", "00112233445566778899aabbccddeef", "0x112233445566778899aabbccddeeff",
        "00112233445566778899aabbccddeeff0", "00112233-4455-6677-8899-aabbccddee",
    ])
    func `an invalid request identifier is refused`(_ text: String) {
        #expect(RequestID(text) == nil)
    }

    @Test func `the error for a malformed identifier contains the field and the string`() {
        let json = #"{"type":"ended","slot":1,"run":"x/y","id":1,"serial":1}"#
        #expect(throws: WireError.malformed("field 'run': expected a run's identifier, got 'x/y'")) {
            try WireCoding.decode(ClientMessage.self, from: Array(json.replacing("ended", with: "state").utf8))
        }
    }
}
