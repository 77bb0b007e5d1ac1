import Foundation
import Glibc
import Testing

/// A child process of the test with its output redirected to files.
final class Command {
    private let process: Process
    private let folder: TemporaryFolder
    private let name: String

    /// Starts the program. It is killed when the last reference to this object is released.
    init(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: URL? = nil,
        directory: URL? = nil
    ) throws {
        folder = try TemporaryFolder()
        name = executable.lastPathComponent
        let source = try input.map { try FileHandle(forReadingFrom: $0) }
        let ends = (try folder.file("stdout"), try folder.file("stderr"))
        process = try Self.started {
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.currentDirectoryURL = directory
            process.standardInput = source ?? FileHandle.nullDevice
            process.standardOutput = ends.0
            process.standardError = ends.1
            return process
        }
        // Foundation keeps these handles open for a long time. With more descriptors than select(2) can watch, it
        // misses the exit of the process.
        for handle in [source, ends.0, ends.1] { try handle?.close() }
    }

    /// Runs the process, and retries while its program is busy: a script that this process has just written is also
    /// open in each child of another test, between its fork and its exec (execve(2), ETXTBSY).
    private static func started(_ make: () -> Process) throws -> Process {
        for _ in 0..<200 {
            let process = make()
            do {
                try process.run()
                return process
            } catch let error as NSError where isBusy(error) {
                usleep(10_000)
            }
        }
        let process = make()
        try process.run()
        return process
    }

    private static func isBusy(_ error: NSError) -> Bool {
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain && cause.code == Int(ETXTBSY)
    }

    deinit {
        guard isRunning else { return }
        signal(SIGKILL)
        while isRunning { usleep(1000) }
    }

    var number: Int32 { process.processIdentifier }
    var isRunning: Bool { ending == nil }
    var output: String { folder.text("stdout") }
    var errors: String { folder.text("stderr") }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the process to exit, and returns its exit code or 128 plus the signal that ended it.
    ///
    /// A process that hangs is killed after ten minutes, and the test fails.
    @discardableResult
    func exitCode() -> Int32 {
        let end = ContinuousClock.now + .seconds(600) * Patience.factor
        while ContinuousClock.now < end {
            if let ending { return ending }
            usleep(5000)
        }
        Issue.record("\(name) does not end; it printed: \(errors)\(output)")
        signal(SIGKILL)
        while isRunning { usleep(1000) }
        return 128 + SIGKILL
    }

    /// The exit code or 128 plus the signal; nil while the process runs. Asks the kernel, because Foundation misses
    /// some exits.
    private var ending: Int32? {
        var end = siginfo_t()
        if waitid(P_PID, id_t(process.processIdentifier), &end, WEXITED | WNOHANG | WNOWAIT) == 0 {
            let child = end._sifields._sigchld
            guard child.si_pid != 0 else { return nil }
            return end.si_code == CLD_EXITED ? child.si_status : 128 + child.si_status
        }
        // Foundation has reaped the process, and sets `isRunning` a moment later.
        guard !process.isRunning else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Waits until the process has printed the text to stdout or stderr.
    func waitFor(_ text: String) throws {
        try eventually("\(name) prints '\(text)'; it printed: \(errors)\(output)") {
            errors.contains(text) || output.contains(text)
        }
    }
}

/// Waits until a condition holds, and throws when it does not within the limit.
func eventually(
    within limit: Duration = .seconds(40),
    _ what: @autoclosure () -> String,
    _ condition: () throws -> Bool
) throws {
    let end = ContinuousClock.now + limit * Patience.factor
    var pause = Pause()
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(description: what()) }
        pause.take()
    }
}

/// The pause between two checks of a condition: 2 ms at first, then up to 50 ms, so that polling uses little CPU time.
struct Pause {
    private var microseconds: UInt32 = 2000

    mutating func take() {
        usleep(microseconds)
        microseconds = min(microseconds * 3 / 2, 50_000)
    }
}

struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}
