internal import IntentLinux
public import IntentProtocol

/// A connection to `intentd`. It ends when the last reference to it, and to its runs, goes.
///
/// ```swift
/// let intentd = try await IntentConnection.connect()
/// let run = try await intentd.perform(PerformRequest(app: "Soup", intent: "OrderSoup", values: ["soup": .string("tomato")]))
/// for try await event in run.events { print(event) }
/// let result = try await run.result
/// ```
///
/// Every call may be made from any task, and many at once. Errors are ``IntentClientError``, or `CancellationError`.
public final class IntentConnection: Sendable {
    /// Name and version of the daemon at the other end, for people.
    public let serverSoftware: String
    /// Name and version of this client library.
    public static let softwareVersion: String = Hello.softwareVersion

    let link: ServerLink

    private init(link: ServerLink, serverSoftware: String) {
        self.link = link
        self.serverSoftware = serverSoftware
    }

    deinit {
        link.close()
    }

    /// Connects and greets.
    ///
    /// - Parameters:
    ///   - software: What this program calls itself to the daemon, such as `kitchen 2.1`.
    ///   - patience: How long a daemon that goes away is waited for: it may be upgraded, or be started anew after a crash.
    ///     Everything goes on then where it was. Zero: a connection that is lost stays lost.
    ///   - interrupted: Hears that the daemon went away, and that it is there again; on a thread of the connection's own.
    /// - Throws: ``IntentClientError`` with code `noDaemon`, `notPermitted` or `versionMismatch`.
    public static func connect(
        to location: SocketLocation = .automatic,
        software: String = "IntentClient",
        patience: Duration = .seconds(10),
        interrupted: (@Sendable (ConnectionInterruption) -> Void)? = nil
    ) async throws -> IntentConnection {
        let path = try location.path()
        let socket: SharedFileDescriptor
        do throws(SystemError) {
            socket = SharedFileDescriptor(try UnixSocket.connect(.stream, to: path))
        } catch {
            throw IntentClientError(connecting: path, location, failed: error)
        }
        let renewal = ServerLink.Renewal(path: path, software: software, patience: patience, interrupted: interrupted)
        return try await greet(on: socket, software: software, patience > .zero ? renewal : nil)
    }

    /// Greets over a connected stream socket, which now belongs to the connection.
    package static func adopt(socket: Int32, software: String) async throws -> IntentConnection {
        try await adopt(SharedFileDescriptor(owning: socket), software: software)
    }

    static func adopt(_ socket: SharedFileDescriptor, software: String) async throws -> IntentConnection {
        try await greet(on: socket, software: software)
    }

    private static func greet(
        on socket: SharedFileDescriptor,
        software: String,
        _ renewal: ServerLink.Renewal? = nil
    ) async throws -> IntentConnection {
        let link = ServerLink(socket: socket, renewal: renewal)
        try link.start()
        do {
            let answer = try await link.request(.hello(Hello(software: software))).answer
            guard case .hello(let server) = answer else { throw IntentClientError.wrongAnswer }
            guard server.protocolVersion == Hello.currentVersion else {
                throw IntentClientError(
                    .versionMismatch,
                    "\(server.software) speaks version \(server.protocolVersion) of the protocol, and this client "
                        + "version \(Hello.currentVersion)",
                    hint: server.protocolVersion > Hello.currentVersion ? "update the client." : "update intentd."
                )
            }
            return IntentConnection(link: link, serverSoftware: server.software)
        } catch {
            link.close()
            throw error
        }
    }

    /// Ends the connection now; what becomes of its runs is what each of them asked for.
    public func close() {
        link.close()
    }

    /// The apps that are installed, with what they can do.
    public func apps() async throws -> [AppDescription] {
        let answer = try await link.request(.list).answer
        guard case .apps(let apps) = answer else { throw IntentClientError.wrongAnswer }
        return apps
    }

    /// One app.
    public func app(named name: String) async throws -> AppDescription {
        let answer = try await link.request(.describe(app: name)).answer
        guard case .app(let app) = answer else { throw IntentClientError.wrongAnswer }
        return app
    }

