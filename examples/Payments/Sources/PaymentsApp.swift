import AppIntents

/// Sends money, and leaves the ledger in order however a run ends.
@main
struct PaymentsApp: AppIntentsExtension {}
