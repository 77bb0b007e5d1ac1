import AppIntents

/// A test app with intents that try every way out of their sandbox.
@main
struct Attacker: AppIntentsExtension {}
