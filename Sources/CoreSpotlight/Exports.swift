// AppIntents declares the attributes of an item, because entities also provide them.
@_exported public import AppIntents
