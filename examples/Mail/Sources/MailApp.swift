import AppIntents

/// Reports runs that have ended by email: `OnFailure=Mail/Send` in `[Notify]`.
@main
struct MailApp: AppIntentsExtension {}
