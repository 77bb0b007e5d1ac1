import AppIntents

/// An app that manages a list of books.
@main
struct LibraryApp: AppIntentsExtension {}
