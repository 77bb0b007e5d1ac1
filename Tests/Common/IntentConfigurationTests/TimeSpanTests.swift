import IntentLauncherMessages
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

    @Test func `whole milliseconds are exact`() {
        for count in 1...100_000 {
            let text = "\(count)ms"
            guard TimeSpan.parseFinite(text) == .milliseconds(count), TimeSpan.parse(text) == .milliseconds(count),
                TimeSpan.seconds(text) == Double(count) / 1000
            else {
                Issue.record("'\(text)' is \(String(describing: TimeSpan.parse(text)))")
                return
            }
        }
    }

    @Test(arguments: [
        ("1.5s", 1500), ("0.001s", 1), ("2h 30min", 9_000_000), ("9ms", 10 - 1), (".5s", 500), ("2.s", 2000),
        ("0.009", 9), ("1.001", 1001), ("0.1h", 360_000), ("1w 1us", 604_800_001), ("0.0001s", 1),
        ("1.0000000000000000000000001ms", 1), ("99.999999999999s", 100_000), ("1ms 1us", 2), ("60.2s", 60_200),
    ])
    func `a decimal number is exact, and rounded up to whole milliseconds`(_ text: String, _ milliseconds: Int64) {
        #expect(TimeSpan.parseFinite(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        ("1.5s", 1.5), ("0.001s", 0.001), ("9ms", 0.009), ("0.1", 0.1), ("2h 30min", 9000), ("0", 0), ("1us", 1e-6),
        ("1.234567s", 1.234567), ("100d", 8_640_000),
    ])
    func `the number of seconds is the nearest to the decimal number`(_ text: String, _ seconds: Double) {
        #expect(TimeSpan.seconds(text) == seconds)
    }

    @Test(arguments: ["1\u{301}s", "1s\u{301}", "1.\u{301}5s", ".", "1.2.3s", ".s", "½s", "+1s", "1e3s"])
    func `a time span has only ASCII digits and letters`(_ text: String) {
        #expect(TimeSpan.parse(text) == nil)
        #expect(TimeSpan.seconds(text) == nil)
    }

    @Test func `a time span that is too long becomes infinity, and never overflows`() {
        let nines = String(repeating: "9", count: 10_000)
        for text in [
            "99999999999999999999999999d", "\(nines)us", "99999999999999w 99999999999999w 1s", "\(nines).\(nines)",
        ] {
            #expect(TimeSpan.parse(text) == TimeSpan.infinity)
            #expect(TimeSpan.parseFinite(text) == nil)
        }
        #expect(TimeSpan.parse("0.\(nines)s").map { $0 <= .seconds(1) } == true)
    }
}
