import Foundation
import IntentWire

/// What the runs of a test use instead of what belongs to the whole process.
///
/// A worker performs one run, so its dependencies, its state folder and its locale belong to the process. A process that
/// performs several runs binds surroundings to the tasks of each of them.
package final class RunSurroundings: Sendable {
    /// The surroundings of the calling task; nil in a worker and outside tests.
    @TaskLocal package static var current: RunSurroundings?

    /// What `AppDependencyManager.shared` means in these surroundings.
    package let dependencies = AppDependencyManager()
    /// The run folder, which also contains temporary files.
    package let directory: String
    /// The app's state folder.
    package let stateDirectory: String
    /// The identifier of the caller's locale; nil if the caller chose none.
    package let locale: String?
    let stateLock: StateLock

    /// - Parameter workBegan: Tells that a thread works for a waiting task, and returns a closure that tells its end.
    package init(
        directory: String,
        stateDirectory: String,
        locale: String?,
        workBegan: @escaping @Sendable () -> @Sendable () -> Void
    ) {
        stateLock = StateLock(threadBegan: workBegan)
        self.directory = directory
        self.stateDirectory = stateDirectory
        self.locale = locale
    }

    /// The folder for temporary files of the calling task.
    static var temporaryDirectory: URL {
        current.map { URL(fileURLWithPath: $0.directory) } ?? FileManager.default.temporaryDirectory
    }
}
