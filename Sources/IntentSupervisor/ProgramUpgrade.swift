import Glibc
import IntentHistory
import IntentLinux
import IntentSystemd
import IntentWire

/// The formats of an `intentd`'s notes and history, which decide whether another `intentd` can continue its runs.
///
/// The old program asks the new one before it ends: `intentd --takes-over NOTES HISTORY`.
struct Takeover {
    private static let option = "--takes-over"

    private let notes: UInt64
    private let history: Int64

    /// The formats of this program.
    static let own = Takeover(notes: RunNotes.version, history: History.formatVersion)

    private init(notes: UInt64, history: Int64) {
        self.notes = notes
        self.history = history
    }

    /// Nil for other arguments.
    init?(askedBy arguments: [String]) {
        guard arguments.count == 3, arguments[0] == Self.option else { return nil }
        // Text that is not a number names no version.
        notes = UInt64(arguments[1]) ?? .max
        history = Int64(arguments[2]) ?? .max
    }

    var arguments: [String] { [Self.option, String(notes), String(history)] }

    /// Notes of another version cannot be read, and the runs would be lost. An older history is converted.
    var isPossible: Bool { notes == Self.own.notes && (0...Self.own.history).contains(history) }
}

/// Becomes the program that was installed in our place on disk, in the same process.
///
/// Belongs to the loop's thread.
final class ProgramUpgrade {
    /// The new program, which is asked whether it can take over.
    private struct Trial {
        var process: ChildProcess
        /// The socket that the new program has open: the kernel closes it at the program's exit.
        var source: EventSource?
        var timer: EventSource?
        var session: ClientSession
        var id: UInt64
    }

    /// A program that takes longer to start counts as unable to serve.
    private static let patience: Int64 = 10_000_000_000

    private let program: String
    private let loop: EventLoop
    private let journal: Journal
    private let ending: Ending
    private var trial: Trial?

    /// - Throws: The path of this program is not known.
    init(on loop: EventLoop, journal: Journal, ending: Ending) throws(SystemError) {
        program = try ProcessFacts.executablePath()
        self.loop = loop
        self.journal = journal
        self.ending = ending
    }

    /// Upgrades for an operator: nothing changes where the new program cannot take over.
    ///
    /// - Parameter leavesRuns: The next program can continue the runs.
    func begin(for session: ClientSession, _ id: UInt64, leavesRuns: Bool) {
        guard !ending.hasBegun else { return refuse(session, id, "it is about to end", "start it again") }
        guard leavesRuns else {
            let message = "nothing would go on with its runs: it has a launcher of its own"
            return refuse(session, id, message, "start it again")
        }
        guard trial == nil else {
            return refuse(session, id, "another upgrade is under way", "wait for it")
        }
        do {
            try beginTrial(for: session, id)
        } catch {
            refuse(session, id, "'\(program)' cannot be started: \(error)", "install it again")
        }
    }

    private func beginTrial(for session: ClientSession, _ id: UInt64) throws(SystemError) {
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        let process = try ChildProcess.start(program, arguments: Takeover.own.arguments, socket: ends.second)
        var trial = Trial(process: process, session: session, id: id)
        do {
            trial.source = try loop.descriptor(ends.first, .readable) { [weak self] _ in self?.trialEnded() }
            let end = ClockReading.monotonicNanoseconds() + Self.patience
            trial.timer = try loop.timer(atNanoseconds: end) { _ = kill(process.number, SIGKILL) }
        } catch {
            _ = kill(process.number, SIGKILL)
            _ = process.waitForEnd()
            throw error
        }
        self.trial = trial
    }

    private func trialEnded() {
        guard let trial else { return }
        self.trial = nil
        // The program has closed its socket: it has exited, or it continues without it, which counts as a failure.
        _ = kill(trial.process.number, SIGKILL)
        if let problem = trial.process.waitForEnd() {
            return refuse(
                trial.session,
                trial.id,
                "'\(program)' cannot take over: its check (--takes-over) \(problem)",
                "install a version that can take over from this one, or stop intentd and start the other version"
            )
        }
        // A signal that arrived meanwhile comes first.
        guard !ending.hasBegun else { return refuse(trial.session, trial.id, "it is about to end", "start it again") }
        journal.write(.notice, "becoming '\(program)'", .upgrading)
        trial.session.send(.answer(id: trial.id, .upgrading))
        ending.become(program)
    }

    private func refuse(_ session: ClientSession, _ id: UInt64, _ message: String, _ hint: String) {
        journal.write(.error, "not upgraded: \(message)", .notUpgraded)
        let report = ErrorReport(.notUpgraded, "it is not upgraded, and goes on as it is: \(message)", hint: hint)
        session.refuse(id, report)
    }
}
