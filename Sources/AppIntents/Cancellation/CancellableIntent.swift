/// An intent that receives the reason for its cancellation and has a grace period to clean up.
///
/// Source: Apple's CancellableIntent page.
@_alwaysEmitConformanceMetadata
public protocol CancellableIntent: AppIntent {}

extension CancellableIntent {
    /// Performs an operation, and calls a handler with the reason as soon as the run is cancelled.
    ///
    /// The handler runs on a separate thread, so it is called even while the operation blocks its thread. The run waits
    /// for each `Task { }` that the handler starts, but no longer than the grace period
    /// (``IntentCancellationReason/graceRemaining``). It does not wait for detached tasks.
    ///
    /// - Throws: The operation's error.
    public func withIntentCancellationHandler<T>(
        operation: nonisolated(nonsending) () async throws -> T,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> T {
        try await handlingCancellation(operation, handler, isolation)
    }

    func handlingCancellation<T>(
        _ operation: nonisolated(nonsending) () async throws -> T,
        _ handler: @Sendable (IntentCancellationReason) -> Void,
        _ isolation: isolated (any Actor)?
    ) async rethrows -> T {
        let session = RunSession.now
        return try await withTaskCancellationHandler(
            operation: operation,
            onCancel: { session?.handleCancellation(.intent, by: handler) },
            isolation: isolation
        )
    }
}
