import AppIntents

/// Compresses, expands and checks files of any size in constant memory.
@main
struct Archive: AppIntentsExtension {}
