import IntentWire
import Testing

@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("30", Duration.seconds(30)),
        ("30s", .seconds(30)),
        ("1min 30s", .seconds(90)),
        ("1min30s", .seconds(90)),
        ("2m", .seconds(120)),
        ("500ms", .milliseconds(500)),
        ("1.5 h", .seconds(5400)),
        ("1d", .seconds(86_400)),
        ("250us", .microseconds(250)),
        ("infinity", TimeSpan.infinity),
    ])
    func `time spans have systemd's syntax`(_ text: String, _ span: Duration) {
        #expect(TimeSpan.parse(text) == span)
    }

    @Test(arguments: ["", " ", "soon", "-1s", "1x", "s", "1..2s", "1s and more", "nan", "٣s"])
    func `an invalid time span is refused`(_ text: String) {
        #expect(TimeSpan.parse(text) == nil)
    }

    @Test func `a time span that is too long becomes infinity, and never overflows`() {
        #expect(TimeSpan.parse("99999999999999999999999999d") == TimeSpan.infinity)
    }
}
