// Re-exported, because AppIntents declares the attributes of an item, which entities also provide.
@_exported public import AppIntents
