import IntentClient

/// Work over a connection to an intentd of our own, which lives as long as the work.
enum LocalDaemon {
    /// - Throws: ``CommandFailure`` that names the daemon's end when that is what went wrong.
    static func with<Result>(
        _ executable: String,
        isReachable: Bool = false,
        _ work: (IntentConnection, _ app: String, _ socket: String?) async throws -> Result
    ) async throws -> Result {
        let daemon = try PrivateDaemon.start(executable: executable, isReachable: isReachable)
        let outcome: Swift.Result<Result, any Error>
        do {
            let connection = try await daemon.connect(software: Invocation.software)
            // It ends with the connection, so the connection ends first, however the work went.
            defer { connection.close() }
            outcome = .success(try await work(connection, daemon.app, daemon.path))
        } catch {
            outcome = .failure(error)
        }
        let problem = daemon.wait()
        if case .failure(let error as IntentClientError) = outcome, error.code == .connectionLost {
            throw CommandFailure(
                .unavailable,
                code: error.code.rawValue,
                error.run.map { "run \($0): the private intentd ended" }
                    ?? "the private intentd ended before its answer",
                hint: (problem.map { "\($0); " } ?? "") + "what it said stands above."
            )
        }
        return try outcome.get()
    }
}
