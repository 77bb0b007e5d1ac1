import Glibc
import IntentLinux
import IntentSystemd
import Testing

@Suite struct GatheredEventsTests {
    /// A pair of sockets, one of which is polled.
    private struct Line {
        let near: SharedFileDescriptor
        let far: SharedFileDescriptor

        init() throws {
            (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
            try near.setNonblocking()
        }

        func say(_ text: String) { _ = send(far.rawValue, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

        func hear() -> String? {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = recv(near.rawValue, &bytes, bytes.count, 0)
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test func `every descriptor is handled, whether it becomes ready with others or during a pause`() throws {
        let loop = try EventLoop()
        let gathered = try GatheredEvents(on: loop, pauseNanoseconds: 5_000_000)
        // Use more descriptors than one call of epoll_wait(2) returns.
        let lines = try (0..<200).map { _ in try Line() }
        var heard: [Int: [String]] = [:]
        var sources: [GatheredSource] = []
        for (number, line) in lines.enumerated() {
            sources.append(
                try gathered.descriptor(line.near, .readable) { _ in
                    guard let text = line.hear() else { return }
                    heard[number, default: []].append(text)
                    if text == "first" { lines[(number + 1) % lines.count].say("second") }
                    if heard.count == lines.count, heard.values.allSatisfy({ $0.count == 2 }) { loop.exit(0) }
                }
            )
        }
        for line in lines { line.say("first") }
        #expect(try loop.run() == 0)
        #expect(heard.values.allSatisfy { $0.sorted() == ["first", "second"] })
    }

    @Test func `a descriptor that becomes ready after a long idle time is handled`() throws {
        let loop = try EventLoop()
        let gathered = try GatheredEvents(on: loop, pauseNanoseconds: 1_000_000)
        let line = try Line()
        var timer: EventSource?
        var count = 0
        let source = try gathered.descriptor(line.near, .readable) { _ in
            _ = line.hear()
            count += 1
            if count == 3 { return loop.exit(0) }
            // Wait for many pauses. Only the first of them had pending events.
            timer = try? loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 50_000_000) {
                line.say("again")
            }
        }
        line.say("hello")
        #expect(try loop.run() == 0)
        #expect(count == 3)
        withExtendedLifetime((source, timer)) {}
    }

    @Test func `a released source is not called, even if it was ready at the same time`() throws {
        let loop = try EventLoop()
        let gathered = try GatheredEvents(on: loop, pauseNanoseconds: 1_000_000)
        let lines = try (0..<2).map { _ in try Line() }
        var sources: [GatheredSource?] = [nil, nil]
        var called: [Int] = []
        var end: EventSource?
        for number in 0..<2 {
            sources[number] = try gathered.descriptor(lines[number].near, .readable) { _ in
                called.append(number)
                _ = lines[number].hear()
                sources[1 - number] = nil
                end = try? loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 50_000_000) { loop.exit(0) }
            }
        }
        for line in lines { line.say("hello") }
        #expect(try loop.run() == 0)
        #expect(called.count == 1)
        withExtendedLifetime(end) {}
    }

    @Test func `a record socket that joins others loses no record in either direction`() throws {
        let loop = try EventLoop()
        let gathered = try GatheredEvents(on: loop, pauseNanoseconds: 1_000_000)
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        var received: [String] = []
        var ends: [RecordSocket.End] = []
        let speaker = try RecordSocket(far, on: loop, recordLimit: 64, descriptorLimit: 0) { record, _ in
            let text = String(decoding: record, as: UTF8.self)
            received.append("back: " + text)
            if text == "100" { _ = shutdown(far.rawValue, Int32(SHUT_RDWR)) }
        } ended: { _ in
        }
        var listener: RecordSocket?
        listener = try RecordSocket(near, on: loop, recordLimit: 64, descriptorLimit: 0) { record, _ in
            let text = String(decoding: record, as: UTF8.self)
            received.append(text)
            if text == "2" { #expect(listener?.join(gathered) == true) }
            listener?.send(Array(text.utf8))
        } ended: { end in
            ends.append(end)
            loop.exit(0)
        }
        for number in 1...100 { speaker.send(Array("\(number)".utf8)) }
        #expect(try loop.run() == 0)
        #expect(received.filter { !$0.hasPrefix("back") } == (1...100).map(String.init))
        #expect(received.filter { $0.hasPrefix("back") } == (1...100).map { "back: \($0)" })
        #expect(ends == [.closed])
    }

    @Test func `events of one poll are delivered in one batch, even several of one descriptor`() throws {
        let loop = try EventLoop()
        let gathered = try GatheredEvents(on: loop, pauseNanoseconds: 1_000_000)
        var story: [String] = []
        gathered.batch = { tell in
            story.append("begin")
            tell()
            story.append("end")
            if story.count > 2 { loop.exit(0) }
        }
        let (near, far) = try UnixSocket.Pair(.sequencedPacket).shared()
        let listener = try RecordSocket(near, on: loop, recordLimit: 64, descriptorLimit: 0) { record, _ in
            story.append(String(decoding: record, as: UTF8.self))
        } ended: { _ in
        }
        #expect(listener.join(gathered))
        for number in 1...3 { _ = send(far.rawValue, "\(number)", 1, Int32(MSG_NOSIGNAL)) }
        #expect(try loop.run() == 0)
        withExtendedLifetime(listener) {}
        #expect(story == ["begin", "1", "2", "3", "end"])
    }
}
