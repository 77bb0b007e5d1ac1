import Foundation
import Glibc
import IntentLauncherMessages
import IntentLinux

/// A built app as a child process. The test acts as `intentd`.
final class AppProcess {
    /// The app's directory, removed at the end.
    let directory: String
    private let process: pid_t
    private var socket: SharedFileDescriptor?
    private var status: Int32?
    private let outputPath: String

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(
        _ app: String,
        mode: String?,
        arguments: [String] = [],
        variables: [String: String] = [:]
    ) throws {
        directory = NSTemporaryDirectory() + "appintents-\(UUID().uuidString)"
        outputPath = directory + ".out"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        socket = ends.first
        var environment = ProcessInfo.processInfo.environment
        environment["INTENTD_MODE"] = mode
        environment.merge(variables) { $1 }
        process = try Self.spawn(
            try Self.executable(app),
            arguments,
            environment,
            directory: directory,
            output: outputPath,
            socket: ends.second.rawValue
        )
    }

    deinit {
        if status == nil {
            kill(process, SIGKILL)
            _ = waitpid(process, nil, 0)
        }
        // Files left in the temporary directory are harmless.
        try? FileManager.default.removeItem(atPath: directory)
        try? FileManager.default.removeItem(atPath: outputPath)
    }

    // MARK: As intentd

    func send(_ command: WorkerCommand, files: [SharedFileDescriptor] = []) throws {
        try sendRaw(Frame.encode(WireCoding.encode(command), limit: Frame.recordLimit), files: files)
    }

    func sendRaw(_ record: [UInt8], files: [SharedFileDescriptor] = []) throws {
        guard let socket else { throw Failure(description: "the socket is closed") }
        _ = try UnixSocket.send(record[...], descriptors: files, on: socket.rawValue)
    }

    /// Returns the next report; nil at the end of the socket.
    func next(within milliseconds: Int32 = 20_000) throws -> (report: WorkerReport, files: [SharedFileDescriptor])? {
        guard let socket else { return nil }
        guard isReadable(within: milliseconds) else {
            throw Failure(description: "no report within \(milliseconds) ms; printed: \(output)")
        }
        let received = try UnixSocket.receive(
            from: socket.rawValue,
            upTo: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit
        )
        switch received {
        case .message(let record, let files):
            return (try WireCoding.decode(WorkerReport.self, from: try Frame.decode(record: record)), files)
        case .end: return nil
        case .truncated, .wouldBlock: throw Failure(description: "a record was truncated")
        }
    }

    /// True when a report or the end of the socket has arrived.
    func isReadable(within milliseconds: Int32) -> Bool {
        guard let socket else { return false }
        var source = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, milliseconds) == 1
    }

    /// Creates an empty file in the app's directory, which some intents wait for.
    func bring(_ file: String) throws {
        try Data().write(to: URL(fileURLWithPath: "\(directory)/\(file)"))
    }

    func disconnect() {
        socket = nil
    }

    // MARK: As a parent

    func signal(_ number: Int32) {
        kill(process, number)
    }

    var isRunning: Bool {
        if status == nil {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process { self.status = status }
        }
        return status == nil
    }

    /// Waits for the exit, and returns the exit code or the negative signal number.
    func exitCode() -> Int32 {
        if status == nil {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            self.status = status
        }
        let status = status ?? 0
        return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    }

    /// The app's output so far, from both streams.
    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

    /// Waits until the app has printed a string.
    func wait(for text: String) throws {
        let end = ContinuousClock.now + .seconds(20)
        while !output.contains(text) {
            guard ContinuousClock.now < end, isRunning else {
                throw Failure(description: "'\(text)' was not printed, but: \(output)")
            }
            usleep(5000)
        }
    }

    // MARK: Starting

    /// The executable of the app, in the folder of the test's own executable.
    static func executable(_ name: String) throws -> String {
        let bundles = CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
        let folders = ([try ProcessFacts.executablePath()] + bundles).map { ($0 as NSString).deletingLastPathComponent }
        guard let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) else {
            throw Failure(description: "no executable '\(name)' in \(folders); build the package first")
        }
        return "\(folder)/\(name)"
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        directory: String,
        output: String,
        socket: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 3)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)

        // Let env(1) change the directory, because Swift does not import posix_spawn_file_actions_addchdir_np(3).
        let words = (["env", "-C", directory, path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, "/usr/bin/env", &actions, nil, words, variables)
        guard error == 0 else { throw SystemError("posix_spawn", on: path, code: Errno(rawValue: error)) }
        return process
    }
}
