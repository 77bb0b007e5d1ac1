import CIntentWorker

/// This process's app, which lives until the process exits.
@MainActor enum CreatedApp {
    typealias Maker = @MainActor @Sendable () -> any AppIntentsExtension

    private static var app: (any AppIntentsExtension)?

    /// Creates the app, which registers its dependencies.
    static func create(_ make: Maker) {
        intentd_use_crash_stack()
        app = make()
    }

    /// Creates the app on the calling thread, as the main actor. If the main queue is being served, creates the app
    /// there.
    nonisolated static func createForRun(_ make: @escaping Maker) async {
        let creation = Creation(make)
        let isCreated = withExtendedLifetime(creation) {
            intentd_perform_on_main_actor(Creation.perform, Unmanaged.passUnretained(creation).toOpaque())
        }
        if !isCreated { await create(make) }
    }

    /// The creation of the app, passed to a C function as one pointer.
    private final class Creation: Sendable {
        static let perform: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
            guard let context else { preconditionFailure("the main actor was called without a function") }
            let creation = Unmanaged<Creation>.fromOpaque(context).takeUnretainedValue()
            MainActor.assumeIsolated { create(creation.make) }
        }

        private let make: Maker

        init(_ make: @escaping Maker) {
            self.make = make
        }
    }
}
