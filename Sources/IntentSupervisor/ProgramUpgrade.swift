import Glibc
import IntentHistory
import IntentLinux
import IntentSystemd
import IntentWire

/// The format versions of an `intentd`'s notes and history. They decide whether another `intentd` can continue its
/// runs.
///
/// Before it ends, the old program asks the new one: `intentd --takes-over NOTES HISTORY`.
struct Takeover {
    private static let option = "--takes-over"

    private let notes: UInt64
    private let history: Int64

    /// The versions that this program uses.
    static let own = Takeover(notes: RunNotes.version, history: History.formatVersion)

    private init(notes: UInt64, history: Int64) {
        self.notes = notes
        self.history = history
    }

    /// Parses the arguments of `--takes-over`; nil for other arguments.
    init?(askedBy arguments: [String]) {
        guard arguments.count == 3, arguments[0] == Self.option else { return nil }
        // Text that is not a number matches no version.
        notes = UInt64(arguments[1]) ?? .max
        history = Int64(arguments[2]) ?? .max
    }

    var arguments: [String] { [Self.option, String(notes), String(history)] }

    /// Notes of another version cannot be read, so the runs would be lost. An older history is converted.
    var isPossible: Bool { notes == Self.own.notes && (0...Self.own.history).contains(history) }
}

/// Executes the newly installed `intentd` in the same process.
///
/// Belongs to the loop's thread.
final class ProgramUpgrade {
    /// The new program while it decides whether it can take over.
    private struct Trial {
        var process: ChildProcess
        /// Watches a socket that the new program has open. The kernel closes it when the program exits.
        var source: EventSource?
        var timer: EventSource?
        var session: ClientSession
        var id: UInt64
    }

    /// A program that does not answer within this time counts as unable to start.
    private static let patience: Int64 = 10_000_000_000

    private let program: String
    private let loop: EventLoop
    private let journal: Journal
    private let ending: Ending
    private var trial: Trial?

    /// - Throws: If the path of this program is unknown.
    init(on loop: EventLoop, journal: Journal, ending: Ending) throws(SystemError) {
        program = try ProcessFacts.executablePath()
        self.loop = loop
        self.journal = journal
        self.ending = ending
    }

    /// Upgrades for an operator. Nothing changes if the new program cannot take over.
    ///
    /// - Parameter leavesRuns: True if the next program can continue the runs.
    func begin(for session: ClientSession, _ id: UInt64, leavesRuns: Bool) {
        guard !ending.hasBegun else { return refuse(session, id, "it is about to end", "start it again") }
        guard leavesRuns else {
            let message = "its runs would end: its launcher is its child process"
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
        // The program has exited, or it has closed its socket and continues, which counts as a failure.
        _ = kill(trial.process.number, SIGKILL)
        if let problem = trial.process.waitForEnd() {
            return refuse(
                trial.session,
                trial.id,
                "'\(program)' cannot take over: its check (--takes-over) \(problem)",
                "install a version that can take over from this one, or stop intentd and start the other version"
            )
        }
        // A stop that was requested meanwhile takes precedence.
        guard !ending.hasBegun else { return refuse(trial.session, trial.id, "it is about to end", "start it again") }
        journal.write(.notice, "becoming '\(program)'", .upgrading)
        trial.session.send(.answer(id: trial.id, .upgrading))
        ending.become(program)
    }

    private func refuse(_ session: ClientSession, _ id: UInt64, _ message: String, _ hint: String) {
        journal.write(.error, "not upgraded: \(message)", .notUpgraded)
        let report = ErrorReport(.notUpgraded, "intentd was not upgraded and continues: \(message)", hint: hint)
        session.refuse(id, report)
    }
}
