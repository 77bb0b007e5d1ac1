import Glibc

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

    /// - Throws: ``RunError`` when what it asks for is not there. By hand nothing is held back.
    func check() throws {
        guard contains(.requiresGPU), let grant = getenv("INTENTD_GPU") else { return }
        guard strcmp(grant, "yes") == 0 else {
            throw RunError(
                """
                this intent needs a graphics processor (requiresGPU), and its sandbox has none. The operator gives it \
                one with GPU=yes in [Sandbox] of the app's .conf.
                """
            )
        }
        let devices = ["/dev/dri", "/dev/kfd", "/dev/nvidiactl"]
        guard devices.contains(where: { access($0, F_OK) == 0 }) else {
            throw RunError("this intent needs a graphics processor (requiresGPU), and this host has none")
        }
    }
}

extension LongRunningIntent {
    /// Does work that may take long: within it the long ceiling holds, and each advance of progress moves the deadline.
    ///
    /// - Throws: What the operation throws; an error that says what to do when it needs a graphics processor and the
    ///   operator gave it none.
    @discardableResult
    nonisolated(nonsending) public func performBackgroundTask<T>(
        options: LongRunningTaskOptions = [],
        operation: nonisolated(nonsending) @escaping () async throws -> T
    ) async throws -> T {
        try await inBackground(options, operation)
    }

    nonisolated(nonsending) func inBackground<T>(
        _ options: LongRunningTaskOptions,
        _ operation: nonisolated(nonsending) () async throws -> T
    ) async throws -> T {
        try options.check()
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
    nonisolated(nonsending) public func performBackgroundTask<T>(
        options: LongRunningTaskOptions = [],
        operation: nonisolated(nonsending) @escaping () async throws -> T,
        onCancel: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> T {
        try await inBackground(options, operation, onCancel: onCancel)
    }

    nonisolated(nonsending) func inBackground<T>(
        _ options: LongRunningTaskOptions,
        _ operation: nonisolated(nonsending) () async throws -> T,
        onCancel handler: @escaping @Sendable (IntentCancellationReason) -> Void
    ) async throws -> T {
        let session = RunSession.now
        session?.addBackgroundHandler()
        defer { session?.removeBackgroundHandler() }
        return try await inBackground(options) {
            try await withTaskCancellationHandler(
                operation: operation,
                onCancel: { session?.handleCancellation(.background, by: handler) }
            )
        }
    }
}
