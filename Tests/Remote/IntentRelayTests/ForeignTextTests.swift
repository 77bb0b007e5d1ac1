import IntentLinux
import IntentProtocol
import TestSupport
import Testing

@testable import IntentRelay

/// Tests text of the other end that is made to be slow.
@Suite(.ownThread) struct ForeignTextTests {
    @Test func `what ssh prints is stream-safe text, and its lines are separate`() throws {
        let script = #"exec >&2; printf 'one\r\n'; for i in $(seq 100); do printf '\314\201'; done; printf '\nend'"#
        let process = try SSHProcess("/bin/sh", arguments: ["-c", script])
        #expect(process.end(within: .seconds(30)) == 0)
        let text = process.errorText
        #expect(text.hasPrefix(utf8: "one; \u{301}") && text.hasSuffix(utf8: "; end"))
        #expect(StreamSafeText.isStreamSafe(text))
    }

    @Test func `a hello message with too many combining marks is refused`() throws {
        let software = #""software":"a\#(String(repeating: #"\u0301"#, count: 31))""#
        let payload = Array(#"{"version":1,"received":0,\#(software)}"#.utf8)
        #expect(throws: WireError.self) { try WireCoding.decode(RelayHello.self, from: payload) }
    }
}
