import AppIntents

/// An app that compresses, expands and checks files of any size in constant memory.
@main
struct Archive: AppIntentsExtension {}
