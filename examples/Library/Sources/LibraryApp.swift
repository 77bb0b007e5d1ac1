import AppIntents

/// Keeps a list of books.
@main
struct LibraryApp: AppIntentsExtension {}
