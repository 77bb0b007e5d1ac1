import AppIntents

/// Posts the ends of runs to a web server: `OnFailure=Webhook/Post` in `[Notify]`.
@main
struct WebhookApp: AppIntentsExtension {}
