import IntentLauncherMessages
import Testing

@testable import IntentRelay

struct RequestFramesTests {
    private func frames(_ payloads: [String]) throws -> RequestFrames {
        var frames = RequestFrames()
        for payload in payloads { frames.append(try Frame.encode(Array(payload.utf8), limit: 1 << 20), []) }
        return frames
    }

    @Test(arguments: [
        [#"{"type":"files","files":9223372036854775807}"#], [#"{"type":"perform","files":-9223372036854775808}"#],
        [#"{"type":"files","files":-1}"#], [#"{"type":"files","files":257}"#], [#"{"type":"perform","files":17}"#],
    ])
    func `a number of files out of range is a violation, whatever its size`(payloads: [String]) throws {
        var frames = try frames(payloads)
        #expect(throws: RelayViolation.self) { _ = try frames.next() }
    }

    @Test func `a frame without files is passed on`() throws {
        var frames = try frames([#"{"type":"list"}"#, #"{"type":"perform","files":0}"#])
        #expect(try frames.next()?.payload == Array(#"{"type":"list"}"#.utf8))
        #expect(try frames.next()?.files.count == 0)
        #expect(try frames.next() == nil)
    }
}
