import Glibc
import IntentHistory
import IntentLinux
import IntentSystemd
import IntentWire

/// Whether one `intentd` can go on with what another one leaves: the formats of its notes and of its history.
///
/// Asked of the new program by the old one, before that ends: `intentd --takes-over NOTES HISTORY`.
struct Takeover {
    private static let option = "--takes-over"

    private let notes: UInt64
    private let history: Int64

    /// What this program leaves.
    static let own = Takeover(notes: RunNotes.version, history: History.formatVersion)

    private init(notes: UInt64, history: Int64) {
        self.notes = notes
        self.history = history
    }

    /// Nil when something else is asked.
    init?(askedBy arguments: [String]) {
        guard arguments.count == 3, arguments[0] == Self.option else { return nil }
        // Text that is not a number names no version.
        notes = UInt64(arguments[1]) ?? .max
        history = Int64(arguments[2]) ?? .max
    }

    var arguments: [String] { [Self.option, String(notes), String(history)] }

    /// Notes of another version cannot be read, and runs would be lost; a history is understood or brought up to date.
    var isPossible: Bool { notes == Self.own.notes && (0...Self.own.history).contains(history) }
}

/// The new program, asked whether it can take over.
struct UpgradeTrial {
    var process: ChildProcess
    /// The socket that it holds: it ends with the program.
    var source: EventSource?
    var timer: EventSource?
    /// The newest of those who wait for it.
    var asker: (session: ClientSession, id: UInt64)
}

/// Becoming the program that took our place on disk, in the same process.
extension Supervisor {
    /// A program that does not start within this time would not serve either.
    private static let trialPatience: Int64 = 10_000_000_000

    /// Upgrades for the operator: nothing changes where the new program cannot take over.
    func upgrade(_ session: ClientSession, _ id: UInt64) {
        guard session.isOperator else {
            let error = ErrorReport(
                .notPermitted,
                "only operators may upgrade intentd",
                hint: "ask root or a member of the group intentd-operators: intentctl upgrade"
            )
            return session.send(.answer(id: id, .refused(error)))
        }
        guard stopping.job == nil else { return refuse(session, id, "it is about to end", "start it again") }
        guard launcherStays, notes != nil else {
            return refuse(
                session,
                id,
                "nothing would go on with its runs: it has a launcher of its own",
                "start it again"
            )
        }
        guard upgradeTrial == nil else {
            return refuse(session, id, "another upgrade is under way", "wait for it")
        }
        do {
            try beginTrial(for: session, id)
        } catch {
            refuse(session, id, "'\(ownProgram)' cannot be started: \(error)", "install it again")
        }
    }

    private func beginTrial(for session: ClientSession, _ id: UInt64) throws(SystemError) {
        let ends = try UnixSocket.Pair(.sequencedPacket).take()
        let process = try ChildProcess.start(ownProgram, arguments: Takeover.own.arguments, socket: ends.second)
        var trial = UpgradeTrial(process: process, asker: (session, id))
        do {
            trial.source = try loop.descriptor(ends.first, .readable) { _ in self.trialEnded() }
            let end = ClockReading.monotonicNanoseconds() + Self.trialPatience
            trial.timer = try loop.timer(atNanoseconds: end) { _ = kill(process.number, SIGKILL) }
        } catch {
            _ = kill(process.number, SIGKILL)
            _ = process.waitForEnd()
            throw error
        }
        upgradeTrial = trial
    }

    private func trialEnded() {
        guard let trial = upgradeTrial else { return }
        upgradeTrial = nil
        let (session, id) = trial.asker
        // The program has closed its socket: either it exited, and its exit code is known, or it goes on, which it must not.
        _ = kill(trial.process.number, SIGKILL)
        if let problem = trial.process.waitForEnd() {
            return refuse(
                session,
                id,
                "'\(ownProgram)' cannot take over: asked for that, it \(problem)",
                "install a version that follows on this one, or stop intentd and start the other"
            )
        }
        // Told to end meanwhile: that comes first.
        guard stopping.job == nil else { return refuse(session, id, "it is about to end", "start it again") }
        journal.write(.notice, "becoming '\(ownProgram)'", .upgrading)
        session.send(.answer(id: id, .upgrading))
        stopping.successor = ownProgram
        loop.exit(0)
    }

    private func refuse(_ session: ClientSession, _ id: UInt64, _ message: String, _ hint: String) {
        journal.write(.error, "not upgraded: \(message)", .notUpgraded)
        let report = ErrorReport(.notUpgraded, "it is not upgraded, and goes on as it is: \(message)", hint: hint)
        session.send(.answer(id: id, .refused(report)))
    }
}
