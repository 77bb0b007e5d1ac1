import Glibc

/// The app's state folder, which outlives its runs. Specific to Linux.
///
/// Each user of an app has a folder, or all have one together with `State=shared`. A run finds its path in the
/// environment variable `STATE_DIRECTORY`.
public enum IntentState {
    /// The path of the state folder; nil when the app has none (`State=no`), or when it is run by hand without the variable.
    public static var directory: String? {
        getenv("STATE_DIRECTORY").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Performs the body while no other body works on the state folder: neither in this run nor in another one.
    ///
    /// ```swift
    /// struct AddEntry: AppIntent {
    ///     static let title: LocalizedStringResource = "Add an entry"
    ///     @Parameter(title: "Text") var text: String
    ///
    ///     func perform() async throws -> some IntentResult {
    ///         try await IntentState.withLock {
    ///             var entries = try Entries.read()
    ///             entries.append(text)
    ///             try entries.write()
    ///         }
    ///         return .result()
    ///     }
    /// }
    /// ```
    ///
    /// Waiting blocks no thread of Swift's, and ends with `CancellationError` when the task is cancelled. The kernel releases
    /// the lock when the run's process ends, however it ends. The lock is a file of the state folder, so that no run of
    /// another app can hold it, and a run of another user only with `State=shared`. A run cannot keep the lock beyond its
    /// own deadline. While a run waits, its own clock goes on.
    ///
    /// - Throws: ``IntentStateError`` when the app has no state folder, or when the body of another call on this task calls
    ///   again, which would wait for itself.
    public static func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !StateLock.isHeldByThisTask else { throw IntentStateError.alreadyLocked }
        guard let directory else { throw IntentStateError.noDirectory }
        try await StateLock.shared.lock(in: directory)
        defer { StateLock.shared.unlock() }
        return try await StateLock.$isHeldByThisTask.withValue(true) { try await body() }
    }
}

/// An error of ``IntentState/withLock(_:)``.
public struct IntentStateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, why, and the next step.
    public let description: String

    /// The app has no state folder.
    public static let noDirectory = IntentStateError(
        description: """
            the app has no state folder, because STATE_DIRECTORY is not set; remove State=no from the app's .conf, or set the \
            variable when you run the app by hand
            """
    )
    /// The task holds the lock already.
    public static let alreadyLocked = IntentStateError(
        description: "this task holds the lock of the state folder already; call withLock once around all of the work"
    )
}
