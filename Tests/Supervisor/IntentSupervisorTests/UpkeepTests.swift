import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import Testing

@testable import IntentSupervisor

/// The requests to measure runs, on a real loop and without a supervisor.
@Suite(.timeLimit(.minutes(1))) struct UpkeepTests {
    private static let slot = SlotID(number: 5)

    private let parts: SupervisorParts
    private let upkeep: Upkeep

    init() throws {
        parts = try SupervisorParts()
        upkeep = Upkeep(
            on: parts.loop,
            journal: parts.journal,
            decisions: parts.decisions,
            launcher: parts.launcher,
            recorder: Recorder(
                nil,
                on: parts.loop,
                journal: parts.journal,
                decisions: parts.decisions,
                clients: parts.clients,
                faults: FaultPoints()
            ),
            apps: AppDirectory(Installation(appFolders: [], user: nil), journal: parts.journal),
            samplesUsage: true
        )
    }

    /// Adopts a run with a live worker.
    private func beginRun() {
        var note = RunNote(run: Sample.run(1), slot: Self.slot, phase: .running)
        note.processStart = Now.current.monotonic
        note.deadline = Deadline(limits: RunLimits(), traits: [], at: .current)
        let found = FoundRun(
            Sample.unfinished(1, slot: Self.slot.number),
            app: .refused(message: "not needed"),
            note: note,
            worker: FoundRun.Worker(slot: Self.slot, isolation: Isolation(grade: .full, parts: []))
        )
        parts.decisions.handle(.found(found, absence: .zero))
    }

    /// Runs the loop once, and calls `body` after each request to measure runs that the launcher receives.
    private func run(forMilliseconds milliseconds: Int64, _ body: @escaping () -> Void) throws {
        let requests = try parts.loop.descriptor(parts.peer, .readable) { [parts] _ in
            for (command, _) in (try? parts.commands()) ?? [] where command == .measure(reportsUsage: true) { body() }
        }
        let end = ClockReading.monotonicNanoseconds() + milliseconds * 1_000_000
        let timer = try parts.loop.timer(atNanoseconds: end) { [loop = parts.loop] in loop.exit(0) }
        _ = try parts.loop.run()
        withExtendedLifetime((requests, timer)) {}
    }

    @Test func `a live run is measured repeatedly after one change, until it has ended`() throws {
        beginRun()
        #expect(parts.decisions.table.load.runningCount == 1)
        upkeep.runsChanged()
        var count = 0
        try run(forMilliseconds: 2_000) { [parts, upkeep] in
            count += 1
            guard count == 3 else { return }
            parts.decisions.handle(.ended(Self.slot, SlotEnd(processEnd: .exited(code: 0)), lastLine: nil))
            upkeep.runsChanged()
        }
        #expect(parts.decisions.table.load.runningCount == 0)
        #expect(count == 3)
    }

    @Test func `no measurement is requested without a live run`() throws {
        upkeep.runsChanged()
        var count = 0
        try run(forMilliseconds: 600) { count += 1 }
        #expect(count == 0)
    }
}
