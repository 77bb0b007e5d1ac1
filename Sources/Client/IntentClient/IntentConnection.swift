package import IntentLinux

/// A connection to `intentd`. The connection closes when the last reference to it and to its runs is released.
///
/// ```swift
/// let intentd = try await IntentConnection.connect()
/// let run = try await intentd.perform(PerformRequest(app: "Soup", intent: "OrderSoup"))
/// for try await event in run.events { print(event) }
/// let result = try await run.result
/// ```
///
/// All methods can be called from any task, and concurrently. They throw ``IntentClientError`` or `CancellationError`.
public final class IntentConnection: Sendable {
    /// The name and version of the daemon, for display.
    public let serverSoftware: String
    /// The version of this library.
    public static let softwareVersion: String = Hello.softwareVersion

    let link: ServerLink

    private init(link: ServerLink, serverSoftware: String) {
        self.link = link
        self.serverSoftware = serverSoftware
    }

    deinit {
        link.close()
    }

    /// Connects to a daemon and exchanges hello messages with it.
    ///
    /// - Parameters:
    ///   - location: The daemon's socket.
    ///   - software: This program's name and version, such as `kitchen 2.1`, for history and error messages.
    ///   - patience: How long to try to reconnect after the daemon is upgraded or crashes. Runs and requests survive a
    ///     reconnection. With zero, the connection does not reconnect.
    ///   - entryPoint: The entry point that history records for the requests; nil for ``EntryPoint/socket``.
    ///   - interrupted: A closure that is called on one of the connection's threads when the connection is lost or
    ///     restored.
    /// - Throws: ``IntentClientError`` with code `noDaemon`, `notPermitted` or `versionMismatch`.
    public static func connect(
        to location: SocketLocation = .automatic,
        software: String = "IntentClient",
        patience: Duration = .seconds(10),
        entryPoint: EntryPoint? = nil,
        interrupted: (@Sendable (ConnectionInterruption) -> Void)? = nil
    ) async throws -> IntentConnection {
        let path = try location.path()
        let renewal = ServerLink.Renewal(software: software, patience: patience, interrupted: interrupted) {
            () throws(IntentClientError) in
            do throws(SystemError) {
                return SharedFileDescriptor(try UnixSocket.connect(.stream, to: path))
            } catch {
                throw IntentClientError(connecting: path, location, failed: error)
            }
        }
        return try await greet(
            on: try renewal.open(),
            software: software,
            entryPoint: entryPoint,
            patience > .zero ? renewal : nil
        )
    }

    /// Connects to intentd on another host, over the stream sockets that a closure opens.
    ///
    /// - Parameters:
    ///   - webUser: The user that a service acts for; nil for its own.
    ///   - open: Opens a socket, and may block. It is called again to reconnect. Any error other than
    ///   `noDaemon`, `connectionLost`, `notPermitted` and `system` ends the attempts.
    package static func connect(
        software: String,
        webUser: String? = nil,
        patience: Duration = .seconds(10),
        entryPoint: EntryPoint? = nil,
        interrupted: (@Sendable (ConnectionInterruption) -> Void)? = nil,
        through open: @escaping @Sendable () throws(IntentClientError) -> SharedFileDescriptor
    ) async throws -> IntentConnection {
        let renewal = ServerLink.Renewal(
            software: software,
            webUser: webUser,
            patience: patience,
            interrupted: interrupted,
            open: open
        )
        let socket: SharedFileDescriptor = try await withCheckedThrowingContinuation { continuation in
            do throws(SystemError) {
                try DetachedThread.start {
                    continuation.resume(
                        with: Result { () throws(IntentClientError) in try open() }
                            .mapError { $0 as any Error }
                    )
                }
            } catch {
                continuation.resume(throwing: IntentClientError(noThread: error))
            }
        }
        return try await greet(on: socket, software: software, entryPoint: entryPoint, renewal)
    }

    /// Takes ownership of a connected stream socket, and exchanges hello messages over it.
    package static func adopt(socket: Int32, software: String) async throws -> IntentConnection {
        try await adopt(SharedFileDescriptor(owning: socket), software: software)
    }

    static func adopt(_ socket: SharedFileDescriptor, software: String) async throws -> IntentConnection {
        try await greet(on: socket, software: software)
    }

    private static func greet(
        on socket: SharedFileDescriptor,
        software: String,
        entryPoint: EntryPoint? = nil,
        _ renewal: ServerLink.Renewal? = nil
    ) async throws -> IntentConnection {
        let link = ServerLink(socket: socket, renewal: renewal, entryPoint: entryPoint)
        try link.start()
        do {
            let answer = try await link.request(.hello(Hello(software: software, webUser: renewal?.webUser))).answer
            guard case .hello(let server) = answer else { throw IntentClientError.wrongAnswer }
            guard server.protocolVersion == Hello.currentVersion else {
                throw IntentClientError(
                    .versionMismatch,
                    "\(server.software) uses protocol version \(server.protocolVersion), but this client uses "
                        + "version \(Hello.currentVersion)",
                    hint: server.protocolVersion > Hello.currentVersion ? "update the client" : "update intentd"
                )
            }
            return IntentConnection(link: link, serverSoftware: server.software)
        } catch {
            link.close()
            throw error
        }
    }

    /// Closes the connection immediately. Each run is then cancelled or continues, as its ``DisconnectRule`` specifies.
    public func close() {
        link.close()
    }

    /// Returns the installed apps that the caller is permitted to use, with their intents.
    public func apps() async throws -> [AppDescription] {
        var apps = try await link.answer(to: .list) { if case .apps(let apps) = $0 { apps } else { nil } }
        for index in apps.indices where apps[index].isIncomplete {
            let name = apps[index].name
            do {
                apps[index] = try await app(named: name)
            } catch let error as IntentClientError where error.code == .unknownApp {
                apps[index].problem = "it was removed"
            }
        }
        return apps
    }

