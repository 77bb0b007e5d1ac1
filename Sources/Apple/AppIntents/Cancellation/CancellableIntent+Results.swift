// These overloads help Swift to infer the type of `return .result(…)` in a closure; see
// LongRunningIntent+Results.swift.

extension CancellableIntent {
    /// An overload of `withIntentCancellationHandler` for a closure that returns an empty result.
    @_disfavoredOverload
    public func withIntentCancellationHandler(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Never, Never, Never, Never>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Never, Never, Never, Never> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// An overload of `withIntentCancellationHandler` for a closure that returns a result with a value.
    @_disfavoredOverload
    public func withIntentCancellationHandler<Value: _IntentValue>(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Value, Never, Never, Never>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Value, Never, Never, Never> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// An overload of `withIntentCancellationHandler` for a closure that returns a result with a dialog.
    @_disfavoredOverload
    public func withIntentCancellationHandler(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Never, Never, Never, IntentDialog>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        try await handlingCancellation(operation, handler, isolation)
    }

    /// An overload of `withIntentCancellationHandler` for a closure that returns a result with a value and a dialog.
    @_disfavoredOverload
    public func withIntentCancellationHandler<Value: _IntentValue>(
        operation: nonisolated(nonsending) () async throws -> IntentResultContainer<Value, Never, Never, IntentDialog>,
        onCancel handler: @Sendable (IntentCancellationReason) -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async rethrows -> IntentResultContainer<Value, Never, Never, IntentDialog> {
        try await handlingCancellation(operation, handler, isolation)
    }
}
