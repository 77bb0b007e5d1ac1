// As in LongRunningIntent+Results.swift: these give `return .result(…)` in the closure its type.

extension CancellableIntent {
    /// `withIntentCancellationHandler` with a closure that returns a result with nothing.
    @_disfavoredOverload
    public func withIntentCancellationHandler(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Never, Never, Never, Never>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Never, Never, Never, Never> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// `withIntentCancellationHandler` with a closure that returns a result with a value.
    @_disfavoredOverload
    public func withIntentCancellationHandler<Value: _IntentValue>(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Value, Never, Never, Never>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Value, Never, Never, Never> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// `withIntentCancellationHandler` with a closure that returns a result with a dialog.
    @_disfavoredOverload
    public func withIntentCancellationHandler(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Never, Never, Never, IntentDialog>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// `withIntentCancellationHandler` with a closure that returns a result with a value and a dialog.
    @_disfavoredOverload
    public func withIntentCancellationHandler<Value: _IntentValue>(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Value, Never, Never, IntentDialog>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Value, Never, Never, IntentDialog> {
        try await handlingCancellation(operation, handler, isolation)
    }
}
