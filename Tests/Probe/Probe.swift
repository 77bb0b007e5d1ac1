import AppIntents

/// An app for tests: its intents show every behaviour that `intentd` must cope with.
@main
struct Probe: AppIntentsExtension {}
