/// Runs a private intentd for the duration of a closure.
enum LocalDaemon {
    /// - Parameters:
    ///   - purpose: What `work` does with the daemon.
    ///   - socket: The path of a socket on which other clients can connect to the daemon; nil for no socket.
    ///   - waitsForDebugger: True to hold each run until a debugger traces its worker.
    /// - Throws: ``CommandFailure`` if the daemon exits early, or the error that `work` throws.
    static func with<Result>(
        _ executable: String,
        for purpose: PrivateDaemon.Purpose,
        socket: String? = nil,
        waitsForDebugger: Bool = false,
        isSilent: Bool = false,
        _ work: (IntentConnection, _ app: String) async throws -> Result
    ) async throws -> Result {
        let daemon = try PrivateDaemon.start(
            executable: executable,
            for: purpose,
            socket: socket,
            waitsForDebugger: waitsForDebugger,
            isSilent: isSilent
        )
        let outcome: Swift.Result<Result, any Error>
        do {
            let connection = try await daemon.connect(software: Invocation.software)
            // The daemon exits when the connection closes. Close the connection before waiting for the daemon, even
            // after an error.
            defer { connection.close() }
            outcome = .success(try await work(connection, daemon.app))
        } catch {
            outcome = .failure(error)
        }
        let problem = daemon.wait()
        if case .failure(let error as IntentClientError) = outcome, error.code == .connectionLost {
            throw CommandFailure(
                .unavailable,
                code: error.code.rawValue,
                error.run.map { "run \($0): the private intentd exited" }
                    ?? "the private intentd exited before it answered",
                hint: (problem.map { "\($0); " } ?? "") + "see its messages above"
            )
        }
        return try outcome.get()
    }
}
