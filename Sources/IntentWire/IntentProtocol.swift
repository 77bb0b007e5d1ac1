// Re-exports the types that clients and intentd share, for targets that import only this module.
@_exported import IntentProtocol
