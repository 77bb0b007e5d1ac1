// With the generic methods alone Swift cannot find the type of `return .result(…)` in a closure, which Apple's own
// samples write. One overload for each result that `result(…)` makes gives the closure its type; disfavoured, because a
// closure that never returns would fit them all.

extension LongRunningIntent {
    /// `performBackgroundTask` with a closure that returns a result with nothing.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Never, Never, Never, Never>
    ) async throws -> IntentResultContainer<Never, Never, Never, Never> {
        try await inBackground(options, operation)
    }

    /// `performBackgroundTask` with a closure that returns a result with a value.
    @discardableResult
    @_disfavoredOverload
    nonisolated(nonsending) public func performBackgroundTask<Value: _IntentValue>(
        options: LongRunningTaskOptions = [],
        operation:
            nonisolated(nonsending) @escaping () async throws -> IntentResultContainer<Value, Never, Never, Never>
    ) async throws -> IntentResultContainer<Value, Never, Never, Never> {
        try await inBackground(options, operation)
    }

    /// `performBackgroundTask` with a closure that returns a result with a dialog.
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

    /// `performBackgroundTask` with a closure that returns a result with a value and a dialog.
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
    /// `performBackgroundTask` with a handler and a closure that returns a result with nothing.
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

    /// `performBackgroundTask` with a handler and a closure that returns a result with a value.
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

    /// `performBackgroundTask` with a handler and a closure that returns a result with a dialog.
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

    /// `performBackgroundTask` with a handler and a closure that returns a result with a value and a dialog.
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
