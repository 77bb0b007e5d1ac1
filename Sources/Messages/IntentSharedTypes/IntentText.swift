// Re-exports the functions for text of other parties, for targets that import only this module.
@_exported import IntentText