    /// Returns one app with its intents.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownApp` or `notPermitted`.
    public func app(named name: String) async throws -> AppDescription {
        try await link.answer(to: .describe(app: name)) { if case .app(let app) = $0 { app } else { nil } }
    }

    /// Performs an intent. Returns as soon as the run has been recorded.
    ///
    /// If the calling task is cancelled during the call, the run is cancelled as soon as its identifier is known.
    ///
    /// - Parameters:
    ///   - request: The names of the app and the intent, and the values.
    ///   - files: The files, at most 256. ``IntentValue/file(_:)`` values refer to them by index.
    /// - Throws: ``IntentClientError``, for example with code `badParameter` when a value is invalid, `busy` when the
    ///   backlog is full, or `historyUnavailable` when the run cannot be recorded.
    public func perform(_ request: PerformRequest, files: [RunFile] = []) async throws -> IntentRun {
        guard files.count <= FileReference.countLimit else {
            throw IntentClientError(
                .tooLarge,
                "expected at most \(FileReference.countLimit) files for a run, got \(files.count)",
                hint: "pack them into one archive, for example with tar"
            )
        }
        var message = request
        let descriptors = files.map(\.shared)
        message.fileCount = descriptors.count
        message.writable = RunFile.writableIndices(of: descriptors)
        return try await perform(message, descriptors)
    }

    /// Undoes a run: a new run performs the intent that the run registered as its undo. A run can be undone only once:
    /// a repeated call returns the same new run, unless that run ended without success. In that case, it tries again.
    ///
    /// - Parameters:
    ///   - onDisconnect: Whether the new run is cancelled or continues when this connection closes.
    ///   - isInteractive: True when a person is waiting for the new run.
    /// - Throws: ``IntentClientError`` with code `cannotUndo` when the run registered no undo intent, or `unknownRun`
    ///   when history contains no such run that the caller owns.
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
            entryPoint: link.entryPoint,
            isInteractive: isInteractive.trueOrNil
        )
        return try await perform(message, [])
    }

    private func perform(_ message: PerformRequest, _ files: [SharedFileDescriptor]) async throws -> IntentRun {
        let reply = try await link.request(.perform(message), files: files, patience: .untilAnswered)
        guard let feed = reply.feed else { throw IntentClientError.wrongAnswer }
        if Task.isCancelled { link.requestCancellation(of: feed.run) }
        return IntentRun(RunSubscription(kind: .owner, feed: feed, link: link, connection: self))
    }

    /// Returns the caller's runs that have not ended, and runs of other users with questions that the caller may
    /// answer.
    public func runs() async throws -> [LiveRun] {
        try await link.answer(to: .runs) { if case .runs(let runs) = $0 { runs } else { nil } }
    }

    /// Subscribes to one of the caller's runs, whichever program requested it. The subscription does not affect the
    /// run.
    ///
    /// - Parameter serial: The serial of the last event to skip, such as the ``RunWatch/lastSerial`` of an earlier
    ///   watch; nil to begin with the newest state and progress.
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the run is unknown or belongs to another user.
    public func watch(run: RunID, after serial: UInt64? = nil) async throws -> RunWatch {
        let reply = try await link.request(.watch(run: run.text, after: serial))
        guard case .watching(let watched) = reply.answer, let feed = reply.feed else {
            throw IntentClientError.wrongAnswer
        }
        return RunWatch(watched, RunSubscription(kind: .watcher, feed: feed, link: link, connection: self))
    }

    /// Cancels one of the caller's runs, whichever program requested it. Returns after all of the run's processes have
    /// exited.
    public func cancel(run: RunID) async throws -> RunResult {
        let reply = try await link.request(.cancel(run: run.text))
        guard case .ended(let end) = reply.answer, let result = RunResult(end, received: reply.files) else {
            throw IntentClientError.wrongAnswer
        }
        return result
    }

    /// Returns the daemon's counters, isolation and problems.
    public func status() async throws -> DaemonStatus {
        try await link.answer(to: .status) { if case .status(let status) = $0 { status } else { nil } }
    }

    /// Reports that a start of a schedule did not result in a run, so that the operator's `[Notify]` can count it.
    public func reportStartFailure(_ failure: StartFailure) async throws {
        try await link.answer(to: .startFailed(failure)) { if case .startFailureNoted = $0 { () } else { nil } }
    }

    /// Reloads the daemon's configuration and apps. For operators only. Current runs keep their previous rules.
    ///
    /// - Returns: The number of apps that can be used, and the reason for each app that cannot be used.
    /// - Throws: ``IntentClientError`` with code `badConfiguration` when a file contains an error. The previous
    ///   configuration then stays in effect.
    public func reload() async throws -> ReloadReport {
        try await link.answer(to: .reload) { if case .reloaded(let report) = $0 { report } else { nil } }
    }

    /// Replaces the daemon with the newly installed program. For operators only. Runs continue, and other clients
    /// reconnect automatically.
    ///
    /// - Returns: The status of the new daemon.
    /// - Throws: ``IntentClientError`` with code `notUpgraded` when the new program cannot take over, in which case the
    ///   old daemon continues; `connectionLost` when the new daemon does not answer within the connection's `patience`.
    public func upgrade() async throws -> DaemonStatus {
        guard case .upgrading = try await link.request(.upgrade).answer else { throw IntentClientError.wrongAnswer }
        // The old daemon reads no further requests, so the new daemon answers this request.
        return try await status()
    }
}
