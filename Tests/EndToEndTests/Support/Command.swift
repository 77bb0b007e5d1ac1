import Foundation
import Glibc
import Testing

/// A program that runs beside the test, with what it prints kept in files.
final class Command {
    private let process = Process()
    private let folder: TemporaryFolder
    private let name: String

    /// Starts the program; it is killed when the test lets go of it.
    init(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        input: URL? = nil,
        directory: URL? = nil
    ) throws {
        folder = try TemporaryFolder()
        name = executable.lastPathComponent
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = directory
        if let input {
            process.standardInput = try FileHandle(forReadingFrom: input)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        process.standardOutput = try folder.file("stdout")
        process.standardError = try folder.file("stderr")
        try process.run()
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    var number: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: String { folder.text("stdout") }
    var errors: String { folder.text("stderr") }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end; its exit code, or 128 plus the signal that ended it.
    ///
    /// One that hangs is killed after ten minutes, and the test has failed.
    @discardableResult
    func exitCode() -> Int32 {
        let end = ContinuousClock.now + .seconds(600)
        while process.isRunning, ContinuousClock.now < end { usleep(5000) }
        if process.isRunning {
            Issue.record("\(name) does not end; it printed: \(errors)\(output)")
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        let status = process.terminationStatus
        return process.terminationReason == .exit ? status : 128 + status
    }

    /// Waits until it has printed this to either output.
    func waitFor(_ text: String) throws {
        try eventually("\(name) prints '\(text)'; it printed: \(errors)\(output)") {
            errors.contains(text) || output.contains(text)
        }
    }
}

/// Waits until something is true, and fails when it is not after a generous time.
func eventually(_ what: @autoclosure () -> String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while try !condition() {
        guard ContinuousClock.now < end else { throw NeverHappened(description: what()) }
        usleep(5000)
    }
}

struct NeverHappened: Error, CustomStringConvertible {
    let description: String
}
