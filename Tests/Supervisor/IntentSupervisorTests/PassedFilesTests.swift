import Glibc
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentSupervisor

/// Files that are passed to runs, with the launcher's end of the connection and real descriptors.
@Suite(.timeLimit(.minutes(1))) struct PassedFilesTests {
    private let parts: SupervisorParts
    private let files: PassedFiles
    private let ann = Account.local(user: 1000, account: "ann")

    init() throws {
        parts = try SupervisorParts()
        files = try parts.files()
    }

    private func file(_ text: String) throws -> SharedFileDescriptor {
        try MemoryFile.sealed(name: "test", Array(text.utf8)[...])
    }

    private func text(of file: SharedFileDescriptor) throws -> String {
        String(decoding: try #require(try File.readAll(file.rawValue, limit: 100)), as: UTF8.self)
    }

    private func perform(_ run: UInt64) -> WorkerCommand {
        .perform(PerformCommand(run: Sample.run(run), intent: "Echo", values: RunValues([:]), fileCount: 1))
    }

    @Test func `the launcher keeps files and secret values for the next intentd`() throws {
        let secrets = RunRemainder(secrets: ["password": .string("p")], answers: nil)
        files.keep([try file("a"), try file("b")], for: Sample.run(1), of: ann)
        files.keep(secrets, for: Sample.run(1))
        let kept = try #require(try parts.commands().last)
        #expect(kept.command == .keepInputs(run: Sample.run(1)))

        let next = try SupervisorParts()
        let heir = try next.files()
        heir.inherit(Sample.run(1), from: try #require(kept.descriptors.first))
        #expect(heir.remainder(of: Sample.run(1)) == secrets)
        let passed = heir.files(for: perform(1), of: Sample.run(1))
        #expect(try passed.map(text) == ["a", "b"])
    }

    @Test func `once the run has received its files, the launcher drops them`() throws {
        files.keep([try file("a")], for: Sample.run(1), of: ann)
        _ = try parts.commands()
        files.runHasFiles(Sample.run(1))
        #expect(try parts.commands().map(\.command) == [.dropInputs(run: Sample.run(1))])
        #expect(files.files(for: perform(1), of: Sample.run(1)).isEmpty)
    }

    @Test func `inherited files are dropped unless a recorded run still needs the same number of files`() throws {
        for number in 1...3 as ClosedRange<UInt64> {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            _ = try UnixSocket.send([1], descriptors: [try file("a")], on: ends.first.rawValue)
            files.inherit(Sample.run(number), from: ends.second)
        }
        files.dropInherited(except: [Sample.unfinished(1, fileCount: 1), Sample.unfinished(2, fileCount: 2)])
        let dropped = try parts.commands().map(\.command)
        #expect(Set(dropped) == [.dropInputs(run: Sample.run(2)), .dropInputs(run: Sample.run(3))])
    }

    @Test func `a user with many waiting files is refused earlier than another user`() throws {
        let own = try file("a")
        // Use more descriptors than a user's share.
        for number in 1...41 as ClosedRange<UInt64> {
            files.keep(Array(repeating: own, count: 200), for: Sample.run(number), of: ann)
        }
        #expect(files.refusal(for: ann, in: parts.clients)?.code == .busy)
        files.forget(Sample.run(1))
        files.forget(Sample.run(2))
        #expect(files.refusal(for: .local(user: 1001, account: "ben"), in: parts.clients) == nil)
    }

    @Test func `the launcher keeps files of other users although one user's queued runs fill a share`() throws {
        let own = try file("a")
        for number in 1...300 as ClosedRange<UInt64> { files.keep([own], for: Sample.run(number), of: ann) }
        let ofAnn = try parts.commands().count
        #expect(ofAnn == KeptInputs.limit / 2)
        files.keep([own], for: Sample.run(999), of: .local(user: 1001, account: "ben"))
        #expect(try parts.commands().map(\.command) == [.keepInputs(run: Sample.run(999))])
        // Places that runs leave are free again.
        for number in 1...2 as ClosedRange<UInt64> { files.forget(Sample.run(number)) }
        _ = try parts.commands()
        files.keep([own], for: Sample.run(998), of: ann)
        #expect(try parts.commands().map(\.command) == [.keepInputs(run: Sample.run(998))])
    }

    @Test func `inherited files count for the caller of their run`() throws {
        let own = try file("a")
        for number in 1...100 as ClosedRange<UInt64> {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            _ = try UnixSocket.send([1], descriptors: [own], on: ends.first.rawValue)
            files.inherit(Sample.run(number), from: ends.second)
        }
        files.dropInherited(except: (1...100).map { Sample.unfinished($0, fileCount: 1) })
        for number in 101...200 as ClosedRange<UInt64> { files.keep([own], for: Sample.run(number), of: ann) }
        #expect(try parts.commands().count == KeptInputs.limit / 2 - 100)
    }

    @Test func `copies of a begun run still count in the next intentd`() throws {
        let described = PassedFile(name: .none, byteCount: 7, contents: .copy(digest: "00"))
        let remainder = try #require(RunRemainder(secrets: nil, answers: nil, files: [described]))
        let begun = try #require(remainder.ofBegunRun)
        #expect(begun.files == nil && begun.ofBegunRun == begun)
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        _ = try UnixSocket.send(WireCoding.encode(begun)[...], descriptors: [], on: ends.first.rawValue)
        files.inherit(Sample.run(1), from: ends.second)
        #expect(files.copies.budget.total == 7)
        files.dropInherited(except: [Sample.unfinished(1, slot: 1, fileCount: 1)])
        #expect(files.copies.budget.total == 7)
        files.forget(Sample.run(1))
        #expect(files.copies.budget.total == 0)
    }

    @Test func `files that the launcher returns are closed, and count for their user until then`() throws {
        let pipe = try Pipe()
        try pipe.reading.setNonblocking()
        do {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            let writing = SharedFileDescriptor(owning: dup(pipe.writing.rawValue))
            for _ in 0..<3 { _ = try UnixSocket.send([1], descriptors: [writing], on: ends.first.rawValue) }
            files.keep([try file("a")], for: Sample.run(1), of: ann)
            files.forget(Sample.run(1))
            files.close(ends.second, of: Sample.run(1))
            // A socket without a run, such as a second report, is closed as well.
            files.close(ends.second, of: Sample.run(1))
        }
        close(pipe.writing.rawValue)
        var source = pollfd(fd: pipe.reading.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&source, 1, -1) == 1)
        #expect(try File.read(pipe.reading.rawValue, upTo: 1)?.isEmpty == true)
    }
}
