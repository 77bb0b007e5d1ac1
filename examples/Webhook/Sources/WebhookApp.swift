import AppIntents

/// Reports runs that have ended to a web server: `OnFailure=Webhook/Post` in `[Notify]`.
@main
struct WebhookApp: AppIntentsExtension {}
