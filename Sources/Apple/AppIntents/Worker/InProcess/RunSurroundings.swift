import Foundation
import IntentSharedTypes

/// The resources of a test's runs, which replace the process's own resources.
///
/// A worker performs one run, so its dependencies, its state folder and its locale belong to the process. A test
/// process performs many runs, so each test binds its own surroundings to the tasks of its runs.
package final class RunSurroundings: Sendable {
    /// The surroundings of the calling task; nil in a worker and outside tests.
    @TaskLocal package static var current: RunSurroundings?

    /// The manager that `AppDependencyManager.shared` uses in these surroundings.
    package let dependencies = AppDependencyManager()
    /// The run folder, which also contains temporary files.
    package let directory: String
    /// The app's state folder.
    package let stateDirectory: String
    /// The identifier of the caller's locale; nil if the caller chose none.
    package let locale: String?
    /// The caller of the runs.
    let caller: RunCaller
    let stateLock: StateLock

    /// - Parameter workBegan: A closure that is called when a thread begins to work for a waiting task, and that
    ///   returns a closure to call at the end of the work.
    package init(
        directory: String,
        stateDirectory: String,
        locale: String?,
        caller: RunCaller = .ofProgram,
        workBegan: @escaping @Sendable () -> @Sendable () -> Void
    ) {
        stateLock = StateLock(threadBegan: workBegan)
        self.directory = directory
        self.stateDirectory = stateDirectory
        self.locale = locale
        self.caller = caller
    }

    /// The folder for the calling task's temporary files.
    static var temporaryDirectory: URL {
        current.map { URL(fileURLWithPath: $0.directory) } ?? FileManager.default.temporaryDirectory
    }
}
