import Glibc

/// An intent that may run for hours inside `performBackgroundTask`, as long as its progress advances.
///
/// Source: Apple's LongRunningIntent page.
@_alwaysEmitConformanceMetadata
public protocol LongRunningIntent: ProgressReportingIntent {}

/// The resources that a background task needs.
///
/// Source: Apple's LongRunningTaskOptions page.
public struct LongRunningTaskOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The work needs a graphics processor, to which the operator grants access with `GPU=yes`.
    public static let requiresGPU = LongRunningTaskOptions(rawValue: 1 << 0)

    /// Checks that the resources are available. Does nothing in an app that was started from the command line, because
    /// no sandbox restricts it.
    ///
    /// - Throws: ``RunError`` when a resource is missing.
    func check() throws {
        guard contains(.requiresGPU), let grant = getenv("INTENTD_GPU") else { return }
        guard strcmp(grant, "yes") == 0 else {
            throw RunError(
                """
                cannot perform the intent: it needs a graphics processor (requiresGPU). Ask the operator to grant \
                access with GPU=yes in [Sandbox] of the app's .conf.
                """
            )
        }
        let devices = ["/dev/dri", "/dev/kfd", "/dev/nvidiactl"]
        guard devices.contains(where: { access($0, F_OK) == 0 }) else {
            throw RunError(
                "cannot perform the intent: it needs a graphics processor (requiresGPU), and this host has none"
            )
        }
    }
}

extension LongRunningIntent {
    /// Performs work that may take a long time. During the work, the ceiling is `LongCeiling=`, and each advance of
    /// progress extends the deadline.
    ///
    /// - Throws: The error that the operation throws; an error with instructions when a required graphics processor is
    ///   not granted.
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
    /// Performs work that may take a long time. If the run is cancelled, the handler is called immediately.
    ///
    /// During the work, this handler is called instead of the handler registered with `withIntentCancellationHandler`.
    ///
    /// - Throws: The error that the operation throws; an error with instructions when a required graphics processor is
    ///   not granted.
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
