/// A token that exists until `perform()` and all tasks of its cancellation handlers have finished.
///
/// The token is a task-local value while a cancellation handler runs. `Task { }` copies task-local values, so every
/// task that the handler starts, directly or indirectly, retains the token. Detached tasks and threads do not
/// retain it.
final class CleanupToken: Sendable {
    @TaskLocal static var current: CleanupToken?

    private let released: @Sendable () -> Void

    init(released: @escaping @Sendable () -> Void) {
        self.released = released
    }

    deinit {
        released()
    }
}
