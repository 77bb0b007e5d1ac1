import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// The identity of a program's file, used to detect that the file was replaced while the program is running.
struct ProgramFile: Equatable {
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// Returns the file that this process executes.
    static func own() throws(SystemError) -> ProgramFile {
        try ProgramFile(path: ProcessFacts.executablePath(), foundAt: "/proc/self/exe")
    }

    /// The file that is currently at the path; nil if the path does not exist.
    var current: ProgramFile? { try? ProgramFile(path: path, foundAt: path) }

    init(path: String, foundAt link: String) throws(SystemError) {
        let file = try File.openPath(link)
        let status = try File.status(of: file.rawValue)
        self.path = path
        device = status.device
        inode = status.inode
    }
}

/// Executes the launcher's new program in the same process after the program's file was replaced on the disk. Workers
/// remain children of the process.
///
/// First, the new program runs once as a child to check whether it can take over the state. If the check fails, the
/// launcher does not try this program again. If the program cannot be started, the launcher tries again when the next
/// intentd connects, because the program's file may have been incomplete.
final class ProgramReplacement {
    /// The time limit for the new program's check, and for the launches in progress to complete.
    private static let timeLimitNanoseconds: Int64 = 12_000_000_000

    /// An upgrade in progress.
    private struct Upgrade {
        let program: ProgramFile
        /// The connection to the intentd waiting for the upgrade. The new program serves this intentd. If the
        /// upgrade fails, this program serves it.
        var supervisor: SharedFileDescriptor
        /// The process id of the new program's check; nil once the check has succeeded.
        var trial: Int32?
        let timer: EventSource
    }

    private let context: LauncherContext
    /// True if the new program needs this program's capabilities to assign user ids to sandboxes.
    private let keepsCapabilities: Bool
    /// The file of this program. If it cannot be determined, the value is nil and the program is not replaced while it
    /// is running.
    private let own: ProgramFile?
    private var upgrade: Upgrade?
    /// The last program file that could not take over.
    private var refused: ProgramFile?
    /// Returns the state for the new program; nil while a launch is in progress.
    var state: (_ supervisor: SharedFileDescriptor) -> LauncherState? = { _ in nil }

    /// - Parameter own: The file of this program; nil to look it up in /proc.
    init(_ context: LauncherContext, of own: ProgramFile? = nil, keepsCapabilities: Bool) {
        self.context = context
        self.keepsCapabilities = keepsCapabilities
        do {
            self.own = try own ?? ProgramFile.own()
        } catch {
            context.journal.write(
                .warning,
                "cannot identify the launcher's program file (\(error)); upgrades will require a restart"
            )
            self.own = nil
        }
    }

    var isUnderWay: Bool { upgrade != nil }

    /// Starts an upgrade if the program's file was replaced on the disk. Returns true if the new intentd has to wait
    /// until the upgrade is complete.
    func begin(for waiting: SharedFileDescriptor) -> Bool {
        if isUnderWay {
            upgrade?.supervisor = waiting
            return true
        }
        guard let own, let program = own.current, program != own, program != refused else { return false }
        do {
            let end = ClockReading.monotonicNanoseconds() + Self.timeLimitNanoseconds
            let timer = try context.loop.timer(atNanoseconds: end) { [weak self] in
                self?.giveUp("its check did not complete within 12 s")
            }
            let trial = try ChildProcess.start(
                program.path,
                arguments: [LauncherArguments.takesOver, String(LauncherState.currentVersion)]
            )
            context.children.addHelper(trial.number)
            upgrade = Upgrade(program: program, supervisor: waiting, trial: trial.number, timer: timer)
            return true
        } catch {
            report(program, "it cannot be started: \(error)")
            return false
        }
    }

    /// Handles the exit of a child, which may be the new program's check. Exit code 0 means that the new program can
    /// take over.
    func helperEnded(_ end: ChildReaper.End) {
        guard upgrade?.trial == end.process else { return }
        upgrade?.trial = nil
        if end.isSignal || end.number != 0 {
            let result = end.isSignal ? "was killed by signal \(end.number)" : "exited with code \(end.number)"
            giveUp("its check of the current state \(result)")
        }
    }

    /// Executes the new program if its check has succeeded and no launch is in progress.
    func proceed() {
        guard let upgrade, upgrade.trial == nil, let state = state(upgrade.supervisor) else { return }
        do {
            try execute(upgrade.program, state)
        } catch {
            giveUp("\(error)")
        }
    }

    /// Abandons the upgrade and continues with the old program.
    private func giveUp(_ reason: String) {
        guard let given = upgrade else { return }
        upgrade = nil
        if let trial = given.trial { _ = kill(trial, SIGKILL) }
        refused = given.program
        report(given.program, reason)
        context.supervisor.serve(given.supervisor)
    }

    private func report(_ program: ProgramFile, _ reason: String) {
        context.journal.write(
            .error,
            "'\(program.path)' was replaced, but the new program cannot take over: \(reason); continuing with the old program"
        )
    }

    /// Executes the new program. Throws an error if the execution fails, and does not return otherwise.
    private func execute(_ program: ProgramFile, _ state: LauncherState) throws {
        let memory = try MemoryFile.sealed(name: "intentd-launcher-state", WireCoding.encode(state)[...])
        let kept = state.descriptors + [memory.rawValue]
        for descriptor in kept { try FileDescriptor.setCloseOnExec(descriptor, false) }
        context.journal.write(.notice, "executing the new launcher program; workers continue (\(state.slots.count))")
        if keepsCapabilities { try Capabilities.keepOverExec() }
        let arguments =
            LauncherArguments.withoutResumption(CommandLineWords.read())
            + [LauncherArguments.resume, String(memory.rawValue)]
        let error = ProcessFacts.become(program.path, arguments)
        for descriptor in kept { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        throw error
    }
}
