import AppIntents

/// A test app with intents for every behaviour that `intentd` must handle.
@main
struct Probe: AppIntentsExtension {
    @MainActor init() { AppCreation.perform() }

    static func main() {
        AppCreation.prepare()
        start(Probe.self)
    }

    /// Calls the entry point of the library, which ``main()`` hides.
    private static func start<App: AppIntentsExtension>(_: App.Type) { App.main() }
}
