import AppIntents

/// An app that sends money, and keeps the ledger consistent even if a run is cancelled.
@main
struct PaymentsApp: AppIntentsExtension {}
