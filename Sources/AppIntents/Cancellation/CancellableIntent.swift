/// An intent that wants to know why it is cancelled, and gets more time to clean up.
///
/// Source: Apple's CancellableIntent page.
@_alwaysEmitConformanceMetadata
public protocol CancellableIntent: AppIntent {}

extension CancellableIntent {
    /// Does work with a handler that is called at once, with the reason, when the run is cancelled.
    ///
    /// The handler is called on another thread, also while the operation blocks its own. A `Task { }` that it starts is
    /// waited for, as far as the grace period goes (``IntentCancellationReason/graceRemaining``); a detached one is not.
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
