import IntentProtocol
import Testing

@testable import intentd_web

/// Tests which streams receive the events of a run, when they share a connection to intentd.
struct EventFeedTests {
    private static let run = RunID(randomBits: 7)
    private static let end = NumberedEvent(
        run: run,
        serial: 9,
        .finished(RunEnd(run: run, outcome: .done(value: nil, dialog: nil), account: RunAccount()))
    )
    private static let answer = ClientAnswer.watching(WatchedRun(run: run, app: "Mail", intent: "Send", live: nil))

    private func deliver(_ event: NumberedEvent, to feed: inout EventFeed) {
        for stream in feed.pass(event) { stream.receive(event, EventText.message(event)) }
    }

    @Test func `a stream that is requested while the run ends receives the end after intentd's answer`() {
        let early = RunStream(of: Self.run, after: nil)
        let late = RunStream(of: Self.run, after: nil)
        early.open(with: Self.answer)
        var feed = EventFeed()
        for stream in [early, late] { feed.watchers[ObjectIdentifier(stream)] = stream }
        // For the early stream. intentd has not yet answered the late stream's request.
        deliver(Self.end, to: &feed)
        #expect(early.isFinished)
        #expect(!late.isFinished)
        late.open(with: Self.answer)
        deliver(Self.end, to: &feed)
        #expect(late.isFinished)
        #expect(late.text?.hasEnded == true)
        #expect(feed.watchers.isEmpty)
    }

    @Test func `a request that waits for the end keeps no text, however much output arrives`() {
        let stream = RunStream(of: Self.run, after: nil, hasText: false)
        stream.open(with: Self.answer)
        var feed = EventFeed(watchers: [ObjectIdentifier(stream): stream])
        deliver(Self.end, to: &feed)
        #expect(stream.isFinished)
        #expect(stream.text == nil)
    }
}
