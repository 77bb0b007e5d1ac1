import IntentLinux
import IntentProtocol
import TestSupport
import Testing

@testable import IntentHosts

/// Tests what a host prints, and the requests of clients.
@Suite(.ownThread) struct SSHProcessTests {
    @Test func `what ssh prints is stream-safe text, and its lines are separate`() throws {
        let script = #"exec >&2; printf 'one\r\n'; for i in $(seq 100); do printf '\314\201'; done; printf '\nend'"#
        let process = try SSHProcess("/bin/sh", arguments: ["-c", script])
        #expect(process.end(within: .seconds(30)) == 0)
        let text = process.errorText
        #expect(text.hasPrefix(utf8: "one; \u{301}") && text.hasSuffix(utf8: "; end"))
        #expect(StreamSafeText.isStreamSafe(text))
    }

    @Test(arguments: [
        [#"{"type":"files","files":9223372036854775807}"#], [#"{"type":"perform","files":-9223372036854775808}"#],
        [#"{"type":"files","files":-1}"#], [#"{"type":"files","files":257}"#], [#"{"type":"perform","files":17}"#],
        [#"{"type":"list","files":1}"#],
    ])
    func `a number of files that were not sent is a violation, whatever its size`(payloads: [String]) throws {
        var frames = RequestFrames()
        for payload in payloads { frames.append(try Frame.encode(Array(payload.utf8), limit: 1 << 20), []) }
        #expect(throws: (any Error).self) { _ = try frames.next() }
    }

    @Test func `the files of several requests belong to the request to perform`() throws {
        var frames = RequestFrames()
        let file = SharedFileDescriptor(try File.open("/dev/null"))
        func append(_ payload: String, _ count: Int) throws {
            let files = [SharedFileDescriptor](repeating: file, count: count)
            frames.append(try Frame.encode(Array(payload.utf8), limit: 1 << 20), files)
        }
        try append(#"{"type":"files","files":16}"#, 16)
        try append(#"{"type":"answer","files":1}"#, 1)
        try append(#"{"type":"perform","files":19}"#, 3)
        try append(#"{"type":"list"}"#, 0)
        #expect(try frames.next()?.files.count == 0)
        #expect(try frames.next()?.files.count == 1)
        #expect(try frames.next()?.files.count == 19)
        #expect(try frames.next()?.payload == Array(#"{"type":"list"}"#.utf8))
        #expect(try frames.next() == nil)
    }
}
