// Re-exports the messages of clients, for targets that import only this module.
@_exported import IntentProtocol
