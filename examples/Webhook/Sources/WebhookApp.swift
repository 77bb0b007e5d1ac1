import AppIntents

/// An app that notifies a web server when a run has ended: `OnFailure=Webhook/Post` in `[Notify]`.
@main
struct WebhookApp: AppIntentsExtension {}
