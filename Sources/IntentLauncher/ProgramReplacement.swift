import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Identifies the file of a running program, to detect that it was replaced.
struct ProgramFile: Equatable {
    let path: String
    private let device: UInt64
    private let inode: UInt64

    /// The file of this process.
    static func own() throws(SystemError) -> ProgramFile {
        try ProgramFile(path: ProcessFacts.executablePath(), foundAt: "/proc/self/exe")
    }

    /// The file at the path now; nil when the path does not exist.
    var current: ProgramFile? { try? ProgramFile(path: path, foundAt: path) }

    init(path: String, foundAt link: String) throws(SystemError) {
        let file = try File.openPath(link)
        let status = try File.status(of: file.rawValue)
        self.path = path
        device = status.device
        inode = status.inode
    }
}

/// Replaces the launcher by its new program in the same process after the program was replaced on disk. Workers stay
/// children.
///
/// The new program is first asked whether it can take over the state. If it cannot, it is not asked again. A program
/// that cannot be started is tried again for the next intentd: its file may have been incomplete.
final class ProgramReplacement {
    /// The time limit for the new program's answer, and for launches in progress.
    private static let patienceNanoseconds: Int64 = 12_000_000_000

    /// The steps from this program to the one that replaced it on disk.
    private struct Upgrade {
        let program: ProgramFile
        /// The intentd that waits to be served, by this program or the new one.
        var supervisor: SharedFileDescriptor
        /// The new program, until it has answered.
        var trial: Int32?
        let timer: EventSource
    }

    private let loop: EventLoop
    private let journal: Journal
    private let supervisor: SupervisorConnection
    private let children: ChildTable
    /// True if the new program needs this program's capabilities to manage the users of sandboxes.
    private let keepsCapabilities: Bool
    /// Nil if the file cannot be determined. The program is then never replaced while it runs.
    private let own: ProgramFile?
    private var upgrade: Upgrade?
    /// A new program that could not take over.
    private var refused: ProgramFile?
    /// Returns the state for the new program; nil during a launch.
    var state: (_ supervisor: SharedFileDescriptor) -> LauncherState? = { _ in nil }

    /// - Parameter own: The program's own file; nil to determine it.
    init(_ surroundings: Surroundings, of own: ProgramFile? = nil, keepsCapabilities: Bool) {
        loop = surroundings.loop
        journal = surroundings.journal
        supervisor = surroundings.supervisor
        children = surroundings.children
        self.keepsCapabilities = keepsCapabilities
        do {
            self.own = try own ?? ProgramFile.own()
        } catch {
            journal.write(.warning, "cannot identify this program's file (\(error)); upgrades will need a restart")
            self.own = nil
        }
    }

    var isUnderWay: Bool { upgrade != nil }

    /// Starts an upgrade if the program was replaced on disk; true if the new intentd has to wait for it.
    func begin(for waiting: SharedFileDescriptor) -> Bool {
        if isUnderWay {
            upgrade?.supervisor = waiting
            return true
        }
        guard let own, let program = own.current, program != own, program != refused else { return false }
        do {
            let end = ClockReading.monotonicNanoseconds() + Self.patienceNanoseconds
            let timer = try loop.timer(atNanoseconds: end) { [weak self] in
                self?.giveUp("it did not answer within 12 s")
            }
            let trial = try ChildProcess.start(
                program.path,
                arguments: [LauncherArguments.takesOver, String(LauncherState.currentVersion)]
            )
            children.addHelper(trial.number)
            upgrade = Upgrade(program: program, supervisor: waiting, trial: trial.number, timer: timer)
            return true
        } catch {
            report(program, "it cannot be started: \(error)")
            return false
        }
    }

    /// Handles the end of a child that may be the new program, which answers with its exit code.
    func helperEnded(_ end: ChildReaper.End) {
        guard upgrade?.trial == end.process else { return }
        upgrade?.trial = nil
        if end.isSignal || end.number != 0 {
            let what = end.isSignal ? "was ended by signal \(end.number)" : "exited with \(end.number)"
            giveUp("when asked whether it can take over, it \(what)")
        }
    }

    /// Executes the new program once it has answered and no launch is in progress.
    func proceed() {
        guard let upgrade, upgrade.trial == nil, let state = state(upgrade.supervisor) else { return }
        do {
            try execute(upgrade.program, state)
        } catch {
            giveUp("\(error)")
        }
    }

    /// Continues with the old program.
    private func giveUp(_ reason: String) {
        guard let given = upgrade else { return }
        upgrade = nil
        if let trial = given.trial { _ = kill(trial, SIGKILL) }
        refused = given.program
        report(given.program, reason)
        supervisor.serve(given.supervisor)
    }

    private func report(_ program: ProgramFile, _ reason: String) {
        journal.write(
            .error,
            "'\(program.path)' was replaced, but the new program cannot take over: \(reason); continuing with the old program"
        )
    }

    /// Executes the new program. Returns only if that fails.
    private func execute(_ program: ProgramFile, _ state: LauncherState) throws {
        let memory = try MemoryFile.sealed(name: "intentd-launcher-state", WireCoding.encode(state)[...])
        let kept = state.descriptors + [memory.rawValue]
        for descriptor in kept { try FileDescriptor.setCloseOnExec(descriptor, false) }
        journal.write(.notice, "executing the new launcher program, with \(state.slots.count) workers")
        if keepsCapabilities { try Capabilities.keepOverExec() }
        let own = CommandLine.arguments.dropFirst()
        let arguments =
            LauncherArguments.withoutResumption(Array(own)) + [LauncherArguments.resume, String(memory.rawValue)]
        let error = ProcessFacts.become(program.path, arguments)
        for descriptor in kept { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        throw error
    }
}
