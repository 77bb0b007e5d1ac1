import AppIntents

/// An app that sends an email when a run has ended: `OnFailure=Mail/Send` in `[Notify]`.
@main
struct MailApp: AppIntentsExtension {}
