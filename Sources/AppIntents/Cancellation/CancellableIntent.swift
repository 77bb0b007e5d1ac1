/// An intent that learns why it is cancelled and has a grace period to clean up.
///
/// Source: Apple's CancellableIntent page.
@_alwaysEmitConformanceMetadata
public protocol CancellableIntent: AppIntent {}

extension CancellableIntent {
    /// Performs an operation, and calls a handler with the reason as soon as the run is cancelled.
    ///
    /// The handler runs on a separate thread, so it is called even while the operation blocks its thread. The run waits
    /// for a `Task { }` that the handler starts until the grace period ends
    /// (``IntentCancellationReason/graceRemaining``), but not for a detached task.
    ///
    /// - Throws: What the operation throws.
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
