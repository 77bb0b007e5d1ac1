import CIntentWorker
import Glibc
import IntentCommandLine
import IntentCommands
import IntentLauncherMessages
import IntentLinux
import IntentWorker

/// Carries out the actions of a ``ServerConnection`` on the kernel objects of its server.
final class ServerDriver {
    private let session: ServerSession
    private(set) var connection: ServerConnection
    private let childEvent = intentd_event_create()
    /// The time at which a server counts as ended that has closed its standard output, but has not exited.
    private var endTime: Int64?
    /// What carrying out an action caused, until ``step(_:until:)`` returns it.
    private var waiting: [ServerConnection.Action] = []
    private(set) var hasExited = false

    private static let endPause: Int64 = 500_000_000

    /// - Parameter arguments: The path of the server's program, and its arguments.
    init(_ arguments: [String], _ file: CommandFile) {
        session = ServerSession(arguments)
        var roots = file.roots
        if let state = getenv("STATE_DIRECTORY") { roots.append(String(foreign: state)) }
        connection = ServerConnection(software: Hello.softwareVersion, roots: roots)
        let error = childEvent < 0 ? errno : intentd_exits_signal(childEvent)
        guard error == 0 else { WorkerExitStatus.configuration("cannot watch for SIGCHLD: \(Errno(rawValue: error))") }
    }

    /// Starts the server. A failure to start it is an action.
    func start(usesHandshake: Bool = false) {
        do {
            try session.start()
            (endTime, hasExited) = (nil, false)
            carryOut(connection.begin(usesHandshake: usesHandshake, at: ClockReading.monotonicNanoseconds()))
        } catch {
            hasExited = true
            carryOut(connection.ended((error as? ArgumentError)?.message ?? "\(error)"))
        }
    }

    /// Tells the server that it is no longer needed.
    func closeInput() { session.closeInput() }
    func stop() { session.stop() }
    func beginPrinting() { session.beginPrinting() }
    func log(_ text: String) { session.log(text) }
    func flush() { session.flush() }
    var lastErrors: String { session.lastErrors }

    func call(_ call: ToolCall) { carryOut(connection.call(call)) }
    func answered(_ reply: [String: JSONValue]) { carryOut(connection.answered(reply)) }

    func cancel(_ reason: CancellationReason) {
        carryOut(connection.cancel(reason.name))
        session.closeInput()
    }

    private func carryOut(_ actions: [ServerConnection.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): session.send(bytes)
            case .restart: start(usesHandshake: true)
            case .log(let text): session.log(text)
            case .listed, .progress, .ask, .withdraw, .returned, .failed: waiting.append(action)
            }
        }
    }

    /// Waits for an event of the server or of another descriptor.
    ///
    /// - Parameters:
    ///   - others: Other descriptors to poll.
    ///   - delay: The longest time to wait, in nanoseconds; nil for any time.
    /// - Returns: Whether each of the other descriptors is ready, and the actions that the caller carries out.
    func step(_ others: [pollfd], until delay: Int64?) -> (ready: [Bool], actions: [ServerConnection.Action]) {
        let now = ClockReading.monotonicNanoseconds()
        carryOut(connection.timePassed(at: now))
        if let endTime, now >= endTime { ended("it closed its standard output") }
        let end = endTime.map { max(0, $0 - now) }
        let delays = [delay, connection.nextDelay(at: now), end, waiting.isEmpty ? nil : 0]
        let wait = delays.compactMap(\.self).min().map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        var sources = others + [pollfd(fd: childEvent, events: Int16(POLLIN), revents: 0)] + session.interests
        // Ignore the result. The code below checks all sources, even after an interruption.
        _ = poll(&sources, nfds_t(sources.count), wait)
        for event in session.proceed(sources[(others.count + 1)...].map { $0.revents != 0 }) { handle(event) }
        if sources[others.count].revents != 0 {
            intentd_event_clear(childEvent)
            reap()
        }
        defer { waiting = [] }
        return (sources[..<others.count].map { $0.revents != 0 }, waiting)
    }

    private func handle(_ event: ServerSession.Event) {
        switch event {
        case .line(let line): carryOut(connection.received(line))
        case .lineTooLong: carryOut(connection.receivedTooMuch())
        case .outputEnded: endTime = ClockReading.monotonicNanoseconds() + Self.endPause
        }
    }

    private func reap() {
        guard let end = session.reap() else { return }
        hasExited = true
        for event in session.drain() { handle(event) }
        ended("it \(end.text)")
    }

    private func ended(_ reason: String) {
        endTime = nil
        let line = session.lastErrorLine.map { "\(reason): \($0)" } ?? reason
        carryOut(connection.ended(line))
    }
}
