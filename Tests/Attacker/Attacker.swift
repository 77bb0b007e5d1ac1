import AppIntents

/// An app for tests: its intents try every way out of the place where they run.
@main
struct Attacker: AppIntentsExtension {}
