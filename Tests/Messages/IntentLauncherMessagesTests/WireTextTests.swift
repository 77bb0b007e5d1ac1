import FoundationEssentials
import IntentSharedTypes
import Testing

struct WireTextTests {
    @Test(arguments: [
        ("2026-11-21T09:30:00Z", 1_795_253_400.0), ("2026-11-21T10:30:00+01:00", 1_795_253_400),
        ("2026-11-21T09:30:00.250Z", 1_795_253_400.25), ("2026-11-21T04:00:00.25-05:30", 1_795_253_400.25),
        ("2028-02-29T00:00:00Z", 1_835_395_200),
    ])
    func `an RFC 3339 timestamp is an instant`(text: String, seconds: Double) throws {
        let date = try #require(WireText.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T09:30Z", "2026-11-21 09:30:00Z", "2026-11-21T09:30:00", "2026-02-30T09:30:00Z",
        "2027-02-29T00:00:00Z", "2026-22-21T09:30:00Z", "2026-11-21T24:30:00Z", "2026-11-21T09:60:00Z",
        "2026-11-21T09:30:60Z", "2026-11-21T09:30:00Zfoo", "2026-11-21T09:30:00Z\u{301}", "2026-11-21T09:30:00.Z",
        "2026-11-21T09:30:00+99:00", "2026-11-21T09:30:00+01:00:00", "2026-11-21T09:30:00+1:00",
        "2026-11-21T09:30:00,5Z", " 2026-11-21T09:30:00Z", "2026-11-21T09:30:00.\u{661}Z",
        "2026-11-21T09:30:00.\(String(repeating: "1", count: 100))Z",
    ])
    func `a text in another form, or a date that does not exist, is refused`(text: String) {
        #expect(WireText.date(text) == nil)
    }
}
