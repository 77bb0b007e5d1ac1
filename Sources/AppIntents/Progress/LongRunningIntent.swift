/// An intent that may run for hours, as long as its progress advances inside `performBackgroundTask`.
///
/// Source: Apple's LongRunningIntent page.
@_alwaysEmitConformanceMetadata
public protocol LongRunningIntent: ProgressReportingIntent {}

/// What a background task asks for.
///
/// Source: Apple's LongRunningTaskOptions page.
public struct LongRunningTaskOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The work needs the graphics processor; the operator grants it with `GPU=yes`.
    public static let requiresGPU = LongRunningTaskOptions(rawValue: 1 << 0)
}

extension LongRunningIntent {
    /// Does work that may take long: within it the long ceiling holds, and each advance of progress moves the deadline.
    ///
    /// - Throws: What the operation throws.
    @discardableResult
    public func performBackgroundTask<T>(
        options: LongRunningTaskOptions = [],
        operation: @escaping () async throws -> T
    ) async throws -> T {
        try await inBackground(operation)
    }

    func inBackground<T>(_ operation: () async throws -> T) async throws -> T {
        let session = RunSession.now
        session?.enterBackground()
        defer { session?.leaveBackground() }
        return try await operation()
    }
}

extension LongRunningIntent where Self: CancellableIntent {
    /// The same with a handler that is called at once when the run is cancelled.
    ///
    /// While it is active it replaces the handler of `withIntentCancellationHandler`.
    ///
    /// - Throws: What the operation throws.
    @discardableResult
    public func performBackgroundTask<T>(
        options: LongRunningTaskOptions = [],
        operation: @escaping () async throws -> T,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> T {
        try await inBackground(operation, onCancel: onCancel)
    }

    func inBackground<T>(
        _ operation: () async throws -> T,
        onCancel handler: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> T {
        let session = RunSession.now
        session?.addBackgroundHandler()
        defer { session?.removeBackgroundHandler() }
        return try await inBackground {
            try await withTaskCancellationHandler(
                operation: operation,
                onCancel: { session?.handleCancellation(.background, by: handler) }
            )
        }
    }
}
