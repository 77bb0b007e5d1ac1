/// Lives as long as `perform()`, or anything that a cancellation handler began, goes on.
///
/// A handler runs with it bound as a task-local value. Every `Task { }` made there copies task-local values, and so
/// keeps the token, as do those made by these. Detached tasks and threads do not.
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
