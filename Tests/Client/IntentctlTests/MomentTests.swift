import Foundation
import IntentClient
import Testing
import intentctl

@Suite struct MomentTests {
    private static let now = Timestamp(millisecondsSince1970: 1_795_254_148_326)

    @Test(
        arguments: [("-2h", 7_200_000), ("2h", 7_200_000), ("90s ago", 90_000), ("-1h 30min", 5_400_000)]
            as [(String, Int64)]
    )
    func `a time can be relative to the current time`(text: String, distance: Int64) {
        #expect(Moment.parse(text, now: Self.now) == Self.now - .milliseconds(distance))
    }

    @Test func `a time can be a date`() throws {
        #expect(
            Moment.parse("2026-11-21T09:30:00Z", now: Self.now) == Timestamp(millisecondsSince1970: 1_795_253_400_000)
        )
        #expect(
            Moment.parse("2026-11-21T09:30:00.5+01:00", now: Self.now)
                == Timestamp(millisecondsSince1970: 1_795_249_800_000)
        )
        #expect(Moment.parse("now", now: Self.now) == Self.now)
        let today = try #require(Moment.parse("today", now: Self.now))
        let yesterday = try #require(Moment.parse("yesterday", now: Self.now))
        #expect(today <= Self.now)
        #expect(yesterday < today)
        #expect(Moment.local(today).hasSuffix("00:00:00"))
        for text in ["", "soon", "-", "2h later", "2026-13-01"] { #expect(Moment.parse(text, now: Self.now) == nil) }
    }

    @Test func `times are shown relative to the current time`() {
        #expect(Moment.relative(Self.now - .milliseconds(500), now: Self.now) == "now")
        #expect(Moment.relative(Self.now - .seconds(180), now: Self.now) == "3 min ago")
        #expect(Moment.relative(Self.now - .seconds(-3600), now: Self.now) == "in 1 h")
    }
}
