import AppIntents

/// A test app with intents that attempt to escape their sandbox in every known way.
@main
struct Attacker: AppIntentsExtension {}
