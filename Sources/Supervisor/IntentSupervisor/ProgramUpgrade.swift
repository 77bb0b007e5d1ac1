import Glibc
import IntentHistory
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The format versions of an intentd's notes and history. They determine whether another `intentd` can continue its
/// runs.
///
/// Before it exits, the old program executes the new version as `intentd --takes-over NOTES HISTORY`. The new version
/// exits with 0 if it can take over.
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

    /// Parses the arguments of `--takes-over`. Returns nil if the arguments contain no `--takes-over`.
    init?(parsing arguments: [String]) {
        guard arguments.count == 3, arguments[0] == Self.option else { return nil }
        // Treat a string that is not a number as a version that is never supported.
        notes = UInt64(arguments[1]) ?? .max
        history = Int64(arguments[2]) ?? .max
    }

    var arguments: [String] { [Self.option, String(notes), String(history)] }

    /// True if this program can take over. It can convert an older history, but it cannot read notes of another
    /// version.
    var isPossible: Bool { notes == Self.own.notes && (0...Self.own.history).contains(history) }
}

/// An upgrade, which replaces this program with the newly installed `intentd` in the same process.
///
/// Must be used only on the event loop's thread.
final class ProgramUpgrade {
    /// The process of the new program while the program checks whether it can take over.
    private struct Trial {
        var process: ChildProcess
        /// The event source for a socket that the new program keeps open. The kernel closes the socket when the program
        /// exits.
        var source: EventSource?
        var timer: EventSource?
        var session: ClientSession
        var id: UInt64
    }

    /// The time limit for the new program's check. A program that exceeds it is killed, and cannot take over.
    private static let patience: Int64 = 10_000_000_000

    private let program: String
    private let loop: EventLoop
    private let journal: Journal
    private let ending: Ending
    private var trial: Trial?

    /// - Parameter program: The path of `intentd`, at which an upgrade installs the new program.
    init(of program: String, on loop: EventLoop, journal: Journal, ending: Ending) {
        self.program = program
        self.loop = loop
        self.journal = journal
        self.ending = ending
    }

    /// Starts an upgrade that an operator requested. Nothing changes if the new program cannot take over.
    ///
    /// - Parameter loss: The reason why runs would end with this program; nil if the next program can continue them.
    func begin(for session: ClientSession, _ id: UInt64, loss: String?) {
        guard !ending.hasBegun else { return refuse(session, id, "it is stopping", "start intentd again") }
        if let loss {
            return refuse(session, id, "its runs would end, because \(loss)", "stop intentd, and start it again")
        }
        guard trial == nil else {
            return refuse(session, id, "another upgrade is in progress", "wait until it has finished")
        }
        do {
            try beginTrial(for: session, id)
        } catch {
            refuse(session, id, "cannot start '\(program)': \(error)", "reinstall intentd")
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
        // The program has exited, or it has closed its socket without exiting. The second case is treated as a failure.
        _ = kill(trial.process.number, SIGKILL)
        if let problem = trial.process.waitForEnd() {
            return refuse(
                trial.session,
                trial.id,
                "'\(program)' cannot take over: its check (--takes-over) \(problem)",
                "install a version that can take over from this version, or stop intentd and start the new version"
            )
        }
        // If a stop was requested during the check, the stop takes precedence.
        guard !ending.hasBegun else { return refuse(trial.session, trial.id, "it is stopping", "start intentd again") }
        journal.write(.notice, "upgrading to '\(program)'", .upgrading)
        trial.session.send(.answer(id: trial.id, .upgrading))
        ending.become(program)
    }

    private func refuse(_ session: ClientSession, _ id: UInt64, _ message: String, _ hint: String) {
        journal.write(.error, "not upgraded: \(message)", .notUpgraded)
        let report = ErrorReport(.notUpgraded, "intentd was not upgraded: \(message)", hint: hint)
        session.refuse(id, report)
    }
}
