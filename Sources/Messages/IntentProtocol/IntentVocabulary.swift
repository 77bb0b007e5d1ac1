// Re-exports the types that clients share with apps, for targets that import only this module.
@_exported public import IntentSharedTypes
