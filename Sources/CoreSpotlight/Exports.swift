// The attributes of an item are a part of AppIntents, because an entity provides them.
@_exported public import AppIntents
