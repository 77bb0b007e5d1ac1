/// An intent that receives the reason for its cancellation, and a grace period for clean-up.
///
/// Source: Apple's CancellableIntent page.
@_alwaysEmitConformanceMetadata
public protocol CancellableIntent: AppIntent {}

extension CancellableIntent {
    /// Performs an operation. If the run is cancelled, the handler is called with the reason.
    ///
    /// The handler is called on a separate thread, even while the operation blocks its own thread. The run waits for
    /// every `Task { }` that the handler starts, but no longer than the grace period
    /// (``IntentCancellationReason/graceRemaining``). It does not wait for detached tasks.
    ///
    /// - Throws: The error that the operation throws.
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
