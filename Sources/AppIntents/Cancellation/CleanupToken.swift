/// Lives until `perform()`, and everything that a cancellation handler started, has ended.
///
/// A handler runs with the token as a task-local value. Every `Task { }` made there copies task-local values and so
/// keeps the token, and so does every task that it makes. Detached tasks and threads do not.
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
