import Glibc
import IntentLinux

/// An app's state folder, which persists between runs. Specific to Linux.
///
/// Each user of an app has a separate folder. With `State=shared`, all users share one folder. The `STATE_DIRECTORY`
/// environment variable contains the folder's path.
public enum IntentState {
    /// The path of the state folder. Nil if the app has no state folder (`State=no`), or if it was started from the
    /// command line and the variable is not set.
    public static var directory: String? {
        if let surroundings = RunSurroundings.current { return surroundings.stateDirectory }
        return getenv("STATE_DIRECTORY").map { String(foreign: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Executes a closure with exclusive access to the state folder. No other run, and no other task of this run,
    /// executes such a closure at the same time.
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
    /// Waiting for the lock does not block a thread of the Swift runtime, and throws `CancellationError` if the task is
    /// cancelled. The kernel releases the lock when the run's process exits for any reason. The lock is a file in the
    /// state folder, so the runs of other apps cannot acquire it, and the runs of other users can acquire it only with
    /// `State=shared`. A run cannot hold the lock beyond its own deadline, which is not suspended while the run waits
    /// for the lock.
    ///
    /// - Throws: ``IntentStateError`` when the app has no state folder, or when the closure calls this method again on
    ///   the same task, which would otherwise wait forever.
    public static func withLock<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard !StateLock.isHeldByThisTask else { throw IntentStateError.alreadyLocked }
        guard let directory else { throw IntentStateError.noDirectory }
        let lock = RunSurroundings.current?.stateLock ?? .shared
        try await lock.lock(in: directory)
        defer { lock.unlock() }
        return try await StateLock.$isHeldByThisTask.withValue(true) { try await body() }
    }
}

/// An error that ``IntentState/withLock(_:)`` throws.
public struct IntentStateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of what failed, why, and the next step.
    public let description: String

    /// The app has no state folder.
    public static let noDirectory = IntentStateError(
        description: """
            the app has no state folder, because STATE_DIRECTORY is not set; remove State=no from the app's .conf, set the \
            variable when you run the app on the command line, or use the folder inside withIntentRun in a test
            """
    )
    /// The task already holds the lock.
    public static let alreadyLocked = IntentStateError(
        description: "this task already holds the lock of the state folder; call withLock once, around all of the work"
    )
}
