import Testing

/// Starts one server for all tests of a suite, and stops it after the last.
struct SharedCluster: SuiteTrait, TestScoping {
    @TaskLocal private static var server: PostgresCluster?

    /// The server of the suite to which the running test belongs.
    static var current: PostgresCluster {
        get throws { try #require(server) }
    }

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let server = try PostgresCluster()
        try await Self.$server.withValue(server) { try await function() }
    }
}

extension Trait where Self == SharedCluster {
    static var sharedCluster: Self { Self() }
}
