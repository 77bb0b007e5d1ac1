import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd
import TestSupport

@testable import IntentLauncher

/// Parts of a launcher on a loop, in a separate folder, with intentd's end of the connection.
final class LauncherParts {
    let loop: EventLoop
    let journal = Journal(identifier: "intentd-launcher-test")
    let folder = TemporaryDirectory()
    let context: LauncherContext
    let workers: Workers
    /// intentd's end of the connection.
    private(set) var peer: SharedFileDescriptor
    /// True after intentd has ended, until the next intentd connects.
    private(set) var isLost = false
    /// The events that the connection reported.
    private(set) var events: [String] = []
    /// The commands that the launcher received from intentd.
    private(set) var commands: [LaunchCommand] = []
    /// Called with each command.
    var obey: (LaunchCommand) -> Void = { _ in }
    /// Called when the connection is lost.
    var lost: () -> Void = {}

    var supervisor: SupervisorConnection { context.supervisor }
    var children: ChildTable { context.children }
    var folders: RunFolders { context.folders }
    var closer: SocketCloser { context.socketCloser }

    init() throws {
        loop = try EventLoop()
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        peer = ends.second
        try peer.setNonblocking()
        let inherited = try syscall("fcntl") { fcntl(ends.first.rawValue, F_DUPFD_CLOEXEC, 3) }
        let children = ChildTable()
        context = LauncherContext(
            loop: loop,
            journal: journal,
            supervisor: try SupervisorConnection(
                .connected(descriptor: inherited),
                inherited: nil,
                on: loop,
                journal: journal
            ),
            children: children,
            folders: RunFolders(at: folder("cache"), on: loop, journal: journal),
            states: StateFolders(at: folder("state"), journal: journal),
            files: AppFiles(Installation(appFolders: [], user: nil), schedules: "/nonexistent"),
            socketCloser: try SocketCloser(on: loop, children: children),
            sources: SourceWatch(on: loop, journal: journal),
            egress: EgressLink(on: loop, journal, children, credentialFolder: "/nonexistent")
        )
        try context.folders.make(sharesResults: false)
        workers = Workers(context)
    }

    /// Starts serving the launcher's end of the connection.
    func connect() throws {
        supervisor.handle = { [weak self] event in
            self?.events.append("\(event)")
            if case .lost = event { self?.lost() }
        }
        supervisor.received = { [weak self] payload, _ in
            let command = try WireCoding.decode(LaunchCommand.self, from: payload)
            self?.commands.append(command)
            self?.obey(command)
        }
        supervisor.paused = { [weak self] in self?.events.append("paused") }
        try supervisor.start(nil)
    }

    /// Connects another intentd, as the listener does.
    func reconnect() throws {
        supervisor.endConnection("another intentd connected")
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        peer = ends.second
        isLost = false
        try peer.setNonblocking()
        supervisor.serve(ends.first)
    }

    /// Ends intentd, which may have sent commands that the launcher has not received yet.
    func killSupervisor() {
        shutdown(peer.rawValue, Int32(SHUT_RDWR))
        isLost = true
    }

    /// Sends a command as intentd, unless no intentd is connected.
    func sendIfConnected(_ command: LaunchCommand) throws {
        if !isLost { try send(command) }
    }

    /// Sends a command as intentd.
    func send(_ command: LaunchCommand) throws {
        let limit = Frame.recordLimit - Frame.headerByteCount
        let record = try Frame.encode(WireCoding.encode(command), limit: limit)
        _ = try UnixSocket.send(record[...], on: peer.rawValue)
    }

    /// Returns the reports that have reached intentd since the last call.
    func reports() throws -> [LaunchReport] {
        var reports: [LaunchReport] = []
        while case .message(let record, _) = try UnixSocket.receive(
            from: peer.rawValue,
            upTo: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit
        ) {
            reports.append(try WireCoding.decode(LaunchReport.self, from: Frame.decode(record: record)))
        }
        return reports
    }

    /// Runs the loop until the condition is true.
    func run(until condition: @escaping () throws -> Bool) throws {
        var timer: EventSource?
        var failure: (any Error)?
        func look() {
            do {
                if try condition() { return loop.exit(0) }
                timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 5_000_000) { look() }
            } catch {
                failure = error
                loop.exit(0)
            }
        }
        look()
        _ = try loop.run()
        withExtendedLifetime(timer) {}
        if let failure { throw failure }
    }

    /// Runs the loop, and calls the body once per turn until it returns false.
    func turns(_ count: Int, _ body: @escaping () throws -> Bool) throws {
        var timer: EventSource?
        var failure: (any Error)?
        var rest = count
        func turn() {
            do {
                rest -= 1
                guard rest >= 0, try body() else { return loop.exit(0) }
                timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 200_000) { turn() }
            } catch {
                failure = error
                loop.exit(0)
            }
        }
        turn()
        _ = try loop.run()
        withExtendedLifetime(timer) {}
        if let failure { throw failure }
    }

    /// Runs the loop for this duration.
    func run(milliseconds: Int64) throws {
        let end = ClockReading.monotonicNanoseconds() + milliseconds * 1_000_000
        let timer = try loop.timer(atNanoseconds: end) { [loop] in loop.exit(0) }
        _ = try loop.run()
        withExtendedLifetime(timer) {}
    }
}
