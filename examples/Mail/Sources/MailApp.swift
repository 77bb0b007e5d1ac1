import AppIntents

/// Mails the ends of runs: `OnFailure=Mail/Send` in `[Notify]`.
@main
struct MailApp: AppIntentsExtension {}
