import IntentLauncherMessages
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentLauncher

/// Tests the launcher's state that outlives an intentd.
@Suite(.timeLimit(.minutes(1))) struct AdoptionStateTests {
    private let parts: LauncherParts
    private let state: AdoptionState

    init() throws {
        parts = try LauncherParts()
        state = AdoptionState(after: nil)
    }

    @Test func `the time of the loss is kept until another intentd has adopted the workers`() throws {
        state.supervisorLost(atNanoseconds: 5)
        state.supervisorLost(atNanoseconds: 9)
        #expect(state.lostNanoseconds == 5)
        state.keepNotes(try MemoryFile.sealed(name: "notes", [1]))
        #expect(state.lostNanoseconds == nil)
    }

    @Test func `notes that were lost in transit leave the previous notes unchanged`() throws {
        let notes = try MemoryFile.sealed(name: "notes", [1])
        state.keepNotes(notes)
        state.keepNotes(nil)
        #expect(state.notes?.rawValue == notes.rawValue)
    }

    @Test func `kept inputs are reported before the notes`() throws {
        try parts.connect()
        let kept = RunID(randomBits: 1)
        state.keepInputs(try UnixSocket.Pair(.sequencedPacket).shared().first, of: kept)
        state.note(SlotID(number: 7))
        state.note(SlotID(number: 5))
        state.report(to: parts.supervisor)
        #expect(
            try parts.reports() == [.keptInputs(run: kept), .adopted(Adopted(lastSlot: 7, lostNanoseconds: nil))]
        )
    }

    @Test func `inputs that are dropped return to intentd, which closes their files`() throws {
        try parts.connect()
        let run = RunID(randomBits: 1)
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        let pipe = try Pipe()
        _ = try UnixSocket.send([1], descriptors: [pipe.writing], on: ends.first.rawValue)
        state.keepInputs(ends.second, of: run)
        state.dropInputs(of: run, to: parts.supervisor)
        #expect(try parts.reports() == [.keptInputs(run: run)])
        #expect(state.inputs.isEmpty)
        state.dropInputs(of: run, to: parts.supervisor)
        #expect(try parts.reports().isEmpty)
    }
}
