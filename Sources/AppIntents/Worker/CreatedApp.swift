import CIntentWorker

/// This process's app, which lives until the process exits.
@MainActor enum CreatedApp {
    private static var app: (any AppIntentsExtension)?

    /// Creates the app, which registers its dependencies.
    static func create(_ make: @MainActor () -> any AppIntentsExtension) {
        intentd_use_crash_stack()
        app = make()
    }
}