    /// Performs an intent. Returns when the run is on record; follow it with the handle that is returned.
    ///
    /// When the calling task is cancelled meanwhile, the run is cancelled as soon as it is known.
    ///
    /// - Parameter files: The files that ``IntentValue/file(_:)`` values of the request name by index.
    public func perform(_ request: PerformRequest, files: [RunFile] = []) async throws -> IntentRun {
        guard files.count <= FileReference.countLimit else {
            throw IntentClientError(
                .tooLarge,
                "\(files.count) files are too many for one run: the limit is \(FileReference.countLimit)",
                hint: "pack them into one (tar)."
            )
        }
        var message = request
        let descriptors = files.map(\.shared)
        message.fileCount = descriptors.count
        message.writable = RunFile.writablePlaces(of: descriptors)
        return try await perform(message, descriptors)
    }

    /// Takes back what a run did: performs the intent that it registered, as a run of its own, once. Requested again, it
    /// is the same run.
    ///
    /// - Parameter onDisconnect: What becomes of the new run when this connection ends.
    /// - Throws: ``IntentClientError`` with code `cannotUndo` when the run registered none, `unknownRun` when the caller
    ///   has no such run on record.
    public func undo(
        run: RunID,
        onDisconnect: DisconnectRule = .cancel,
        isInteractive: Bool = false
    ) async throws -> IntentRun {
        let message = PerformRequest(
            app: "",
            intent: "",
            onDisconnect: onDisconnect,
            undoOf: run,
            isInteractive: isInteractive ? true : nil
        )
        return try await perform(message, [])
    }

    private func perform(_ message: PerformRequest, _ files: [SharedFileDescriptor]) async throws -> IntentRun {
        let reply = try await link.request(.perform(message), files: files, patience: .untilAnswered)
        guard let feed = reply.feed else { throw IntentClientError.wrongAnswer }
        if Task.isCancelled { link.requestCancellation(of: feed.run) }
        return IntentRun(RunBond(kind: .owner, feed: feed, link: link, connection: self))
    }

    /// The caller's runs that have not ended.
    public func runs() async throws -> [LiveRun] {
        let answer = try await link.request(.runs).answer
        guard case .runs(let runs) = answer else { throw IntentClientError.wrongAnswer }
        return runs
    }

    /// Follows a run of the caller's, whoever asked for it. The run does not notice.
    ///
    /// - Parameter serial: Leaves out what was heard before, up to the ``RunWatch/lastSerial`` of then.
    /// - Throws: ``IntentClientError`` with code `unknownRun` when there is none, or it ended long ago.
    public func watch(run: RunID, after serial: UInt64? = nil) async throws -> RunWatch {
        let reply = try await link.request(.watch(run: run.text, after: serial))
        guard case .watching(let watched) = reply.answer, let feed = reply.feed else {
            throw IntentClientError.wrongAnswer
        }
        return RunWatch(watched, RunBond(kind: .watcher, feed: feed, link: link, connection: self))
    }

    /// Cancels a run, whoever follows it. Returns when nothing of it is left.
    public func cancel(run: RunID) async throws -> RunResult {
        let reply = try await link.request(.cancel(run: run.text))
        guard case .ended(let end) = reply.answer, let result = RunResult(end, received: reply.files) else {
            throw IntentClientError.wrongAnswer
        }
        return result
    }

    /// The daemon at a glance.
    public func status() async throws -> DaemonStatus {
        let answer = try await link.request(.status).answer
        guard case .status(let status) = answer else { throw IntentClientError.wrongAnswer }
        return status
    }

    /// Has the daemon read its configuration and its apps again: for the operator alone. Runs that are under way keep the
    /// rules they began with.
    ///
    /// - Returns: How many apps can be used, and why others cannot.
    /// - Throws: ``IntentClientError`` with code `badConfiguration` when a file has a mistake: nothing has changed then.
    public func reload() async throws -> ReloadReport {
        let answer = try await link.request(.reload).answer
        guard case .reloaded(let report) = answer else { throw IntentClientError.wrongAnswer }
        return report
    }

    /// Has the daemon become the program that was installed in its place: for the operator alone. Runs go on, and other
    /// clients come back by themselves.
    ///
    /// - Returns: The daemon that serves now.
    /// - Throws: ``IntentClientError`` with code `notUpgraded` when the new program cannot take over: nothing has changed
    ///   then. `connectionLost` when it did not come back within this connection's patience.
    public func upgrade() async throws -> DaemonStatus {
        guard case .upgrading = try await link.request(.upgrade).answer else { throw IntentClientError.wrongAnswer }
        // Answered by the one that comes: the one that leaves reads no more.
        return try await status()
    }
}
