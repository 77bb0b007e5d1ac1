import Glibc
import IntentLifecycle
import IntentLinux
import IntentSystemd
import IntentWire
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
        let passed = heir.files(for: perform(1), in: SlotID(number: 1))
        #expect(try passed.map(text) == ["a", "b"])
    }

    @Test func `once the run has received its files, the launcher drops them`() throws {
        files.keep([try file("a")], for: Sample.run(1), of: ann)
        _ = try parts.commands()
        files.runHasFiles(Sample.run(1))
        #expect(try parts.commands().map(\.command) == [.dropInputs(run: Sample.run(1))])
        #expect(files.files(for: perform(1), in: SlotID(number: 1)).isEmpty)
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
}
