import AppIntents

/// A test app with intents for every behaviour that `intentd` must handle.
@main
struct Probe: AppIntentsExtension {}
