// Re-exports the message types of IntentProtocol, for targets that import only this module.
@_exported import IntentProtocol
