// Apple's samples use `return .result(…)` in the closure. Swift can infer its type only with an overload for each type
// of result, not with the generic methods alone. The overloads are disfavoured, because a closure that never returns
// would match all of them.

extension LongRunningIntent {
    /// An overload of `performBackgroundTask` for a closure that returns an empty result.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Never, Never, Never, Never>
    ) async throws -> IntentResultContainer<Never, Never, Never, Never> {
        try await inBackground(options, operation)
    }

    /// An overload of `performBackgroundTask` for a closure that returns a result with a value.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<Value: _IntentValue>(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Value, Never, Never, Never>
    ) async throws -> IntentResultContainer<Value, Never, Never, Never> {
        try await inBackground(options, operation)
    }

    /// An overload of `performBackgroundTask` for a closure that returns a result with a dialog.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<
                Never, Never, Never, IntentDialog
            >
    ) async throws -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        try await inBackground(options, operation)
    }

    /// An overload of `performBackgroundTask` for a closure that returns a result with a value and a dialog.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<Value: _IntentValue>(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<
                Value, Never, Never, IntentDialog
            >
    ) async throws -> IntentResultContainer<Value, Never, Never, IntentDialog> {
        try await inBackground(options, operation)
    }
}

extension LongRunningIntent where Self: CancellableIntent {
    /// An overload of `performBackgroundTask` with a cancellation handler, for a closure that returns an empty result.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Never, Never, Never, Never>,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> IntentResultContainer<Never, Never, Never, Never> {
        try await inBackground(options, operation, onCancel: onCancel)
    }

    /// An overload of `performBackgroundTask` with a cancellation handler, for a closure that returns a result with a
    /// value.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<Value: _IntentValue>(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Value, Never, Never, Never>,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> IntentResultContainer<Value, Never, Never, Never> {
        try await inBackground(options, operation, onCancel: onCancel)
    }

    /// An overload of `performBackgroundTask` with a cancellation handler, for a closure that returns a result with a
    /// dialog.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<
                Never, Never, Never, IntentDialog
            >,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        try await inBackground(options, operation, onCancel: onCancel)
    }

    /// An overload of `performBackgroundTask` with a cancellation handler, for a closure that returns a result with a
    /// value and a dialog.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<Value: _IntentValue>(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<
                Value, Never, Never, IntentDialog
            >,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> IntentResultContainer<Value, Never, Never, IntentDialog> {
        try await inBackground(options, operation, onCancel: onCancel)
    }
}
